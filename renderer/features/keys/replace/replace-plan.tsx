import { useId } from 'react'
import { day, minute } from '../../../../shared/time.ts'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import { useNow } from '../../../kit/time/now.tsx'
import { dayText } from '../../../kit/time/time-text.ts'
import { labelHelp, labelLimit } from '../create/new-key-form.ts'
import styles from './replace.module.css'

export interface PlanState {
  /** Empty: the old one's with the next number. */
  readonly label: string
  readonly days: 'same' | '30' | '90' | '180' | '360'
  readonly when: 'now' | 'later'
  /** `2026-12-24`, in the time of this computer; empty while none is chosen. */
  readonly date: string
}

export const emptyPlan: PlanState = { label: '', days: 'same', when: 'now', date: '' }

/** Midnight of the chosen day on this computer; null where none is, or it is no day. */
export function beginOf({ when, date }: PlanState): number | null {
  const ms = when === 'now' || date === '' ? Number.NaN : new Date(`${date}T00:00`).getTime()
  return Number.isNaN(ms) ? null : ms
}

const two = (number: number): string => String(number).padStart(2, '0')
/** As a date field takes it. */
const dateOf = (ms: number): string => {
  const at = new Date(ms)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Days before the end that leave time to hand a key over. */
const ahead = 7 * day

/** A day, as a date field takes it, on which there is still time to hand the new key over; tomorrow at the earliest. */
export function dateInTime(oldExpiresAtMs: number | null, nowMs: number): string {
  const inTime = oldExpiresAtMs === null ? nowMs + ahead : oldExpiresAtMs - ahead
  return dateOf(Math.max(inTime, nowMs + day))
}

interface PlanProps {
  readonly plan: PlanState
  readonly onChange: (plan: PlanState) => void
  readonly oldLabel: string
  readonly oldExpiresAtMs: number | null
}

/** What may be chosen about a replacement; all else is as the old key has it. */
export function ReplacePlan({ plan, onChange, oldLabel, oldExpiresAtMs }: PlanProps) {
  const id = useId()
  const now = useNow(minute)
  const suggested = dateInTime(oldExpiresAtMs, now)
  const begins = beginOf(plan)
  const late = begins !== null && oldExpiresAtMs !== null && begins >= oldExpiresAtMs
  return (
    <div className={styles.replaceForm}>
      <Field id={`${id}-name`} label="Name of the new key" end="Empty: the next number" help={labelHelp(plan.label, `${oldLabel} 2`)}>
        <Input id={`${id}-name`} value={plan.label} onChange={(label) => onChange({ ...plan, label })} placeholder={`${oldLabel} 2`} maxLength={labelLimit} />
      </Field>
      <div className={controlsStyles.field}>
        <span className={controlsStyles.label}>Validity</span>
        <Segments
          label="Validity"
          choices={[
            { value: 'same', label: 'What is left' },
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
            { value: '180', label: '180 days' },
            { value: '360', label: '360 days' },
          ]}
          value={plan.days}
          onChange={(days) => onChange({ ...plan, days })}
        />
      </div>
      <div className={controlsStyles.field}>
        <span className={controlsStyles.label}>Begin</span>
        <div className={styles.replaceWhen}>
          <Segments
            label="Begin"
            choices={[
              { value: 'now', label: 'Now' },
              { value: 'later', label: 'On a date' },
            ]}
            value={plan.when}
            onChange={(when) => onChange({ ...plan, when, date: when === 'later' && plan.date === '' ? suggested : plan.date })}
          />
          {plan.when === 'now' ? null : (
            <Input
              id={`${id}-date`}
              type="date"
              aria-label="Begin on"
              min={dateOf(now)}
              value={plan.date}
              onChange={(date) => onChange({ ...plan, date })}
              invalid={begins === null || late}
            />
          )}
        </div>
        {plan.when === 'now' ? null : (
          <p className={late ? cx(controlsStyles.help, controlsStyles.warn) : controlsStyles.help}>
            {begins === null
              ? 'Choose a day.'
              : late
                ? `${oldLabel} ends before that, and its bots with it.`
                : `Nothing is made before. From ${dayText(begins, now)} on, Overview and Keys remind you of it.`}
          </p>
        )}
      </div>
    </div>
  )
}
