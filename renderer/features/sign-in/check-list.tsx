import type { Check } from '../../../shared/ipc/intents/signing.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { shorten } from '../../kit/short.ts'
import { useNow } from '../../kit/time/now.tsx'
import { fineDurationText } from '../../kit/time/time-text.ts'

const verdicts: Readonly<Record<Check['verdict'], { readonly icon: IconName; readonly word: string; readonly tone: string }>> = {
  pass: { icon: 'check', word: 'passes', tone: 'ok-t' },
  fail: { icon: 'x', word: 'does not pass', tone: 'danger-t' },
  missing: { icon: 'unknown', word: 'not found in the message', tone: 'warn-t' },
}

function Value({ value }: { readonly value: string }) {
  const now = useNow()
  const moment = /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(moment)) return <span title={value}>{moment > now ? `in ${fineDurationText(moment - now)}` : 'over'}</span>
  const wire = /^(0x)?[0-9a-fA-F]{8,}$/.test(value) || /^[\w.-]+(:\d+)?$/.test(value)
  const shown = value.length > 24 ? shorten(value) : value
  return wire ? <code title={value}>{shown}</code> : <span title={value}>{shown}</span>
}

/** Each check with its number in the message, what was found, and what it says. */
export function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <section className="cks" aria-label="What was checked">
      <h3>
        <Icon name="shield-check" size={14} />
        What was checked
      </h3>
      <ol>
        {checks.map((check, index) => {
          const { icon, word, tone } = verdicts[check.verdict]
          return (
            <li key={check.id} className={check.verdict} data-check={check.id}>
              <em aria-hidden="true">{index + 1}</em>
              <div>
                <p>
                  <b>{check.label}</b>
                  {check.value === null ? null : <Value value={check.value} />}
                </p>
                <p className="sub">{check.note}</p>
              </div>
              <Icon name={icon} className={tone} label={word} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
