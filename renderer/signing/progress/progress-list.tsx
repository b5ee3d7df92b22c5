import { Icon } from '../../kit/icons/icon.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { Time } from '../../kit/time/time.tsx'
import { fineDurationText } from '../../kit/time/time-text.ts'
import type { ProgressStep } from './progress.ts'

function Took({ sinceMs }: { readonly sinceMs: number }) {
  const now = useNow(1_000)
  return <span className="took">{fineDurationText(now - sinceMs)}</span>
}

/** The steps with their times; the one under way counts up. */
export function ProgressList({ steps }: { readonly steps: readonly ProgressStep[] }) {
  return (
    <ol className="steps" aria-label="Progress">
      {steps.map((step, index) => {
        const since = steps[index - 1]?.atMs ?? null
        return (
          <li key={step.label} className={step.state} aria-current={step.state === 'now' ? 'step' : undefined}>
            <span className="st-i">{step.state === 'done' ? <Icon name="check" /> : step.state === 'failed' ? <Icon name="x" /> : null}</span>
            <span>{step.label}</span>
            {step.state === 'done' ? <Time ms={step.atMs} form="clock" /> : step.state === 'now' && since !== null ? <Took sinceMs={since} /> : null}
          </li>
        )
      })}
    </ol>
  )
}
