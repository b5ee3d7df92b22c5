import { isCounted } from '../../../shared/attention.ts'
import type { Attention, ListedAttention } from '../../../shared/ipc/host/app.ts'
import { minute } from '../../../shared/time.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Skeleton } from '../../kit/layout/placeholders.tsx'
import { useAmountText } from '../../kit/number.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import textStyles from '../../kit/text.module.css'
import { Ring } from '../../kit/time/countdown-ring.tsx'
import { exactTime, fineDurationText, titleTime, useNow } from '../../kit/time/time.tsx'
import { attentionText } from '../../text/attention-text.ts'
import { overviewText } from '../../text/en/overview.en.tsx'
import styles from './overview.module.css'

const icons: Readonly<Record<Attention['kind'], IconName>> = {
  unknown_intent: 'unknown',
  unsent_signature: 'pen',
  orphan_key: 'key',
  unstored_key: 'key',
  orphan_webhook: 'webhook',
  unstored_webhook: 'webhook',
  key_expiring: 'key',
  grant_expiring: 'bot',
  grant_unknown: 'bot',
  sign_in_ending: 'user',
  sign_in_required: 'user',
  keychain: 'lock',
  journal_rebuilt: 'doc',
  no_key: 'key',
  service_down: 'server',
  service_changed: 'warn',
  webhook_failing: 'webhook',
  clock: 'clock',
  keep_draft: 'bot',
  replacement_due: 'key',
  fleet_due: 'key',
  fleet_waits: 'key',
  fleet_left: 'key',
  replacement_stuck: 'key',
  revoke_all_unfinished: 'warn',
  bulk_action_unfinished: 'warn',
}

const chips: Partial<Readonly<Record<Attention['kind'], string>>> = {
  unknown_intent: overviewText.unknown,
  unsent_signature: overviewText.notSent,
  orphan_key: overviewText.unknown,
  keep_draft: overviewText.unfinished,
}

const tones: Readonly<Record<Attention['severity'], string | undefined>> = {
  info: styles.needMark,
  warn: cx(styles.needMark, styles.warn),
  danger: cx(styles.needMark, styles.bad),
}

function Countdown({ item }: { readonly item: Attention & { readonly untilMs: number } }) {
  const now = useNow(1_000)
  const left = Math.max(0, item.untilMs - now)
  const whole = Math.max(item.untilMs - item.atMs, minute)
  return (
    <span className={styles.needText} role="timer" title={overviewText.until(titleTime(item.untilMs))}>
      <Ring size={20} share={left / whole} warn={left < whole / 5} />
      <span>
        <b>{fineDurationText(left)}</b>
        <br />
        <span className={textStyles.muted}>{item.kind === 'unknown_intent' ? overviewText.untilItSettles : overviewText.left}</span>
      </span>
    </span>
  )
}

function SnoozeMenu({ item, title }: { readonly item: Attention; readonly title: string }) {
  const snooze = useIpcCommand('app.snooze')
  const choices = [
    ['hour', overviewText.snoozeHour],
    ['day', overviewText.snoozeDay],
    ['changed', overviewText.snoozeChanged],
  ] as const
  return (
    <Menu
      label={overviewText.snooze}
      align="end"
      entries={choices.map(([length, label]) => ({ label, onSelect: () => snooze.mutate({ id: item.id, length }) }))}
      trigger={(props) => <IconButton size="sm" icon="clock" label={overviewText.snoozeItem(title)} {...props} />}
    />
  )
}

function Entry({ item }: { readonly item: ListedAttention }) {
  const navigate = useNavigate()
  const wake = useIpcCommand('app.wake')
  const chip = chips[item.kind]
  const { title, text, action } = attentionText(item, useAmountText())
  const { snoozed } = item
  return (
    <li>
      <span className={snoozed === null ? tones[item.severity] : styles.needMark}>
        <Icon name={icons[item.kind]} size={20} />
      </span>
      <div>
        <h3>
          {title} {chip === undefined ? null : <Chip tone="warn">{chip}</Chip>}
        </h3>
        <p>{text}</p>
        {snoozed === null ? null : (
          <p className={textStyles.muted}>
            {snoozed.untilMs === null ? overviewText.snoozedUntilChange : overviewText.snoozedUntil(exactTime(snoozed.untilMs))}
          </p>
        )}
      </div>
      {item.untilMs === null ? null : <Countdown item={{ ...item, untilMs: item.untilMs }} />}
      {snoozed === null ? null : (
        <Button size="sm" variant="ghost" onClick={() => wake.mutate({ id: item.id })}>
          {overviewText.endSnooze}
        </Button>
      )}
      <Button size="sm" onClick={() => navigate(item.to)}>
        {action}
      </Button>
      {item.maySnooze && snoozed === null ? <SnoozeMenu item={item} title={title} /> : null}
    </li>
  )
}

