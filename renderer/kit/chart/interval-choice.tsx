import type { Interval } from '../../../shared/ipc/reads/markets.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import { roveOnKey } from '../roving.ts'
import styles from './chart.module.css'
import { intervals } from './chart-data.ts'

/** The eight intervals of the service's candles. */
export function IntervalChoice({ value, onChange }: { readonly value: Interval; readonly onChange: (value: Interval) => void }) {
  return (
    <div className={styles.intervals} role="radiogroup" aria-label={partsText.interval} onKeyDown={(event) => roveOnKey(event, '[role=radio]', true)}>
      {intervals.map(({ id }) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look without a hidden twin
        <button key={id} type="button" role="radio" aria-checked={id === value} tabIndex={id === value ? 0 : -1} onClick={() => onChange(id)}>
          {id}
        </button>
      ))}
    </div>
  )
}
