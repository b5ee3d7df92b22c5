import { type ReactNode, useMemo, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Page, Panel } from '../../../kit/layout/panel.tsx'
import { Empty, SkeletonRows } from '../../../kit/layout/placeholders.tsx'
import { Table } from '../../../kit/layout/table.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { relativeText, Time, useNow } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { SignedOut } from '../../../parts/account-source.tsx'
import { FailurePanel, MissingNote, UnreadNote } from '../../../parts/failure-note.tsx'
import { unknownRows } from '../../../parts/more-fields.tsx'
import partsStyles from '../../../parts/parts.module.css'
import { ActiveCount } from '../../../parts/secret-place.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { keyCountText } from '../../../text/page-cut-text.ts'
import { arrangeKeys, countKeys, emptyList, isEnding, type KeyView, orderBy, sheetPlace } from '../key-view.ts'
import styles from '../keys.module.css'
import { KeyBar } from './key-bar.tsx'
import { KeyNotes, SecretPlaces } from './key-notes.tsx'
import { type Copied, type KeyActions, KeyTable } from './key-row.tsx'

const noKeys: readonly KeySummary[] = []

/** The actions of the key list's rows, memoised so that a row redraws only when its key changes. */
function useKeyActions(onCopied: (copied: Copied) => void, onStore: (key: KeySummary) => void): KeyActions {
  const navigate = useNavigate()
  const toast = useToast()
  const { mutate: copySecret } = useIpcCommand('keys.copySecret')
  const { mutate: use } = useIpcCommand('keys.use')
  const { mutate: copyText } = useIpcCommand('app.copyText')
  return useMemo(
    () => ({
      onCopy: (key) =>
        copySecret(
          { keyId: key.id },
          {
            onSuccess: ({ clearsAtMs }) => {
              onCopied({ keyId: key.id, clearsAtMs })
              toast({ tone: 'ok', title: keysText.secretCopied, text: keysText.clipboardClears, action: null })
            },
            onError: (error) =>
              toast({
                tone: 'danger',
                title: keysText.secretNotCopied,
                text: failureOf(error).kind === 'keychain' ? keysText.keychainRefusedAccess : keysText.retryAdvice,
                action: null,
              }),
          },
        ),
      onOpen: (key, action) => navigate(action === null ? `keys/${key.id}` : sheetPlace(key.id, action, 'list')),
      onUse: (key) => use({ keyId: key.id }),
      onStore,
      onCopyId: (key) => copyText({ text: key.id }),
    }),
    [copySecret, copyText, navigate, onCopied, onStore, toast, use],
  )
}

interface ListProps {
  readonly view: KeyView
  readonly onView: (change: Partial<KeyView>) => void
}

