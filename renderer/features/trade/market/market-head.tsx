import { type ReactNode, useState } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { add, compare, divide, formatDecimal, isZero, percentOf } from '../../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../../shared/ipc/reads/markets.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Skeleton } from '../../../kit/layout/placeholders.tsx'
import marksStyles from '../../../kit/marks.module.css'
import { Amount, Percent } from '../../../kit/number.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { ScrollPart, Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { clockText } from '../../../kit/time/countdown-ring.tsx'
import { durationText, Time, titleTime, useNow } from '../../../kit/time/time.tsx'
import { wantsKey } from '../../../parts/account-source.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { MoreFields } from '../../../parts/more-fields.tsx'
import { kitText } from '../../../text/en/kit.en.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import { MarketPicker } from './market-picker.tsx'

interface MarketHeadProps {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
  readonly market: Market
  readonly summary: MarketSummary | undefined
  readonly source: 'versioned' | 'public' | null
  readonly readAtMs: number | null
  readonly onPick: (market: Market) => void
}

const millions = (value: string | null): string | null => (value === null ? null : divide(value, '1000000', 2))

function OpenInterest({ summary }: { readonly summary: MarketSummary | undefined }) {
  const long = summary?.openInterestLongUsdc ?? null
  const short = summary?.openInterestShortUsdc ?? null
  if (long === null || short === null) return <span className={textStyles.muted}>—</span>
  const total = add(long, short)
  const share = isZero(total) ? null : percentOf(long, total, 1)
  const shorten = (value: string) => formatDecimal(millions(value) ?? '0', { decimals: 1 })
  return (
    <>
      <span className={textStyles.up} title={tradeText.longUsdc(formatDecimal(long, { decimals: 0 }))}>
        <Icon name="arrow-up-right" size={12} />
        {shorten(long)}
      </span>
      {share === null ? null : (
        <span className={styles.split} aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </span>
      )}
      <span className={textStyles.down} title={tradeText.shortUsdc(formatDecimal(short, { decimals: 0 }))}>
        {shorten(short)}
        <Icon name="arrow-down-right" size={12} />
      </span>
      <span className={textStyles.muted}>{tradeText.millions}</span>
    </>
  )
}

function Age({
  summary,
  readAtMs,
  source,
}: {
  readonly summary: MarketSummary | undefined
  readonly readAtMs: number | null
  readonly source: 'versioned' | 'public' | null
}) {
  const now = useNow(500)
  const at = summary?.priceAtMs ?? readAtMs
  if (at === null) return null
  const age = Math.max(0, now - at)
  const stale = age > limits.priceAgeMs
  return (
    <span
      className={stale ? cx(styles.age, textStyles.warn) : styles.age}
      title={source === 'public' ? tradeText.publicPriceOf(titleTime(at)) : tradeText.priceOf(titleTime(at))}
    >
      <span className={stale ? cx(marksStyles.dot, marksStyles.warn) : cx(marksStyles.dot, marksStyles.ok)} />
      {tradeText.ago(age < 10_000 ? kitText.seconds((age / 1_000).toFixed(1)) : durationText(age))}
      {source === 'public' ? <span className={marksStyles.chip}>{tradeText.publicData}</span> : null}
    </span>
  )
}

/** The time until the next funding. A component of its own, so that the list of markets does not render each second. */
function FundingIn({ atMs }: { readonly atMs: number }) {
  return <span className={textStyles.muted}>{tradeText.fundingIn(clockText(atMs - useNow(1_000)))}</span>
}

/** The head of the trading page: the market's name and current values. */
export function MarketHead({ markets, summaries, market, summary, source, readAtMs, onPick }: MarketHeadProps) {
  const [about, setAbout] = useState(false)
  const rising = summary?.change24h == null ? null : compare(summary.change24h, '0') >= 0
  const decimals = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  const volume = millions(summary?.volume24hUsdc ?? null)
  const bar = (width: number) => (summary === undefined ? <Skeleton width={width} /> : null)
  return (
    <section className={styles.marketHead} aria-label={tradeText.market}>
      <MarketPicker markets={markets} summaries={summaries} market={market} onPick={onPick} />
      <IconButton icon="info" size="xs" label={tradeText.aboutMarket(market.symbol)} onClick={() => setAbout(true)} />
      <dl className={styles.stats}>
        <div>
          <dt>{tradeText.mark}</dt>
          <dd>
            {bar(84) ?? (
              <b className={rising === null ? styles.mark : rising ? cx(styles.mark, textStyles.up) : cx(styles.mark, textStyles.down)}>
                {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} />}
                <Amount value={summary?.mark ?? null} {...decimals} />
              </b>
            )}
          </dd>
        </div>
        <div>
          <dt>{tradeText.index}</dt>
          <dd>{bar(60) ?? <Amount value={summary?.index ?? null} {...decimals} />}</dd>
        </div>
        <div>
          <dt>{tradeText.change24h}</dt>
          <dd>{bar(52) ?? <Percent value={summary?.change24h ?? null} signed />}</dd>
        </div>
        <div>
          <dt>{tradeText.volume24hUsdc}</dt>
          <dd>{bar(64) ?? (volume === null ? <span className={textStyles.muted}>—</span> : tradeText.inMillions(formatDecimal(volume, { decimals: 2 })))}</dd>
        </div>
        <div className={styles.openInterest}>
          <dt>{tradeText.openInterestUsdc}</dt>
          <dd>{bar(120) ?? <OpenInterest summary={summary} />}</dd>
        </div>
        <div>
          <dt>{tradeText.fundingPerHour}</dt>
          <dd>
            {bar(110) ?? (
              <>
                <Percent value={summary?.fundingRate ?? null} decimals={4} signed />{' '}
                {summary?.nextFundingAtMs == null ? null : <FundingIn atMs={summary.nextFundingAtMs} />}
              </>
            )}
          </dd>
        </div>
      </dl>
      <Age summary={summary} readAtMs={readAtMs} source={source} />
      {about ? <MarketDetails market={market} onClose={() => setAbout(false)} /> : null}
    </section>
  )
}

