import { useDeskCommand } from '../../ipc/use-desk.ts'
import { cx } from '../../kit/cx.ts'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { HostForm } from '../../parts/host-form.tsx'
import { FirstFrame } from './first-frame.tsx'
import { PracticeCard } from './practice-card.tsx'
import styles from './welcome.module.css'

const steps = [
  'The address is checked before anything is saved',
  'You connect a wallet by scanning a code',
  'You sign in, which is free, and make your first key',
] as const

/** The first run: an exchange by its address, or practice in one click. */
export function WelcomePage() {
  const select = useDeskCommand('profiles.select')
  const navigate = useNavigate()
  return (
    <FirstFrame>
      <section className={cx(panelStyles.panel, styles.connect, styles.choose)} aria-labelledby="welcome-title">
        <div className={styles.connectText}>
          <h1 id="welcome-title">Connect your exchange</h1>
          <p className={styles.lead}>
            Svc Desk manages the keys, agents and orders of one account per exchange. It asks the exchange who it is before anything else.
          </p>
          <ol>
            {steps.map((step, index) => (
              <li key={step}>
                <span aria-hidden="true">{index + 1}</span>
                {step}
              </li>
            ))}
          </ol>
          <HostForm
            large
            onAdded={(profile) => {
              navigate('connect')
              select.mutate({ id: profile.id })
            }}
          />
        </div>
      </section>
      <PracticeCard />
    </FirstFrame>
  )
}
