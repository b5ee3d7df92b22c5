import { useEffect, useState } from 'react'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import textStyles from '../../kit/text.module.css'
import { announcement, clockText, spokenLeft } from '../../kit/time/countdown.ts'
import countdownRingStyles from '../../kit/time/countdown-ring.module.css'
import { useNow } from '../../kit/time/now.tsx'
import { exactTime } from '../../kit/time/time-text.ts'
import styles from './signing.module.css'

const radius = 63
const length = 2 * Math.PI * radius

/** The time left to approve, as the one big thing of the waiting sheet. Says a minute, 30 and 10 seconds and the end aloud. */
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
    <span className={cx(countdownRingStyles.ringBox, styles.big)} role="timer" aria-label={spokenLeft(left)} title={`Until ${exactTime(untilMs)}`}>
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
        <small>{over ? 'time is over' : words}</small>
      </span>
      <span className={textStyles.screenReaderOnly} aria-live="polite">
        {said}
      </span>
    </span>
  )
}
