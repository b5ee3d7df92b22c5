import type { ReactNode } from 'react'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { HelpButton, type HelpTopic } from '../../parts/help/help-link.tsx'
import partsStyles from '../../parts/parts.module.css'
import { appText } from '../../text/en/app.en.tsx'
import styles from './welcome.module.css'

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
