import type { HistoryFilter } from '../../../shared/ipc/reads/account-history.ts'
import { day } from '../../../shared/time.ts'
import { Button } from '../../kit/button.tsx'
import { Input } from '../../kit/input.tsx'
import styles from './account.module.css'
import { MarketAndSide, PickFilter } from './pick-filter.tsx'

export const noFilter: HistoryFilter = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' }
export const isFiltered = (filter: HistoryFilter): boolean => JSON.stringify(filter) !== JSON.stringify(noFilter)

const dateOf = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString().slice(0, 10))
const startOf = (date: string): number | null => (date === '' ? null : Date.parse(`${date}T00:00:00Z`))

interface HistoryFiltersProps {
  readonly filter: HistoryFilter
  readonly onChange: (filter: HistoryFilter) => void
  readonly symbols: readonly string[]
  readonly states: readonly string[]
}

/** Which rows of a table are shown: by market, side, state, days of UTC and words. */
export function HistoryFilters({ filter, onChange, symbols, states }: HistoryFiltersProps) {
  const set = (change: Partial<HistoryFilter>) => onChange({ ...filter, ...change })
  return (
    <search className={styles.filters}>
      <Input
        id="h-text"
        icon="search"
        value={filter.text}
        onChange={(text) => set({ text })}
        placeholder="Market, id or hash"
        aria-label="Filter the rows"
        maxLength={200}
      />
      <MarketAndSide symbols={symbols} symbol={filter.symbol} side={filter.side} onChange={set} />
      {states.length === 0 ? null : (
        <PickFilter
          label="State"
          all="All states"
          choices={states.map((one) => [one, one.replaceAll('_', ' ')])}
          value={filter.state}
          onChange={(state) => set({ state })}
        />
      )}
      <label className={styles.tableDate}>
        <span>From</span>
        <input type="date" value={dateOf(filter.fromMs)} aria-label="From this day, UTC" onChange={({ target }) => set({ fromMs: startOf(target.value) })} />
      </label>
      <label className={styles.tableDate}>
        <span>to</span>
        <input
          type="date"
          value={dateOf(filter.toMs === null ? null : filter.toMs - day)}
          aria-label="To this day, UTC"
          onChange={({ target }) => {
            const start = startOf(target.value)
            set({ toMs: start === null ? null : start + day })
          }}
        />
        <span>UTC</span>
      </label>
      {isFiltered(filter) ? (
        <Button size="sm" variant="ghost" icon="x" onClick={() => onChange(noFilter)}>
          Clear
        </Button>
      ) : null}
    </search>
  )
}