interface NeedsYouProps {
  readonly items: readonly ListedAttention[] | undefined
  readonly open: boolean
  readonly setOpen: (open: boolean) => void
}

/** The items that need the user, each with one action, most harmful first. Snoozed items appear only while `open` is true. */
export function NeedsYou({ items, open, setOpen }: NeedsYouProps) {
  const awake = items?.filter(({ snoozed }) => snoozed === null)
  const counted = items?.filter(isCounted).length ?? 0
  const snoozed = items?.filter((item) => item.snoozed !== null) ?? []
  return (
    <Panel
      title={overviewText.needsYou}
      className={styles.need}
      {...(counted === 0 ? {} : { count: counted })}
      {...(snoozed.length === 0
        ? {}
        : {
            end: (
              <Button size="xs" variant="ghost" icon="clock" aria-expanded={open} onClick={() => setOpen(!open)}>
                {overviewText.snoozedCount(snoozed.length)}
              </Button>
            ),
          })}
    >
      {awake === undefined ? (
        <ul aria-busy="true">
          {[220, 180, 200].map((width) => (
            <li key={width}>
              <Skeleton width={36} height={36} />
              <div>
                <Skeleton width={width} />
              </div>
            </li>
          ))}
        </ul>
      ) : awake.length === 0 ? (
        <div className={styles.needNone}>
          <span className={cx(styles.needMark, styles.ok)}>
            <Icon name="check" size={20} />
          </span>
          <div>
            <h3>{overviewText.allClear}</h3>
            <p>{overviewText.allClearHelp}</p>
          </div>
        </div>
      ) : null}
      {awake === undefined || (awake.length === 0 && !open) ? null : (
        <ul>
          {[...awake, ...(open ? snoozed : [])].map((item) => (
            <Entry key={item.id} item={item} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Which of the first steps a new user has already completed. */
export interface FirstStepsState {
  readonly connected: boolean
  readonly signedIn: boolean
  readonly hasKey: boolean
  readonly hasOrder: boolean
}

export interface Step {
  readonly done: boolean
  /** True if the user can skip this step, because the step is not necessary any more. */
  readonly unneeded?: boolean
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly button: string
  readonly to: string
}

/** The four steps to the first order. If the user has a key, the sign-in is `unneeded`, because orders sent with a key need no sign-in. */
export const stepsOf = (state: FirstStepsState): readonly Step[] => [
  {
    done: state.connected,
    icon: 'phone',
    title: overviewText.connectYourWallet,
    text: overviewText.connectHelp,
    button: overviewText.connectWallet,
    to: 'connect',
  },
  {
    done: state.signedIn,
    unneeded: state.hasKey,
    icon: 'user',
    title: overviewText.signIn,
    text: overviewText.signInHelp,
    button: overviewText.signIn,
    to: 'sign-in',
  },
  {
    done: state.hasKey,
    icon: 'key',
    title: overviewText.createKey,
    text: overviewText.createKeyHelp,
    button: overviewText.newKey,
    to: 'keys/new',
  },
  {
    done: state.hasOrder,
    icon: 'trade',
    title: overviewText.placeOrder,
    text: overviewText.placeOrderHelp,
    button: overviewText.goToTrade,
    to: 'trade',
  },
]

/** The index of the first step that the user has not completed. */
export const nextOf = (steps: readonly Step[]): number => steps.findIndex(({ done, unneeded }) => !done && unneeded !== true)

/** Shown until the user's first order: the four steps to it. Only the next step has a button. */
export function FirstSteps({ state }: { readonly state: FirstStepsState }) {
  const navigate = useNavigate()
  const steps = stepsOf(state)
  const next = nextOf(steps)
  const done = steps.filter((step) => step.done).length
  return (
    <Panel title={overviewText.firstSteps} count={overviewText.stepsDone(done, steps.length)} className={styles.firstSteps}>
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.title}
            className={step.done ? styles.done : index === next ? styles.now : styles.later}
            aria-current={index === next ? 'step' : undefined}
          >
            <span className={styles.firstStepMark}>
              <Icon name={step.done ? 'check' : step.icon} size={20} />
            </span>
            <h3>
              <span className={textStyles.muted}>{index + 1}</span> {step.title}
            </h3>
            <p>{step.text}</p>
            {index === next ? (
              <Button variant="primary" onClick={() => navigate(step.to)}>
                {step.button}
              </Button>
            ) : (
              <span className={cx(textStyles.muted, styles.small)}>
                {step.done ? overviewText.done : step.unneeded === true ? overviewText.notNeededNow : overviewText.later}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