/** All keys of the wallet: rights, lifetime and where each secret is. */
export function KeyList({ view, onView }: ListProps) {
  const navigate = useNavigate()
  const list = useIpcQuery('keys.list', {}, { every: minute })
  const unmatched = useIpcQuery('keys.unmatched', {})
  const replacements = useIpcQuery('replacements.list', {}, { every: minute })
  const draft = useIpcQuery('keys.draft', {})
  const health = useIpcQuery('app.health', {})
  const session = useIpcQuery('session.status', {})
  const store = useIpcCommand('keys.retryStore')
  const [copied, setCopied] = useState<Copied | null>(null)
  const { mutate: storeSecret } = store
  const onStore = useMemo(() => (key: KeySummary) => storeSecret({ keyId: key.id }), [storeSecret])
  const actions = useKeyActions(setCopied, onStore)
  const now = useNow(minute)
  const keys = list.data?.keys ?? noKeys
  const counts = useMemo(() => countKeys(keys, now), [keys, now])
  const advice = useMemo(() => shownAdvice(worthDoing(keys, now)), [keys, now])
  const sections = useMemo(() => arrangeKeys(keys, view, now), [keys, view, now])

  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const signedOut = failure?.kind === 'sign_in_required' || failure?.kind === 'no_wallet'
  return (
    <Page
      title={keysText.keys}
      className={styles.keysPage}
      note={list.data === undefined ? undefined : <KeyCount keys={keys} active={list.data.active} limit={list.data.limit} />}
      end={
        <>
          <Button variant="ghost" icon="calendar" onClick={() => navigate('keys/expiry')}>
            {keysText.expiryDates}
          </Button>
          <Button variant="ghost" icon="bot" onClick={() => navigate('keys/gateway')}>
            {keysText.gateway}
          </Button>
          <Button variant="ghost" icon="rotate" onClick={() => navigate('keys/fleet')}>
            {keysText.fleetPlans}
          </Button>
          <Button variant="ghost" icon="shield-check" onClick={() => navigate('keys/leaks')}>
            {keysText.leakGuard}
          </Button>
          <Button variant="ghost" icon="download" disabled={signedOut} onClick={() => navigate('keys/import')}>
            {keysText.import}
          </Button>
          <Button variant="danger" disabled={counts.active === 0} onClick={() => navigate('keys/revoke-all')}>
            {keysText.revokeAll}
          </Button>
          <Button variant="primary" icon="plus" disabled={signedOut} onClick={() => navigate('keys/new')}>
            {draft.data == null ? keysText.newKey : keysText.continueNewKey}
          </Button>
        </>
      }
    >
      {signedOut ? (
        <SignedOut what="keys" walletConnected={failure.kind !== 'no_wallet'} />
      ) : failure !== null ? (
        <Panel>
          <FailurePanel failure={failure} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <>
          <KeyNotes
            unmatched={unmatched.data ?? []}
            replacements={replacements.data ?? []}
            keys={keys}
            storing={store.isPending}
            storeFailure={store.error === null ? null : failureOf(store.error)}
            onStore={onStore}
          />
          <UnreadNote unread={list.data?.unread ?? null} />
          <MissingNote missing={list.data?.missing} of="key" />
          <section className={cx(panelStyles.panel, styles.keyPanel)} aria-label={keysText.listOfKeys}>
            <KeyBar view={view} counts={counts} onView={onView}>
              {list.data === undefined ? null : (
                <span className={list.error === null ? textStyles.muted : textStyles.warn}>
                  {(list.error === null ? keysText.readAt : keysText.staleReadAt)(<Time ms={list.data.readAtMs} />)}
                </span>
              )}
              <IconButton icon="refresh" size="sm" label={keysText.refresh} busy={list.isFetching} onClick={() => void list.refetch()} />
            </KeyBar>
            {list.data === undefined ? (
              <Table label={keysText.keys} className={styles.keyTable} busy>
                <SkeletonRows rows={5} columns={7} />
              </Table>
            ) : keys.length === 0 && emptyList(list.data.unread, list.error) === 'not_read' ? (
              <Empty
                icon="unknown"
                title={keysText.keysNotLoaded}
                actions={
                  <Button icon="refresh" busy={list.isFetching} onClick={() => void list.refetch()}>
                    {keysText.refresh}
                  </Button>
                }
              >
                {keysText.keysNotLoadedDetail}
              </Empty>
            ) : keys.length === 0 ? (
              <Empty
                icon="key"
                title={keysText.noKeysYet}
                actions={
                  <Button icon="plus" onClick={() => navigate('keys/new')}>
                    {keysText.newKey}
                  </Button>
                }
              >
                {keysText.noKeysYetDetail}
              </Empty>
            ) : sections.length === 0 ? (
              <Empty icon="search" title={keysText.noMatchingKeys}>
                {view.typed === '' ? keysText.noKeyHasStatus : keysText.changeFilter}
              </Empty>
            ) : (
              <KeyTable sections={sections} order={view.order} onOrder={(by) => onView({ order: orderBy(view.order, by) })} copied={copied} actions={actions} />
            )}
          </section>
          {keys.length === 0 ? null : (
            <div className={advice.length === 0 ? cx(styles.keyLow, styles.alone) : styles.keyLow}>
              <AdvicePanel advice={advice} />
              <SecretPlaces keys={keys} keychain={health.data?.keychain ?? 'unknown'} />
              <DeveloperPanel profile={session.data?.developer ?? null} />
            </div>
          )}
        </>
      )}
    </Page>
  )
}

