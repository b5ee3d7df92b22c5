import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { minute, second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { chartLevels } from '../../kit/chart/levels.ts'
import { Coin } from '../../kit/coin.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { Loading } from '../../kit/layout/skeleton.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount, Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { clockText } from '../../kit/time/countdown-ring.tsx'
import { exactTime, useNow } from '../../kit/time/time.tsx'
import { TimePicture } from '../../kit/time/time-picture.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { MarketBook } from '../../parts/market-data/market-book.tsx'
import { MarketChart } from '../../parts/market-data/market-chart.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import { InterestSplit, shortUsdc } from './interest-split.tsx'
import { LiquidationsView } from './liquidations-view.tsx'
import { FavouriteStar, useFavourites } from './market-table.tsx'
import styles from './markets.module.css'
import { missing, ReadAge, Unread } from './read-age.tsx'

interface MarketViewProps {
  readonly market: Market
  readonly markets: readonly Market[]
  readonly summary: MarketSummary | null
  readonly readAtMs: number | null
  readonly source: 'versioned' | 'public' | null
  readonly failed: boolean
}

const none = <span className={textStyles.muted}>—</span>

function Figures({ market, summary }: Pick<MarketViewProps, 'market' | 'summary'>) {
  const now = useNow(1_000)
  const decimals = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  const rising = summary?.change24h == null ? null : compare(summary.change24h, '0') >= 0
  const next = summary?.nextFundingAtMs ?? null
  return (
    <section className={cx(panelStyles.panel, styles.marketFigures)} aria-label="Figures">
      <dl>
        <div>
          <dt>Mark</dt>
          <dd>
            <b className={rising === null ? styles.marketMark : rising ? cx(styles.marketMark, textStyles.up) : cx(styles.marketMark, textStyles.down)}>
              {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} />}
              <Amount value={summary?.mark ?? null} {...decimals} />
            </b>
          </dd>
        </div>
        <div>
          <dt>Index</dt>
          <dd>
            <Amount value={summary?.index ?? null} {...decimals} />
          </dd>
        </div>
        <div>
          <dt>24 h change</dt>
          <dd>
            <Percent value={summary?.change24h ?? null} signed />
          </dd>
        </div>
        <div>
          <dt>24 h volume, USDC</dt>
          <dd>{summary?.volume24hUsdc == null ? none : shortUsdc(summary.volume24hUsdc)}</dd>
        </div>
        <div>
          <dt>Open interest, USDC</dt>
          <dd>
            <InterestSplit summary={summary} />
          </dd>
        </div>
        <div>
          <dt>Funding, 1 h</dt>
          <dd>
            <Percent value={summary?.fundingRate ?? null} decimals={4} signed />{' '}
            {next === null ? null : <span className={textStyles.muted}>in {clockText(next - now)}</span>}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Limits({ market }: { readonly market: Market }) {
  return (
    <Panel title="Limits" padded className={styles.marketLimits}>
      <Rows ruled>
        <Row name="State">{market.status === null ? none : <VisibleText text={market.status} />}</Row>
        <Row name="Tick size">
          <Amount value={market.tickSize} />
        </Row>
        <Row name="Smallest order">
          <Amount value={market.minOrderUsdc} minDecimals={2} unit="USDC" />
        </Row>
        <Row name="Largest order">
          <Amount value={market.maxOrderUsdc} minDecimals={2} unit="USDC" />
        </Row>
        <Row name="Leverage, at most">{market.maxLeverage === null ? none : `${market.maxLeverage}×`}</Row>
        <Row name="Decimals of a price">{market.priceDecimals ?? none}</Row>
        <Row name="Decimals of a size">{market.sizeDecimals ?? none}</Row>
        <Row name="Market id">
          <code>{market.id}</code>
        </Row>
      </Rows>
      <MoreFields of={`the market ${market.symbol}`} from="the catalogue" fields={market.unknownFields} />
    </Panel>
  )
}

/** One market: what it does now, how its price, funding and open interest went, and by which limits one trades on it. */
export function MarketView({ market, markets, summary, readAtMs, source, failed }: MarketViewProps) {
  const navigate = useNavigate()
  const favourites = useFavourites()
  // Lines of the user's own, where a key reads the account.
  const positions = useDeskQuery('account.positions', { watch: null }, { every: 5 * second })
  const orders = useDeskQuery('account.orders', { watch: null }, { every: 5 * second })
  const waiting = orders.data?.orders.filter(isWaiting) ?? []
  const levels = chartLevels(market.id, positions.data?.positions ?? [], waiting, market.sizeDecimals)
  const own = waiting.flatMap(({ pairId, price }) => (pairId === market.id && price !== null ? [price] : []))
  const trade = () => navigate(`trade/${market.id}`)
  return (
    <div className={cx(panelStyles.page, styles.marketOne)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="markets">Markets</Link>
          <Icon name="chevron-right" />
          <h1 className={styles.marketTitle}>
            <Coin base={market.base} size={24} />
            <b title={market.symbol}>
              <VisibleText text={market.symbol} />
            </b>
          </h1>
        </span>
        {market.maxLeverage === null ? null : <span className={marksStyles.chip}>{market.maxLeverage}×</span>}
        <FavouriteStar pairId={market.id} symbol={market.symbol} on={favourites.includes(market.id)} />
        <div className={panelStyles.end}>
          <ReadAge atMs={summary?.priceAtMs ?? readAtMs} source={source} failed={failed} staleAfterMs={8_000} />
          <Button variant="primary" icon="trade" onClick={trade}>
            Trade
          </Button>
        </div>
      </div>
      <Figures market={market} summary={summary} />
      <div className={styles.marketMain}>
        <section className={cx(panelStyles.panel, styles.marketChart)} aria-label="Chart">
          <MarketChart market={market} summary={summary ?? undefined} readAtMs={readAtMs} levels={levels} />
        </section>
        <div className={cx(panelStyles.panel, styles.marketBook)}>
          <MarketBook market={market} own={own} />
        </div>
      </div>
      <div className={styles.marketThree}>
        <FundingPanel market={market} />
        <InterestPanel market={market} />
        <Limits market={market} />
      </div>
      <LiquidationsView markets={markets} pairId={market.id} />
    </div>
  )
}

const every = 10 * second

function HistoryNote({ from, lines }: { readonly from: 'service' | 'readings'; readonly lines?: string }) {
  return (
    <p className={styles.marketFrom}>
      {from === 'service' ? 'Over time, as the service tells it' : 'Over time, as this app has read it since it was started'}
      {lines === undefined ? null : `. ${lines}`}
    </p>
  )
}

const TooFew = () => (
  <Empty icon="clock" title="One reading so far">
    The service tells no history of it. The picture grows while this app reads.
  </Empty>
)

/** What holding a position costs or brings: now, when it is paid next, and how it went. */
function FundingPanel({ market }: { readonly market: Market }) {
  const now = useNow(second)
  const read = useDeskQuery('markets.funding', { pairId: market.id }, { every })
  const funding = read.data
  return (
    <Panel title="Funding" end={<ReadAge atMs={funding?.readAtMs ?? null} source={funding?.source ?? null} failed={read.error !== null} />}>
      {missing(read) !== null ? (
        <Unread query={read} />
      ) : funding === undefined ? (
        <Loading label="Reading the funding">
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={panelStyles.panelBody}>
          <dl className={styles.marketBig}>
            <div>
              <dt>Rate, 1 h</dt>
              <dd>
                <Percent value={funding.rate} decimals={4} signed />
              </dd>
            </div>
            <div>
              <dt>Paid in</dt>
              <dd title={funding.nextAtMs === null ? undefined : exactTime(funding.nextAtMs)}>
                {funding.nextAtMs === null ? <span className={textStyles.muted}>—</span> : clockText(funding.nextAtMs - now)}
              </dd>
            </div>
          </dl>
          {funding.history.length < 2 ? (
            <TooFew />
          ) : (
            <>
              <div className={styles.marketPicture}>
                <TimePicture
                  label={`Funding rate of ${market.symbol} over time`}
                  series={[{ id: 'rate', name: 'Rate', tone: 'accent', points: funding.history.map(({ atMs, rate }) => ({ atMs, value: rate })) }]}
                  format={(value) => `${formatDecimal(value, { decimals: 4, sign: 'always' })} %`}
                  formatTick={(value) => `${formatDecimal(value.toFixed(4), { decimals: 4 })} %`}
                  step
                  zero
                  nowMs={Math.floor(now / minute) * minute}
                />
              </div>
              <HistoryNote from={funding.historyFrom} />
            </>
          )}
          <MoreFields of={`the funding of ${market.symbol}`} from="the funding" fields={funding.unknownFields} />
        </div>
      )}
    </Panel>
  )
}

/** What is open long and short: now, and how it went. */
function InterestPanel({ market }: { readonly market: Market }) {
  const now = useNow(minute)
  const read = useDeskQuery('markets.openInterest', { pairId: market.id }, { every })
  const interest = read.data
  return (
    <Panel title="Open interest" end={<ReadAge atMs={interest?.readAtMs ?? null} source={interest?.source ?? null} failed={read.error !== null} />}>
      {missing(read) !== null ? (
        <Unread query={read} />
      ) : interest === undefined ? (
        <Loading label="Reading the open interest">
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={panelStyles.panelBody}>
          <dl className={styles.marketBig}>
            <div>
              <dt>Long and short, USDC</dt>
              <dd>
                <InterestSplit summary={{ openInterestLongUsdc: interest.long, openInterestShortUsdc: interest.short }} />
              </dd>
            </div>
          </dl>
          {interest.history.length < 2 ? (
            <TooFew />
          ) : (
            <>
              <div className={styles.marketPicture}>
                <TimePicture
                  label={`Open interest of ${market.symbol} over time`}
                  series={[
                    { id: 'long', name: 'Long', tone: 'long', points: interest.history.map(({ atMs, long }) => ({ atMs, value: long })) },
                    { id: 'short', name: 'Short', tone: 'short', dashed: true, points: interest.history.map(({ atMs, short }) => ({ atMs, value: short })) },
                  ]}
                  format={(value) => `${shortUsdc(value)} USDC`}
                  formatTick={(value) => shortUsdc(value.toFixed(0))}
                  nowMs={now}
                />
              </div>
              <HistoryNote from={interest.historyFrom} lines="Solid: long. Dashed: short." />
            </>
          )}
          <MoreFields of={`the open interest of ${market.symbol}`} from="the open interest" fields={interest.unknownFields} />
        </div>
      )}
    </Panel>
  )
}
