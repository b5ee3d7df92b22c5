import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import textStyles from '../../kit/text.module.css'
import styles from './overview.module.css'

export interface FirstStepsState {
  readonly connected: boolean
  readonly signedIn: boolean
  readonly hasKey: boolean
  readonly hasOrder: boolean
}

interface Step {
  readonly done: boolean
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly button: string
  readonly to: string
}

const stepsOf = (state: FirstStepsState): readonly Step[] => [
  {
    done: state.connected,
    icon: 'phone',
    title: 'Connect your wallet',
    text: 'Scan one code. The wallet only signs; it moves nothing by itself.',
    button: 'Connect wallet',
    to: 'connect',
  },
  {
    done: state.signedIn || state.hasKey,
    icon: 'user',
    title: 'Sign in',
    text: 'One free signature proves that the wallet is yours. It lasts four hours.',
    button: 'Sign in',
    to: 'sign-in',
  },
  {
    done: state.hasKey,
    icon: 'key',
    title: 'Make a key',
    text: 'Choose “Trading bot” to trade: it cannot withdraw. The secret goes straight into the keychain.',
    button: 'New key',
    to: 'keys/new',
  },
  {
    done: state.hasOrder,
    icon: 'trade',
    title: 'Place an order',
    text: 'Every line is compared with your ticket before the phone is asked.',
    button: 'Go to Trade',
    to: 'trade',
  },
]

/** For somebody who has no key yet: four steps, the next one with its button. */
export function FirstSteps({ state }: { readonly state: FirstStepsState }) {
  const navigate = useNavigate()
  const steps = stepsOf(state)
  const next = steps.findIndex((step) => !step.done)
  const done = steps.filter((step) => step.done).length
  return (
    <Panel title="First steps" count={`${done} of ${steps.length}`} className={styles.firstSteps}>
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
              <span className={cx(textStyles.muted, styles.small)}>{step.done ? 'Done' : 'Then this'}</span>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
