import { compare } from '../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { MarketName } from '../../kit/coin.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { Amount, Percent } from '../../kit/number.tsx'
import { useFavourites } from './favourite-star.tsx'

interface FavouriteStripProps {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
}

/** The favourites with their newest marks, which are read more often than the table. Draws nothing where there are none. */
export function FavouriteStrip({ markets, summaries }: FavouriteStripProps) {
  const chosen = useFavourites()
  const shown = chosen.flatMap((id) => markets.find((market) => market.id === id) ?? [])
  const pairIds = shown.map(({ id }) => id)
  const read = useDeskQuery('markets.marks', { pairIds }, { enabled: pairIds.length > 0, every: 2 * second, keepPrevious: true })
  if (shown.length === 0) return null
  return (
    <ul className="mk-favs" aria-label="Favourites">
      {shown.map((market) => {
        const summary = summaries.find(({ id }) => id === market.id)
        const mark = read.data?.marks.find(({ pairId }) => pairId === market.id)?.mark ?? null
        const rising = summary?.change24h == null ? null : compare(summary.change24h, '0') >= 0
        return (
          <li key={market.id}>
            <Link to={`markets/${market.id}`} className="mk-fav" title={read.error === null ? undefined : 'The mark could not be read again'}>
              <MarketName symbol={market.symbol} base={market.base} />
              <span className={rising === null ? undefined : rising ? 'up' : 'down'}>
                {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} size={12} />}
                <Amount value={mark ?? summary?.mark ?? null} {...(market.priceDecimals === null ? {} : { decimals: market.priceDecimals })} />
              </span>
              <small>
                <Percent value={summary?.change24h ?? null} signed />
              </small>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
