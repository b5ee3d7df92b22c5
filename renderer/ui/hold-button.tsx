import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { useClock } from './now.tsx'

interface HoldButtonProps {
  readonly label: string
  readonly icon?: IconName
  /** How long it has to be held. */
  readonly holdMs?: number
  readonly disabled?: boolean
  readonly onHeld: () => void
}

/** A button that works only when it is held, by pointer or by Space or Enter. Letting go early changes nothing. */
export function HoldButton({ label, icon = 'trash', holdMs = 2_000, disabled = false, onHeld }: HoldButtonProps) {
  const clock = useClock()
  const [leftMs, setLeftMs] = useState<number | null>(null)
  const stop = useRef<(() => void) | null>(null)
  const release = () => {
    stop.current?.()
    stop.current = null
    setLeftMs(null)
  }
  useEffect(() => () => stop.current?.(), [])
  const hold = () => {
    if (disabled || stop.current !== null) return
    const start = clock.monotonic()
    setLeftMs(holdMs)
    const timer = setInterval(() => {
      const left = holdMs - (clock.monotonic() - start)
      if (left > 0) {
        setLeftMs(left)
        return
      }
      release()
      onHeld()
    }, 50)
    stop.current = () => clearInterval(timer)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat) hold()
  }
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  return (
    <button
      type="button"
      className="btn lg danger-fill block hold"
      disabled={disabled}
      aria-label={`${label}. Hold for ${holdMs / 1_000} seconds`}
      onPointerDown={hold}
      onPointerUp={release}
      onPointerLeave={release}
      onKeyDown={onKeyDown}
      onKeyUp={release}
      onBlur={release}
    >
      <span className="hold-f" style={{ width: leftMs === null ? '0%' : `${((holdMs - leftMs) / holdMs) * 100}%` }} />
      <span className="hold-t">
        <Icon name={icon} />
        {leftMs === null ? `${label}: hold for ${holdMs / 1_000} s` : `Hold, ${seconds(leftMs)} s left`}
      </span>
    </button>
  )
}
