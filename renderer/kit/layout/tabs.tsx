import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { roveOnKey } from '../roving.ts'
import styles from './segments.module.css'

export interface Tab<V extends string> {
  readonly value: V
  readonly label: ReactNode
  readonly count?: number | string
  readonly warn?: boolean
  /** The reason why the tab cannot be chosen; unset if it can be. */
  readonly why?: string | null
}

interface TabsProps<V extends string> {
  readonly label: string
  readonly tabs: readonly Tab<V>[]
  readonly value: V
  readonly onChange: (value: V) => void
  /** The prefix of two ids: the tabs have `<id>-tab-<value>` and the panel `<id>-panel`, and each refers to the other. */
  readonly id: string
  /** `segments`: draws the tabs as segments instead of underlined words. */
  readonly look?: 'tabs' | 'segments'
}

export function Tabs<V extends string>({ label, tabs, value, onChange, id, look = 'tabs' }: TabsProps<V>) {
  return (
    <div
      className={look === 'tabs' ? styles.tabs : cx(styles.segments, styles.block, styles.medium)}
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => roveOnKey(event, '[role=tab]:not(:disabled)', true)}
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${id}-tab-${tab.value}`}
          aria-selected={tab.value === value}
          aria-controls={`${id}-panel`}
          tabIndex={tab.value === value ? 0 : -1}
          disabled={tab.why != null && tab.value !== value}
          title={tab.why ?? undefined}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
          {tab.count === undefined ? null : <span className={tab.warn ? cx(styles.count, styles.warn) : styles.count}>{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}

export function TabPanel({
  id,
  value,
  className,
  children,
}: {
  readonly id: string
  readonly value: string
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${value}`} className={className}>
      {children}
    </div>
  )
}

interface Choice<V extends string> {
  readonly value: V
  readonly label: ReactNode
  readonly lang?: string
  readonly disabled?: boolean
  /** The reason why the choice is not available; unset if it is. */
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

/** A choice among a few options, all visible. A radio group for screen readers. */
export function Segments<V extends string>({ label, choices, value, onChange, block = false, size = 'sm' }: SegmentsProps<V>) {
  // If nothing is chosen, Tab reaches the first choice.
  const reached = choices.some((choice) => choice.value === value) ? value : choices[0]?.value
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
          lang={choice.lang}
          translate={choice.lang === undefined ? undefined : 'no'}
          tabIndex={choice.value === reached ? 0 : -1}
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
