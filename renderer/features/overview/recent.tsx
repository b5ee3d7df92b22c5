import { type AmountFormat, formatDecimal } from '../../../shared/decimal.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { OperationNote, SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { operationNoteText } from '../../../shared/text/audit-text.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import buttonStyles from '../../kit/button.module.css'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import { intentLook } from '../../kit/layout/state.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import { useAmountText } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { confirmedBlocks } from '../../signing/progress/intent-path.ts'
import { overviewText } from '../../text/en/overview.en.tsx'
import styles from './overview.module.css'

interface RecentRow {
  readonly key: string
  readonly to: string
  readonly icon: IconName
  readonly tone: string
  readonly title: string
  readonly detail: string
  readonly atMs: number
}

const most = 7

interface Titles {
  /** The title of an operation that had no effect, or whose effect is unknown, for example “Revoke key hedger” for the key labelled “hedger”. */
  readonly planned: (label: string) => string
  /** The title of an operation that took effect, for example “Key grid revoked”. */
  readonly done: (label: string) => string
}

const titles: Readonly<Record<SecretOperation['kind'], Titles>> = {
  create: { planned: overviewText.toCreateKey, done: overviewText.keyCreated },
  rotate: { planned: overviewText.toRotateSecret, done: overviewText.secretRotated },
  revoke: { planned: overviewText.toRevokeKey, done: overviewText.keyRevoked },
  expiry: { planned: overviewText.toChangeExpiry, done: overviewText.expiryChanged },
  import: { planned: overviewText.toImportSecret, done: overviewText.secretImported },
  grant: { planned: overviewText.toGrantAgent, done: overviewText.agentGranted },
  executor: { planned: overviewText.toBindExecutor, done: overviewText.executorBound },
  webhook_create: { planned: overviewText.toCreateWebhook, done: overviewText.webhookCreated },
  webhook_disable: { planned: overviewText.toDisableWebhook, done: overviewText.webhookDisabled },
}

/**
 * Whether the note of a SETTLED operation says that the operation took effect. SETTLED alone only means that nothing is left to do: the request may
 * have had no effect, or the user may have dismissed it.
 */
function saysDone(note: OperationNote | null): boolean {
  switch (note?.split(' ', 1)[0]) {
    case 'confirmed':
    case 'listed_revoked':
    case 'listed_disabled':
    case 'expiry_confirmed':
    case 'grant_stored':
    case 'grant_listed':
    case 'executor_bound':
    case 'executor_listed':
    // Creation had succeeded: the app found the new key or webhook, although it was rotated, revoked or disabled later.
    case 'key_over':
    case 'webhook_over':
    case 'orphan_rotated':
    case 'handed_over':
      return true
    default:
      return false
  }
}

/** The title of an operation on a key, secret or webhook. It is worded as done only if the operation is known to have taken effect. */
export function secretTitle({ kind, label, state, note }: Pick<SecretOperation, 'kind' | 'label' | 'state' | 'note'>): string {
  const isDone = state === 'STORED' || state === 'VERIFIED' || (state === 'SETTLED' && saysDone(note))
  return titles[kind][isDone ? 'done' : 'planned'](label)
}

/** The row of an intent in the list of recent events. */
export function intentRow(intent: Intent, amount: AmountFormat = formatDecimal): RecentRow {
  const look = intentLook(intent)
  const detail =
    intent.state === 'CONFIRMING'
      ? overviewText.confirming(confirmedBlocks(intent.state, intent.confirmations))
      : intent.reason !== null
        ? reasonText(intent.reason)
        : intent.symbol === null
          ? look.word
          : overviewText.stateInMarket(look.word, intent.symbol)
  return {
    key: intent.ref,
    to: `activity/${intent.ref}`,
    icon: look.icon,
    tone: look.tone === 'danger' ? 'bad' : look.tone === 'off' ? '' : look.tone,
    title: titleText(intent.title, amount),
    detail,
    atMs: intent.updatedAtMs,
  }
}

const secretIcons: Readonly<Record<SecretOperation['kind'], IconName>> = {
  create: 'key',
  rotate: 'rotate',
  revoke: 'trash',
  expiry: 'clock',
  import: 'key',
  grant: 'bot',
  executor: 'bot',
  webhook_create: 'webhook',
  webhook_disable: 'trash',
}

const yieldsSecret: ReadonlySet<SecretOperation['kind']> = new Set(['create', 'rotate', 'import', 'webhook_create'])

const secretStates: Readonly<Record<SecretOperation['state'], string>> = {
  PLANNED: overviewText.planned,
  SENT: overviewText.sent,
  STORED: overviewText.inKeychain,
  VERIFIED: overviewText.done,
  FAILED: overviewText.failed,
  UNKNOWN: overviewText.responseLost,
  SETTLED: overviewText.resolved,
}

function secretRow(operation: SecretOperation): RecentRow {
  const unknown = operation.state === 'UNKNOWN'
  return {
    key: operation.id,
    to: 'activity?tab=secrets',
    icon: secretIcons[operation.kind],
    tone: unknown ? 'warn' : operation.state === 'FAILED' ? 'bad' : '',
    title: secretTitle(operation),
    detail:
      (operation.note === null ? null : operationNoteText(operation.note)) ??
      (operation.state === 'VERIFIED' && yieldsSecret.has(operation.kind) ? overviewText.verified : secretStates[operation.state]),
    atMs: operation.updatedAtMs,
  }
}

export function Recent({
  intents,
  operations,
}: {
  /** The intents to show; `undefined` until the app has read them. `operations` is also `undefined` until then. */
  readonly intents: readonly Intent[] | undefined
  readonly operations: readonly SecretOperation[] | undefined
}) {
  const amount = useAmountText()
  const rows = [...(intents ?? []).map((intent) => intentRow(intent, amount)), ...(operations ?? []).map(secretRow)]
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, most)
  return (
    <Panel
      title={overviewText.recent}
      end={
        <Link to="activity" className={cx(buttonStyles.button, buttonStyles.xs, buttonStyles.ghost)}>
          {overviewText.activity}
          <Icon name="chevron-right" size={14} />
        </Link>
      }
    >
      {rows.length === 0 && (intents === undefined || operations === undefined) ? (
        <div className={styles.recentNone}>
          <Loading label={overviewText.recentEvents}>
            <Skeleton width={220} />
          </Loading>
        </div>
      ) : rows.length === 0 ? (
        <p className={cx(styles.recentNone, textStyles.muted)}>{overviewText.recentHelp}</p>
      ) : (
        <ul className={styles.recentList}>
          {rows.map((row) => (
            <li key={row.key}>
              <span className={cx(styles.recentMark, styles[row.tone])}>
                <Icon name={row.icon} size={14} />
              </span>
              <div className={textStyles.cut}>
                <p className={styles.recentText}>
                  <Link to={row.to} className={textStyles.cut}>
                    {row.title}
                  </Link>
                  <Time ms={row.atMs} form="age" />
                </p>
                <p className={cx(styles.recentDetail, tableStyles.sub)} title={row.detail}>
                  {row.detail}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
