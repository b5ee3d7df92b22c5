import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { minute, second } from '../../../shared/time.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { chartLevels } from '../../kit/chart/levels.ts'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { Empty, Loading } from '../../kit/layout/placeholders.tsx'
import { Coin } from '../../kit/market-marks.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount, Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { clockText } from '../../kit/time/countdown-ring.tsx'
import { titleTime, useNow } from '../../kit/time/time.tsx'
import { TimePicture } from '../../kit/time/time-picture.tsx'
import { ServiceWord, VisibleText } from '../../kit/visible-text.tsx'
import { MarketBook } from '../../parts/market-data/market-book.tsx'
import { MarketChart } from '../../parts/market-data/market-chart.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import { marketsText } from '../../text/en/markets.en.tsx'
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
    <section className={cx(panelStyles.panel, styles.marketFigures)} aria-label={marketsText.figures}>
      <dl>
        <div>
          <dt>{marketsText.mark}</dt>
          <dd>
            <b className={rising === null ? styles.marketMark : rising ? cx(styles.marketMark, textStyles.up) : cx(styles.marketMark, textStyles.down)}>
              {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} />}
              <Amount isShown value={summary?.mark ?? null} {...decimals} />
            </b>
          </dd>
        </div>
        <div>
          <dt>{marketsText.index}</dt>
          <dd>
            <Amount isShown value={summary?.index ?? null} {...decimals} />
          </dd>
        </div>
        <div>
          <dt>{marketsText.change24h}</dt>
          <dd>
            <Percent value={summary?.change24h ?? null} signed />
          </dd>
        </div>
        <div>
          <dt>{marketsText.volume24hUsdc}</dt>
          <dd>{summary?.volume24hUsdc == null ? none : shortUsdc(summary.volume24hUsdc)}</dd>
        </div>
        <div>
          <dt>{marketsText.openInterestUsdc}</dt>
          <dd>
            <InterestSplit summary={summary} />
          </dd>
        </div>
        <div>
          <dt>{marketsText.fundingPerHour}</dt>
          <dd>
            <Percent value={summary?.fundingRate ?? null} decimals={4} signed />{' '}
            {next === null ? null : <span className={textStyles.muted}>{marketsText.fundingIn(clockText(next - now))}</span>}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Limits({ market }: { readonly market: Market }) {
  return (
    <Panel title={marketsText.limits} padded className={styles.marketLimits}>
      <Rows ruled>
        <Row name={marketsText.state}>{market.status === null ? none : <ServiceWord word={market.status} />}</Row>
        <Row name={marketsText.tickSize}>
          <Amount isShown value={market.tickSize} />
        </Row>
        <Row name={marketsText.smallestOrder}>
          <Amount isShown value={market.minOrderUsdc} minDecimals={2} unit="USDC" />
        </Row>
        <Row name={marketsText.largestOrder}>
          <Amount isShown value={market.maxOrderUsdc} minDecimals={2} unit="USDC" />
        </Row>
        <Row name={marketsText.maxLeverage}>{market.maxLeverage === null ? none : `${market.maxLeverage}×`}</Row>
        <Row name={marketsText.priceDecimals}>{market.priceDecimals ?? none}</Row>
        <Row name={marketsText.sizeDecimals}>{market.sizeDecimals ?? none}</Row>
        <Row name={marketsText.marketId}>
          <code>{market.id}</code>
        </Row>
      </Rows>
      <MoreFields of={marketsText.theMarket(market.symbol)} from={marketsText.theCatalogue} fields={market.unknownFields} />
    </Panel>
  )
}