interface CountProps {
  readonly keys: readonly KeySummary[]
  readonly active: number | null
  readonly limit: number
}

function KeyCount({ keys, active, limit }: CountProps) {
  return active === null ? (
    <span className={partsStyles.activeCount}>{keyCountText({ keys, active, limit })}</span>
  ) : (
    <ActiveCount active={active} limit={limit} what="keys" />
  )
}

/** The developer profile from the sign-in. The API document does not describe its fields, so they appear unchanged. */
function DeveloperPanel({ profile }: { readonly profile: string | null }) {
  const { rows, leftOut } = unknownRows(profile)
  if (rows.length === 0) return null
  return (
    <Panel title={keysText.developerProfile} count={leftOut === 0 ? keysText.receivedAtSignIn : keysText.receivedAtSignInPartly(leftOut)} padded>
      <dl className={panelStyles.rows}>
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <VisibleText text={name} />
            </dt>
            <dd>
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** Advice for safer keys and running bots, each with a link. Draws nothing without advice. */
function AdvicePanel({ advice }: { readonly advice: readonly Advice[] }) {
  const navigate = useNavigate()
  if (advice.length === 0) return null
  return (
    <Panel title={keysText.suggestions} count={advice.length}>
      <ul className={styles.keyTodo}>
        {advice.map((one) => (
          <li key={one.id}>
            <Icon name={one.icon} />
            <p>{one.text(<b className={textStyles.name}>{one.label}</b>)}</p>
            <Button size="xs" onClick={() => navigate(one.to)}>
              {one.action}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface Advice {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly text: (key: ReactNode) => ReactNode
  readonly action: string
  readonly to: string
  /** When the key expires, in Unix ms; `null` if the advice is not about the key's expiry. */
  readonly endsAtMs: number | null
}

/** The advice to show: all advice about keys that expire soon (soonest first), then up to three other pieces. */
export function shownAdvice(all: readonly Advice[]): readonly Advice[] {
  const ending = all.filter(({ endsAtMs }) => endsAtMs !== null).sort((a, b) => (a.endsAtMs ?? 0) - (b.endsAtMs ?? 0))
  return [...ending, ...all.filter(({ endsAtMs }) => endsAtMs === null).slice(0, 3)]
}

/** Advice for safer keys and running bots; none of it is urgent. */
export function worthDoing(keys: readonly KeySummary[], nowMs: number): readonly Advice[] {
  return keys.filter(isLiveKey).flatMap((key): Advice[] => {
    const advice = (icon: IconName, text: Advice['text'], action: string, to: string, endsAtMs: number | null = null): Advice => ({
      id: `${key.id}/${icon}`,
      icon,
      label: key.label,
      text,
      action,
      to,
      endsAtMs,
    })
    const endsAtMs = isEnding(key, nowMs) && key.expiresAtMs !== null && key.expiresAtMs > nowMs ? key.expiresAtMs : null
    return [
      ...(endsAtMs !== null
        ? [
            advice(
              'clock',
              (name) => keysText.keyExpiresIn(name, relativeText(endsAtMs, nowMs)),
              keysText.extend,
              sheetPlace(key.id, 'extend', 'list'),
              endsAtMs,
            ),
          ]
        : []),
      ...(key.agent?.granted === false ? [advice('bot', keysText.keyLostGrant, keysText.signGrant, sheetPlace(key.id, 'grant', 'list'))] : []),
      ...(key.allowlist?.length === 0 ? [advice('globe', keysText.keyAcceptsAnyAddress, keysText.newKey, 'keys/new')] : []),
      ...(key.scopes?.includes('collateral:manage') === true && key.scopes.includes('trade:execute')
        ? [advice('coins', keysText.keyTradesAndMovesCollateral, keysText.newKey, 'keys/new')]
        : []),
    ]
  })
}
