import type { ReactNode } from 'react'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import partsStyles from '../../parts/parts.module.css'
import styles from './welcome.module.css'

const facts: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  { icon: 'lock', title: 'Secrets stay in the keychain', text: 'API keys go from the service into the system keychain. No page ever holds one.' },
  { icon: 'shield-check', title: 'You sign what you meant', text: 'Every message is compared with your order, line by line, before the wallet sees it.' },
  { icon: 'doc', title: 'Nothing lost, nothing doubled', text: 'Each intent is written down before it leaves. A crash ends in a known state.' },
]

/** The window before there is anything to manage: two panels and what the app promises. */
export function FirstFrame({ end, children }: { readonly end?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.firstRun}>
      <header>
        <span className={partsStyles.brand}>
          <Logo />
          Svc Desk
        </span>
        <span className={panelStyles.end}>{end}</span>
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
