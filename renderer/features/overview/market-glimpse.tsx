import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { MarketName } from '../../kit/coin.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Amount, Percent } from '../../kit/number.tsx'

const most = 8

/** What can be seen before there is a key: prices are public. */
export function MarketGlimpse({ markets, summaries }: { readonly markets: readonly Market[]; readonly summaries: readonly MarketSummary[] }) {
  const navigate = useNavigate()
  if (markets.length === 0) return null
  return (
    <Panel
      title="Markets now"
      count="prices need no key"
      className="glimpse"
      end={
        <Link to="trade" className="btn xs ghost">
          Trade
          <Icon name="chevron-right" size={14} />
        </Link>
      }
    >
      <Table label="Markets now" dense>
        <thead>
          <tr>
            <HeadCell>Market</HeadCell>
            <HeadCell numeric>Mark</HeadCell>
            <HeadCell numeric>24 h change</HeadCell>
            <HeadCell numeric>24 h volume, USDC</HeadCell>
            <HeadCell numeric>Funding, 1 h</HeadCell>
            <HeadCell numeric>Leverage</HeadCell>
          </tr>
        </thead>
        <tbody>
          {markets.slice(0, most).map((market) => {
            const summary = summaries.find((one) => one.id === market.id)
            return (
              <tr key={market.id} onClick={() => navigate(`trade/${market.symbol}`)}>
                <td>
                  <Link to={`trade/${market.symbol}`}>
                    <MarketName symbol={market.symbol} base={market.base} />
                  </Link>
                </td>
                <td className="r">
                  <Amount value={summary?.mark ?? null} {...(market.priceDecimals === null ? {} : { decimals: market.priceDecimals })} />
                </td>
                <td className="r">
                  <Percent value={summary?.change24h ?? null} signed />
                </td>
                <td className="r">
                  <Amount value={summary?.volume24hUsdc ?? null} decimals={0} />
                </td>
                <td className="r">
                  <Percent value={summary?.fundingRate ?? null} decimals={4} signed />
                </td>
                <td className="r muted">{market.maxLeverage === null ? '—' : `up to ${market.maxLeverage}×`}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Panel>
  )
}
