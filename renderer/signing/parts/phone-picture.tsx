import type { ReactNode } from 'react'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import { shorten } from '../../kit/short.ts'
import textStyles from '../../kit/text.module.css'
import { useNow } from '../../kit/time/now.tsx'
import { timeOfDay } from '../../kit/time/time-text.ts'
import type { PhoneCheck } from './phone-checks.ts'
import styles from './signing.module.css'
import type { SigningMessage } from './signing-message.ts'

function Frame({ children }: { readonly children: ReactNode }) {
  const now = useNow(10_000)
  return (
    <div className={styles.mini} aria-hidden="true">
      <div className={styles.miniIn}>
        <div className={styles.miniTop}>
          <span>{timeOfDay(now).slice(0, 5)}</span>
          <span className={styles.miniIsland} />
          <span className={styles.miniBattery} />
        </div>
        {children}
      </div>
    </div>
  )
}

/** What the phone is about to show, with the values to look for numbered. A picture: screen readers get the list beside it. */
export function PhonePicture({ checks, thing }: { readonly checks: readonly PhoneCheck[]; readonly thing: SigningMessage['thing'] }) {
  return (
    <Frame>
      <p className={styles.miniApp}>
        <Logo />
        <b>Svc Desk</b>
        <span className={textStyles.muted}>{thing === 'transaction' ? 'asks to send' : 'asks to sign'}</span>
      </p>
      <dl>
        {checks.map((check, index) => (
          <div className={styles.hit} key={check.field}>
            <dt>{check.field}</dt>
            <dd>
              {check.code ? <span className={textStyles.mono}>{shorten(check.value)}</span> : check.value}
              <em>{index + 1}</em>
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.miniButtons}>
        <span>Reject</span>
        <span className={styles.yes}>Approve</span>
      </div>
    </Frame>
  )
}

/** The phone once it has answered, or once it no longer matters. */
export function PhoneAnswer({ tone, icon, text }: { readonly tone: 'ok' | 'danger' | 'off'; readonly icon: IconName; readonly text: string }) {
  return (
    <Frame>
      <div className={cx(styles.miniDone, styles[tone])}>
        <span>
          <Icon name={icon} />
        </span>
        {text}
      </div>
    </Frame>
  )
}
