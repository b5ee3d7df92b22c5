import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { roveOnKey } from '../roving.ts'
import styles from './segments.module.css'

export interface Choice<V extends string> {
  readonly value: V
  readonly label: ReactNode
  readonly disabled?: boolean
  /** Why it cannot be chosen. */
  readonly why?: string | null
}

interface SegmentsProps<V extends string> {
  readonly label: string
  readonly choices: readonly Choice<V>[]
  readonly value: V
  readonly onChange: (value: V) => void
  readonly block?: boolean
  readonly size?: 'sm' | 'md'
}

/** One of a few, all in sight: a radio group. */
export function Segments<V extends string>({ label, choices, value, onChange, block = false, size = 'sm' }: SegmentsProps<V>) {
  return (
    <div
      className={cx(styles.segments, block ? styles.block : '', size === 'md' ? styles.medium : '')}
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => roveOnKey(event, '[role=radio]:not(:disabled)', true)}
    >
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look without a hidden twin
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          disabled={choice.disabled === true || (choice.why != null && choice.value !== value)}
          title={choice.why ?? undefined}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
