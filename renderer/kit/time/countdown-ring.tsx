import { useEffect, useRef, useState } from 'react'
import { kitText } from '../../text/en/kit.en.tsx'
import { cx } from '../cx.ts'
import { Icon } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
import countdownRingStyles from './countdown-ring.module.css'
import { titleTime, useNow, useStillBefore } from './time.tsx'

const strokes = { 16: 2.5, 20: 2.5, 44: 3, 56: 4 } as const

interface RingProps {
  /** The filled share of the ring, from 0 to 1. */
  readonly share: number
  readonly size?: 16 | 20 | 44 | 56
  readonly warn?: boolean
}

/** A ring of which `share` is filled, for the time left. */
export function Ring({ share, size = 16, warn = false }: RingProps) {
  const stroke = strokes[size]
  const radius = (size - stroke) / 2 - (size > 20 ? 0 : 0.5)
  const length = 2 * Math.PI * radius
  const left = Math.min(Math.max(share, 0), 1)
  const middle = size / 2
  return (
    <svg
      className={warn ? cx(countdownRingStyles.ring, countdownRingStyles.warn) : countdownRingStyles.ring}
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      aria-hidden="true"
    >
      <circle className={countdownRingStyles.ringTrack} cx={middle} cy={middle} r={radius} strokeWidth={stroke} />
      {left === 0 ? null : (
        <circle
          className={countdownRingStyles.ringLeft}
          cx={middle}
          cy={middle}
          r={radius}
          strokeWidth={stroke}
          strokeDasharray={`${(left * length).toFixed(2)} ${length.toFixed(2)}`}
          transform={`rotate(-90 ${middle} ${middle})`}
        />
      )}
    </svg>
  )
}

interface CountdownRingProps {
  readonly untilMs: number
  /** The whole duration in milliseconds. The ring warns in the last fifth of this time. */
  readonly totalMs: number
  readonly size?: 16 | 20 | 44 | 56
  readonly onEnd?: () => void
}

/**
 * Shows the time left inside a ring. Warns in the last fifth of the time, and shows an hourglass at the end.
 * Screen readers announce only one minute, 30 seconds, 10 seconds and the end.
 */
export function CountdownRing({ untilMs, totalMs, size = 44, onEnd }: CountdownRingProps) {
  const left = untilMs - useNow(1_000)
  const over = left <= 0
  const warn = !over && left < totalMs / 5
  const spoken = announcement(left)
  const [said, setSaid] = useState('')
  // Unlike the shown time, the end also comes while the user cannot see the window.
  const isEnded = !useStillBefore(untilMs)
  const ended = useRef(false)
  useEffect(() => {
    if (spoken !== null) setSaid(spoken)
  }, [spoken])
  useEffect(() => {
    if (!isEnded || ended.current) return
    ended.current = true
    onEnd?.()
  }, [isEnded, onEnd])
  return (
    <span className={countdownRingStyles.ringBox} role="timer" aria-label={spokenLeft(left)} title={kitText.until(titleTime(untilMs))}>
      <Ring share={over ? 0 : left / totalMs} size={size} warn={warn} />
      {size < 44 ? null : over ? (
        <b className={textStyles.muted}>
          <Icon name="hourglass" />
        </b>
      ) : (
        <b className={warn ? textStyles.warn : undefined}>{clockText(left)}</b>
      )}
      <span className={textStyles.screenReaderOnly} aria-live="polite">
        {said}
      </span>
    </span>
  )
}

/** Formats the time left as `4:41`, or `1:02:09` from one hour on. Never below zero. */
export function clockText(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / 1_000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60)
  return minutes < 60 ? `${minutes}:${seconds}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
}

/** The time left in words, for screen readers: "4 minutes 41 seconds left". */
export function spokenLeft(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / 1_000))
  if (total === 0) return kitText.timeIsUp
  return kitText.timeLeft(Math.floor(total / 3_600), Math.floor((total % 3_600) / 60), total % 60)
}

/** What screen readers announce at one minute, 30 seconds, ten seconds and the end; otherwise `null`. */
export function announcement(leftMs: number): string | null {
  const total = Math.max(0, Math.ceil(leftMs / 1_000))
  if (total === 0) return kitText.timeIsUp
  return total === 60 ? kitText.oneMinuteLeft : total === 30 ? kitText.thirtySecondsLeft : total === 10 ? kitText.tenSecondsLeft : null
}
