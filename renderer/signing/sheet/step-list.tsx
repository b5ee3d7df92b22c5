import { Icon } from '../../kit/icons/icon.tsx'
import type { SigningStep } from '../parts/signing-message.ts'

const said: Readonly<Record<SigningStep['state'], string>> = { done: 'done', now: 'this one', next: 'comes after', failed: 'failed' }

/** Several transactions of one action, one press for each. Draws nothing where there is one only. */
export function StepList({ steps }: { readonly steps: readonly SigningStep[] }) {
  if (steps.length < 2) return null
  return (
    <ol className="sign-steps" aria-label="Transactions">
      {steps.map((step, index) => (
        <li key={step.label} className={step.state} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="ss-i">
            {step.state === 'done' ? <Icon name="check" size={12} /> : step.state === 'failed' ? <Icon name="x" size={12} /> : index + 1}
          </span>
          <span className="ss-t">
            {step.label}
            <span className="sr">, {said[step.state]}</span>
          </span>
          {step.note === null ? null : <span className="ss-n">{step.note}</span>}
        </li>
      ))}
    </ol>
  )
}
