import type { ReactNode } from 'react'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { HelpButton, type HelpTopic } from '../../parts/help/help-link.tsx'
import { HostForm } from '../../parts/host-form.tsx'
import partsStyles from '../../parts/parts.module.css'
import { RestoreButton } from '../../parts/restore-sheet.tsx'
import { appText } from '../../text/en/app.en.tsx'
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

const facts: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  { icon: 'lock', title: appText.promiseKeychain, text: appText.promiseKeychainText },
  { icon: 'shield-check', title: appText.promiseSigning, text: appText.promiseSigningText },
  { icon: 'doc', title: appText.promiseOrders, text: appText.promiseOrdersText },
]

/** The frame of the window until an exchange and a wallet are connected. `children` is the current step; the app's promises are below it. */
export function FirstFrame({ topic, end, children }: { readonly topic: HelpTopic; readonly end?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.firstRun}>
      <header>
        <span className={partsStyles.brand}>
          <Logo />
          {appText.svcDesk}
        </span>
        <span className={panelStyles.end}>
          {end}
          <HelpButton topic={topic} over />
        </span>
      </header>
      <main>
        {children}
        <ul className={styles.facts}>
          {facts.map(({ icon, title, text }) => (
            <li key={title}>
              <Icon name={icon} size={20} />
              <div>
                <b>{title}</b>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}