/** One market: its current values, its limits, and its price, funding and open interest over time. */
export function MarketView({ market, markets, summary, readAtMs, source, failed }: MarketViewProps) {
  const navigate = useNavigate()
  const favourites = useFavourites()
  // The user's own positions and orders appear as lines in the chart, if a key can read the account.
  const positions = useIpcQuery('account.positions', { watch: null }, { every: 5 * second })
  const orders = useIpcQuery('account.orders', { watch: null }, { every: 5 * second })
  const waiting = orders.data?.orders.filter(isWaiting) ?? []
  const levels = chartLevels(market.id, positions.data?.positions ?? [], waiting)
  const own = waiting.flatMap(({ pairId, price }) => (pairId === market.id && price !== null ? [price] : []))
  const trade = () => navigate(`trade/${market.id}`)
  return (
    <div className={cx(panelStyles.page, styles.marketOne)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="markets">{marketsText.markets}</Link>
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
            {marketsText.trade}
          </Button>
        </div>
      </div>
      <Figures market={market} summary={summary} />
      <div className={styles.marketMain}>
        <section className={cx(panelStyles.panel, styles.marketChart)} aria-label={marketsText.chart}>
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
  const source = from === 'service' ? marketsText.historyFromService : marketsText.historyFromReadings
  return <p className={styles.marketFrom}>{lines === undefined ? source : marketsText.historyLegend(source, lines)}</p>
}

const TooFew = () => (
  <Empty icon="clock" title={marketsText.oneReading} level={3}>
    {marketsText.oneReadingHelp}
  </Empty>
)

/** What holding a position costs or earns: now, at the next payment, and over time. */
function FundingPanel({ market }: { readonly market: Market }) {
  const now = useNow(second)
  const read = useIpcQuery('markets.funding', { pairId: market.id }, { every })
  const funding = read.data
  return (
    <Panel title={marketsText.funding} end={<ReadAge atMs={funding?.readAtMs ?? null} source={funding?.source ?? null} failed={read.error !== null} />}>
      {missing(read) !== null ? (
        <Unread query={read} level={3} />
      ) : funding === undefined ? (
        <Loading label={marketsText.readingTheFunding}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={panelStyles.panelBody}>
          <dl className={styles.marketBig}>
            <div>
              <dt>{marketsText.ratePerHour}</dt>
              <dd>
                <Percent value={funding.rate} decimals={4} signed />
              </dd>
            </div>
            <div>
              <dt>{marketsText.nextFunding}</dt>
              <dd title={funding.nextAtMs === null ? undefined : titleTime(funding.nextAtMs)}>
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
                  label={marketsText.fundingChart(market.symbol)}
                  series={[{ id: 'rate', name: marketsText.rate, tone: 'accent', points: funding.history.map(({ atMs, rate }) => ({ atMs, value: rate })) }]}
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
          <MoreFields of={marketsText.theFundingOf(market.symbol)} from={marketsText.theFunding} fields={funding.unknownFields} />
        </div>
      )}
    </Panel>
  )
}

/** Shows the long and short open interest, now and over time. */
function InterestPanel({ market }: { readonly market: Market }) {
  const now = useNow(minute)
  const read = useIpcQuery('markets.openInterest', { pairId: market.id }, { every })
  const interest = read.data
  return (
    <Panel title={marketsText.openInterest} end={<ReadAge atMs={interest?.readAtMs ?? null} source={interest?.source ?? null} failed={read.error !== null} />}>
      {missing(read) !== null ? (
        <Unread query={read} level={3} />
      ) : interest === undefined ? (
        <Loading label={marketsText.readingTheOpenInterest}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={panelStyles.panelBody}>
          <dl className={styles.marketBig}>
            <div>
              <dt>{marketsText.longAndShortUsdc}</dt>
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
                  label={marketsText.openInterestChart(market.symbol)}
                  series={[
                    { id: 'long', name: marketsText.longLine, tone: 'long', points: interest.history.map(({ atMs, long }) => ({ atMs, value: long })) },
                    {
                      id: 'short',
                      name: marketsText.shortLine,
                      tone: 'short',
                      dashed: true,
                      points: interest.history.map(({ atMs, short }) => ({ atMs, value: short })),
                    },
                  ]}
                  format={(value) => marketsText.usdcShort(shortUsdc(value))}
                  formatTick={(value) => shortUsdc(value.toFixed(0))}
                  nowMs={now}
                />
              </div>
              <HistoryNote from={interest.historyFrom} lines={marketsText.solidLongDashedShort} />
            </>
          )}
          <MoreFields of={marketsText.openInterestOf(market.symbol)} from={marketsText.theOpenInterest} fields={interest.unknownFields} />
        </div>
      )}
    </Panel>
  )
}