const every = 3 * second

function Part({ title, wide = false, children }: { readonly title: string; readonly wide?: boolean; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={wide ? styles.wide : undefined}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

const count = (value: number | null): ReactNode => value ?? <span className={textStyles.muted}>—</span>

/** A market's rules from the catalogue, its current values, and their age. */
function MarketDetails({ market, onClose }: { readonly market: Market; readonly onClose: () => void }) {
  const read = useIpcQuery('markets.summary', { pairId: market.id }, { every })
  const snapshot = useIpcQuery('markets.snapshot', {}, { every })
  const summary = read.data?.summary
  const price = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  return (
    <Sheet
      title={tradeText.aboutMarket(market.symbol)}
      lead={tradeText.aboutMarketLead}
      icon="info"
      className={styles.marketAbout}
      closeOnScrim
      onClose={onClose}
    >
      <ScrollPart className={overlayStyles.sheetBody}>
        {summary === undefined && read.error !== null ? <FailureNote failure={failureOf(read.error)} /> : null}
        <Part title={tradeText.now}>
          <Rows ruled>
            <Row name={tradeText.mark}>
              <Amount value={summary?.mark ?? null} {...price} />
            </Row>
            <Row name={tradeText.index}>
              <Amount value={summary?.index ?? null} {...price} />
            </Row>
            <Row name={tradeText.change24h}>
              <Percent value={summary?.change24h ?? null} signed />
            </Row>
            <Row name={tradeText.volume24h}>
              <Amount value={summary?.volume24hUsdc ?? null} decimals={2} unit="USDC" />
            </Row>
            <Row name={tradeText.openInterestLong}>
              <Amount value={summary?.openInterestLongUsdc ?? null} decimals={2} unit="USDC" />
            </Row>
            <Row name={tradeText.openInterestShort}>
              <Amount value={summary?.openInterestShortUsdc ?? null} decimals={2} unit="USDC" />
            </Row>
            <Row name={tradeText.fundingPerHour}>
              <Percent value={summary?.fundingRate ?? null} decimals={4} signed />
            </Row>
          </Rows>
        </Part>
        <Part title={tradeText.rules}>
          <Rows ruled>
            <Row name={tradeText.marketId}>
              <code>{market.id}</code>
            </Row>
            <Row name={tradeText.state}>{market.status ?? <span className={textStyles.muted}>—</span>}</Row>
            <Row name={tradeText.tickSize}>
              <Amount value={market.tickSize} />
            </Row>
            <Row name={tradeText.smallestOrder}>
              <Amount value={market.minOrderUsdc} minDecimals={2} unit="USDC" />
            </Row>
            <Row name={tradeText.largestOrder}>
              <Amount value={market.maxOrderUsdc} minDecimals={2} unit="USDC" />
            </Row>
            <Row name={tradeText.maxLeverage}>{market.maxLeverage === null ? <span className={textStyles.muted}>—</span> : `${market.maxLeverage}×`}</Row>
            <Row name={tradeText.priceDecimals}>{count(market.priceDecimals)}</Row>
            <Row name={tradeText.sizeDecimals}>{count(market.sizeDecimals)}</Row>
          </Rows>
        </Part>
        <Part title={tradeText.age} wide>
          <Rows ruled>
            <Row name={tradeText.priceTime}>
              <Time ms={summary?.priceAtMs ?? null} />
            </Row>
            <Row name={tradeText.snapshotSequence}>
              {snapshot.data?.sequence != null ? (
                <code>{snapshot.data.sequence}</code>
              ) : (
                <span className={textStyles.muted}>{snapshot.error !== null && wantsKey(failureOf(snapshot.error)) ? tradeText.needsKey : '—'}</span>
              )}
            </Row>
            <Row name={tradeText.snapshotTime}>
              <Time ms={snapshot.data?.atMs ?? null} />
            </Row>
            <Row name={tradeText.source}>
              {read.data === undefined ? '—' : read.data.source === 'versioned' ? tradeText.versionedRoute : tradeText.publicRoute}
            </Row>
          </Rows>
        </Part>
        <MoreFields of={tradeText.theMarket(market.symbol)} from={tradeText.theCatalogue} fields={market.unknownFields} />
        <MoreFields of={tradeText.theSummaryOf(market.symbol)} from={tradeText.theSummary} fields={summary?.unknownFields ?? null} />
      </ScrollPart>
      <SheetFoot>
        <Button variant="primary" kbd={[tradeText.esc]} onClick={onClose}>
          {tradeText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
