import { type ReactNode, useId, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { day, minute } from '../../../../shared/time.ts'
import { Button } from '../../../kit/button.tsx'
import { ScopeChips } from '../../../kit/chip.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Field, Input } from '../../../kit/input.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { DateField, dayAt, startOfDay } from '../../../kit/time/date-field.tsx'
import { dayText, useNow } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { labelHelp, labelLimit } from '../create/new-key-form.ts'
import { notSaid } from '../key-facts.tsx'
import styles from './replace.module.css'

export interface PlanState {
  /** The new key's label. If empty, the new key gets the old key's label with the next number. */
  readonly label: string
  readonly days: 'same' | '30' | '90' | '180' | '360'
  readonly when: 'now' | 'later'
  readonly date: string
}

export const emptyPlan: PlanState = { label: '', days: 'same', when: 'now', date: '' }

/** Local midnight of the chosen start day; `null` if no valid day is chosen. */
export const beginOf = ({ when, date }: PlanState): number | null => (when === 'now' || date === '' ? null : startOfDay(date))

/** How long before the old key expires a replacement should start, to leave time for the handover. */
const ahead = 7 * day

/** The suggested start date of a replacement: early enough before the old key expires, but tomorrow at the earliest. */
export function dateInTime(oldExpiresAtMs: number | null, nowMs: number): string {
  const inTime = oldExpiresAtMs === null ? nowMs + ahead : oldExpiresAtMs - ahead
  return dayAt(Math.max(inTime, nowMs + day))
}

interface PlanProps {
  readonly plan: PlanState
  readonly onChange: (plan: PlanState) => void
  readonly oldLabel: string
  readonly oldExpiresAtMs: number | null
}

/** The form for planning a replacement: the new key's name, its lifetime and the start. Everything else is copied from the old key. */
export function ReplacePlan({ plan, onChange, oldLabel, oldExpiresAtMs }: PlanProps) {
  const id = useId()
  const now = useNow(minute)
  const suggested = dateInTime(oldExpiresAtMs, now)
  const begins = beginOf(plan)
  const late = begins !== null && oldExpiresAtMs !== null && begins >= oldExpiresAtMs
  return (
    <div className={styles.replaceForm}>
      <Field id={`${id}-name`} label={keysText.newKeyName} end={keysText.newKeyNameHint} help={labelHelp(plan.label, `${oldLabel} 2`)}>
        <Input id={`${id}-name`} value={plan.label} onChange={(label) => onChange({ ...plan, label })} placeholder={`${oldLabel} 2`} maxLength={labelLimit} />
      </Field>
      <div className={controlsStyles.field}>
        <span className={controlsStyles.label}>{keysText.validity}</span>
        <Segments
          label={keysText.validity}
          choices={[
            { value: 'same', label: keysText.sameAsOld },
            { value: '30', label: keysText.dayCount(30) },
            { value: '90', label: keysText.dayCount(90) },
            { value: '180', label: keysText.dayCount(180) },
            { value: '360', label: keysText.dayCount(360) },
          ]}
          value={plan.days}
          onChange={(days) => onChange({ ...plan, days })}
        />
      </div>
      <div className={controlsStyles.field}>
        <span className={controlsStyles.label}>{keysText.start}</span>
        <div className={styles.replaceWhen}>
          <Segments
            label={keysText.start}
            choices={[
              { value: 'now', label: keysText.now },
              { value: 'later', label: keysText.onADate },
            ]}
            value={plan.when}
            onChange={(when) => onChange({ ...plan, when, date: when === 'later' && plan.date === '' ? suggested : plan.date })}
          />
          {plan.when === 'now' ? null : (
            <DateField
              id={`${id}-date`}
              label={keysText.startDate}
              min={dayAt(now)}
              value={plan.date}
              onChange={(date) => onChange({ ...plan, date })}
              invalid={begins === null || late}
            />
          )}
        </div>
        {plan.when === 'now' ? null : (
          <p className={late ? cx(controlsStyles.help, controlsStyles.warn) : controlsStyles.help}>
            {begins === null ? keysText.chooseADay : late ? keysText.expiresBeforeStart(oldLabel) : keysText.nothingBeforeStart(dayText(begins, now))}
          </p>
        )}
      </div>
    </div>
  )
}

interface FootProps {
  readonly replacement: Replacement
  readonly busy: boolean
  readonly onAbandon: (newKey: 'keep' | 'revoke') => void
  readonly onClose: () => void
}

/**
 * The buttons that close the sheet or abandon the replacement. After abandoning, the old key stays. The user chooses whether to keep or revoke the
 * new key.
 */
export function ReplaceFoot({ replacement, busy, onAbandon, onClose }: FootProps) {
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const { newKey, oldKey } = replacement
  const mayAbandon = replacement.next.includes('abandon')
  if (asks && mayAbandon) {
    return (
      <SheetFoot
        verdict={
          <p className={textStyles.secondary}>
            <b>{keysText.staysUnchanged(oldKey.label)}</b> {newKey === null ? keysText.nothingCreated : keysText.whatAboutNewKey(newKey.label)}
          </p>
        }
      >
        <Button autoFocus onClick={() => setAsks(false)}>
          {keysText.continueReplacement}
        </Button>
        {newKey === null ? (
          <Button variant="danger" busy={busy} onClick={() => onAbandon('keep')}>
            {keysText.abandonReplacement}
          </Button>
        ) : (
          <>
            <Button busy={busy} onClick={() => onAbandon('keep')}>
              {keysText.keepNewKey}
            </Button>
            <Button variant="danger" icon="trash" busy={busy} onClick={() => onAbandon('revoke')}>
              {keysText.revokeNewKey}
            </Button>
          </>
        )}
      </SheetFoot>
    )
  }
  return (
    <SheetFoot
      verdict={
        mayAbandon ? (
          <Button variant="ghost" onClick={() => setAsks(true)}>
            {keysText.abandon}
          </Button>
        ) : null
      }
    >
      {mayAbandon ? <span className={textStyles.muted}>{keysText.canComeBackLater}</span> : null}
      <Button onClick={onClose} kbd={[keysText.esc]}>
        {keysText.close}
      </Button>
      {replacement.now.state === 'done' && newKey !== null ? (
        <Button variant="primary" icon="key" onClick={() => navigate(`keys/${newKey.id}`)}>
          {keysText.openNamed(newKey.label)}
        </Button>
      ) : null}
    </SheetFoot>
  )
}

type Plan = Replacement['plan']

/** The plan of a replacement that does not exist yet: its choices, and the settings copied from the old key. */
export const planOf = (
  entry: KeySummary,
  /** The new key's label. If `null`, the new key gets the old key's label with the next number. */
  label: string | null,
  days: number | null,
): Omit<Plan, 'expiresInDays' | 'label' | 'ipAllowlist'> & {
  readonly label: string | null
  readonly expiresInDays: number | null
  /** `null`: the service does not list the addresses. */
  readonly ipAllowlist: Plan['ipAllowlist'] | null
} => ({
  label,
  scopes: entry.scopes ?? [],
  expiresInDays: days,
  ipAllowlist: entry.allowlist,
  quotas: entry.quotas ?? [],
  executor: entry.executor,
  agent: entry.agent === null || entry.agent.granted === false ? 'none' : 'with_key',
})

const agentWords: Readonly<Record<Plan['agent'], ReactNode>> = {
  none: <span className={textStyles.muted}>{keysText.none}</span>,
  with_key: keysText.newAgentGranted,
  after_key: keysText.newAgentGranted,
}

export function ReplaceGets({ plan, newKey }: { readonly plan: ReturnType<typeof planOf>; readonly newKey: Replacement['newKey'] }) {
  return (
    <aside className={styles.replaceGets} aria-label={keysText.newKeySettings}>
      <h3>{keysText.newKeyHeading}</h3>
      <Rows ruled>
        <Row name={keysText.name}>
          {newKey === null && plan.label === null ? (
            keysText.oldNameNextNumber
          ) : (
            <b className={cx(textStyles.name, textStyles.cut)}>{newKey?.label ?? plan.label}</b>
          )}
        </Row>
        {newKey === null ? null : (
          <Row name={keysText.id}>
            <CodeId id={newKey.id} />
          </Row>
        )}
        <Row name={keysText.scopes}>
          <ScopeChips scopes={plan.scopes} />
        </Row>
        <Row name={keysText.validity}>{plan.expiresInDays === null ? keysText.daysLeft : keysText.dayCount(plan.expiresInDays)}</Row>
        <Row name={keysText.allowlist}>
          {plan.ipAllowlist === null ? (
            notSaid
          ) : plan.ipAllowlist.length === 0 ? (
            <span className={textStyles.warn}>{keysText.anyAddress}</span>
          ) : (
            <span className={styles.replaceIps}>
              {plan.ipAllowlist.map((range) => (
                <code key={range}>{range}</code>
              ))}
            </span>
          )}
        </Row>
        {plan.quotas.length === 0 ? (
          <Row name={keysText.limitsTitle}>
            <span className={textStyles.muted}>{keysText.serviceDefault}</span>
          </Row>
        ) : (
          plan.quotas.map(({ name, value }) => (
            <Row key={name} name={keysText.limitNamed(name.replaceAll('_', ' '))}>
              {value}
            </Row>
          ))
        )}
        <Row name={keysText.agent}>{agentWords[plan.agent]}</Row>
        <Row name={keysText.executor}>{plan.executor === null ? <span className={textStyles.muted}>{keysText.none}</span> : <code>{plan.executor}</code>}</Row>
      </Rows>
    </aside>
  )
}
