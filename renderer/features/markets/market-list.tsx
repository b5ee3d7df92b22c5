import { useMemo, useState } from 'react'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { Button } from '../../kit/button.tsx'
import { Input } from '../../kit/input.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { Segments } from '../../kit/layout/segments.tsx'
import { useFavourites } from './favourite-star.tsx'
import { marketRows, matches } from './market-rows.ts'
import { MarketTable } from './market-table.tsx'

interface MarketListProps {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
}

/** All markets, found by typing, or the favourites among them. */
export function MarketList({ markets, summaries }: MarketListProps) {
  const favourites = useFavourites()
  const [typed, setTyped] = useState('')
  const [which, setWhich] = useState<'all' | 'favourites'>('all')
  const rows = useMemo(() => marketRows(markets, summaries), [markets, summaries])
  const kept = rows.filter(({ market }) => favourites.includes(market.id))
  const shown = (which === 'all' ? rows : kept).filter(({ market }) => matches(market, typed))
  const ids = useMemo(() => markets.map(({ id }) => id), [markets])
  return (
    <>
      <div className="panel-head mk-bar">
        <Segments
          label="Show"
          choices={[
            {
              value: 'all',
              label: (
                <>
                  All<span className="muted">{rows.length}</span>
                </>
              ),
            },
            {
              value: 'favourites',
              label: (
                <>
                  Favourites<span className="muted">{kept.length}</span>
                </>
              ),
            },
          ]}
          value={which}
          onChange={setWhich}
        />
        <div className="end">
          <Input id="mk-search" type="search" icon="search" aria-label="Search markets" placeholder="Search markets" value={typed} onChange={setTyped} />
        </div>
      </div>
      {shown.length > 0 ? (
        <MarketTable rows={shown} allIds={ids} favourites={favourites} />
      ) : typed.trim() !== '' ? (
        <Empty
          icon="search"
          title="No market of this name"
          actions={
            <Button size="sm" onClick={() => setTyped('')}>
              Clear the search
            </Button>
          }
        >
          Nothing in {which === 'all' ? 'the catalogue' : 'your favourites'} matches what you typed.
        </Empty>
      ) : (
        <Empty
          icon="star"
          title="No favourites yet"
          actions={
            <Button size="sm" onClick={() => setWhich('all')}>
              Show all markets
            </Button>
          }
        >
          Press the star beside a market to keep it here and above the table. Favourites belong to this exchange and stay on this computer.
        </Empty>
      )}
    </>
  )
}
