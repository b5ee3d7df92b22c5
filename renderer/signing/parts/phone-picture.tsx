import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import textStyles from '../../kit/text.module.css'
import countdownRingStyles from '../../kit/time/countdown-ring.module.css'
import { announcement, clockText, spokenLeft } from '../../kit/time/countdown-ring.tsx'
import { minuteOfDay, titleTime, useNow } from '../../kit/time/time.tsx'
import { WholeHex } from '../../parts/line-value.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import type { PhoneCheck } from './phone-checks.ts'
import styles from './signing.module.css'
import type { SigningMessage } from './signing-message.ts'

function Frame({ children }: { readonly children: ReactNode }) {
  const now = useNow(10_000)
  return (
    <div className={styles.mini} data-part="phone" aria-hidden="true">
      <div className={styles.miniIn}>
        <div className={styles.miniTop}>
          <span>{minuteOfDay(now)}</span>
          <span className={styles.miniIsland} />
          <span className={styles.miniBattery} />
        </div>
        {children}
      </div>
    </div>
  )
}

/** Draws the screen that the phone is about to show, and numbers the values to look for. Screen readers get the list beside the picture. */
export function PhonePicture({ checks, thing }: { readonly checks: readonly PhoneCheck[]; readonly thing: SigningMessage['thing'] }) {
  return (
    <Frame>
      <p className={styles.miniApp}>
        <Logo />
        <b>{signingText.appName}</b>
        <span className={textStyles.muted}>{thing === 'transaction' ? signingText.asksToSend : signingText.asksToSign}</span>
      </p>
      <dl>
        {checks.map((check, index) => (
          <div className={styles.hit} key={check.field}>
            <dt>{check.field}</dt>
            <dd>
              {check.code ? <WholeHex hex={check.value} /> : check.value}
              <em>{index + 1}</em>
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.miniButtons}>
        <span>{signingText.reject}</span>
        <span className={styles.yes}>{signingText.approve}</span>
      </div>
    </Frame>
  )
}

/** Draws the phone with its answer, or with a note that the answer no longer matters. */
export function PhoneAnswer({ tone, icon, text }: { readonly tone: 'ok' | 'off'; readonly icon: IconName; readonly text: string }) {
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

const radius = 63
const length = 2 * Math.PI * radius

/** The large countdown of the time left to approve. Screen readers announce one minute, 30 seconds, 10 seconds and the end. */
export function BigCountdown({ untilMs, totalMs, words }: { readonly untilMs: number; readonly totalMs: number; readonly words: string }) {
  const left = untilMs - useNow(1_000)
  const over = left <= 0
  const spoken = announcement(left)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (spoken !== null) setSaid(spoken)
  }, [spoken])
  const share = Math.min(Math.max(left / totalMs, 0), 1)
  const warn = !over && share < 0.2
  return (
    <span className={cx(countdownRingStyles.ringBox, styles.big)} role="timer" aria-label={spokenLeft(left)} title={signingText.until(titleTime(untilMs))}>
      <svg
        className={warn ? cx(countdownRingStyles.ring, countdownRingStyles.warn) : countdownRingStyles.ring}
        width="132"
        height="132"
        viewBox="0 0 132 132"
        aria-hidden="true"
      >
        <circle className={countdownRingStyles.ringTrack} cx="66" cy="66" r={radius} strokeWidth="6" />
        {over ? null : (
          <circle
            className={countdownRingStyles.ringLeft}
            cx="66"
            cy="66"
            r={radius}
            strokeWidth="6"
            strokeDasharray={`${(share * length).toFixed(2)} ${length.toFixed(2)}`}
            transform="rotate(-90 66 66)"
          />
        )}
      </svg>
      <span>
        {over ? (
          <b className={textStyles.muted}>
            <Icon name="hourglass" size={20} />
          </b>
        ) : (
          <b className={warn ? textStyles.warn : undefined}>{clockText(left)}</b>
        )}
        <small>{over ? signingText.timeIsOver : words}</small>
      </span>
      <span className={textStyles.screenReaderOnly} aria-live="polite">
        {said}
      </span>
    </span>
  )
}
