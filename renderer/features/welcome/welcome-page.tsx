import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { cx } from '../../kit/cx.ts'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { HostForm } from '../../parts/host-form.tsx'
import { RestoreButton } from '../../parts/restore-sheet.tsx'
import { appText } from '../../text/en/app.en.tsx'
import { FirstFrame } from './first-frame.tsx'
import { PracticeCard } from './practice-card.tsx'
import styles from './welcome.module.css'

const steps = [appText.stepAddress, appText.stepWallet, appText.stepKey] as const

/** The first run: connect an exchange by its address, or start practice mode with one click. */
export function WelcomePage() {
  const select = useIpcCommand('profiles.select')
  const navigate = useNavigate()
  return (
    <FirstFrame topic="welcome">
      <section className={cx(panelStyles.panel, styles.connect, styles.choose)} aria-labelledby="welcome-title">
        <div className={styles.connectText}>
          <h1 id="welcome-title">{appText.welcomeTitle}</h1>
          <p className={styles.lead}>{appText.welcomeLead}</p>
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
          <div className={styles.restore}>
            <p>{appText.welcomeRestore}</p>
            <RestoreButton />
          </div>
        </div>
      </section>
      <PracticeCard />
    </FirstFrame>
  )
}
