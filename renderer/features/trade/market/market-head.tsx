import { useState } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { add, compare, divide, formatDecimal, isZero, percentOf } from '../../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../../shared/ipc/reads/markets.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Skeleton } from '../../../kit/layout/skeleton.tsx'
import { Amount, Percent } from '../../../kit/number.tsx'
import { clockText } from '../../../kit/time/countdown.ts'
import { useNow } from '../../../kit/time/now.tsx'
import { durationText, exactTime } from '../../../kit/time/time-text.ts'
import { MarketDetails } from './market-details.tsx'
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
  if (long === null || short === null) return <span className="muted">—</span>
  const total = add(long, short)
  const share = isZero(total) ? null : percentOf(long, total, 1)
  const shorten = (value: string) => formatDecimal(millions(value) ?? '0', { decimals: 1 })
  return (
    <>
      <span className="up" title={`Long ${formatDecimal(long, { decimals: 0 })} USDC`}>
        <Icon name="arrow-up-right" size={12} />
        {shorten(long)}
      </span>
      {share === null ? null : (
        <span className="split" aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </span>
      )}
      <span className="down" title={`Short ${formatDecimal(short, { decimals: 0 })} USDC`}>
        {shorten(short)}
        <Icon name="arrow-down-right" size={12} />
      </span>
      <span className="muted">M</span>
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
    <span className={stale ? 'age warn-t' : 'age'} title={`Price of ${exactTime(at)}${source === 'public' ? ', from the public route that needs no key' : ''}`}>
      <span className={stale ? 'dot warn' : 'dot ok'} />
      {age < 10_000 ? `${(age / 1_000).toFixed(1)} s` : durationText(age)} ago
      {source === 'public' ? <span className="chip">Public data</span> : null}
    </span>
  )
}

/** The market's name and what it does now. */
export function MarketHead({ markets, summaries, market, summary, source, readAtMs, onPick }: MarketHeadProps) {
  const now = useNow(1_000)
  const [about, setAbout] = useState(false)
  const rising = summary?.change24h == null ? null : compare(summary.change24h, '0') >= 0
  const decimals = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  const volume = millions(summary?.volume24hUsdc ?? null)
  const bar = (width: number) => (summary === undefined ? <Skeleton width={width} /> : null)
  return (
    <section className="m-head" aria-label="Market">
      <MarketPicker markets={markets} summaries={summaries} market={market} onPick={onPick} />
      <IconButton icon="info" size="xs" label={`About ${market.symbol}`} onClick={() => setAbout(true)} />
      <dl className="stats">
        <div>
          <dt>Mark</dt>
          <dd>
            {bar(84) ?? (
              <b className={rising === null ? 'mark' : rising ? 'mark up' : 'mark down'}>
                {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} />}
                <Amount value={summary?.mark ?? null} {...decimals} />
              </b>
            )}
          </dd>
        </div>
        <div>
          <dt>Index</dt>
          <dd>{bar(60) ?? <Amount value={summary?.index ?? null} {...decimals} />}</dd>
        </div>
        <div>
          <dt>24 h change</dt>
          <dd>{bar(52) ?? <Percent value={summary?.change24h ?? null} signed />}</dd>
        </div>
        <div>
          <dt>24 h volume, USDC</dt>
          <dd>{bar(64) ?? (volume === null ? <span className="muted">—</span> : `${formatDecimal(volume, { decimals: 2 })} M`)}</dd>
        </div>
        <div className="oi">
          <dt>Open interest, USDC</dt>
          <dd>{bar(120) ?? <OpenInterest summary={summary} />}</dd>
        </div>
        <div>
          <dt>Funding, 1 h</dt>
          <dd>
            {bar(110) ?? (
              <>
                <Percent value={summary?.fundingRate ?? null} decimals={4} signed />{' '}
                {summary?.nextFundingAtMs == null ? null : <span className="muted">in {clockText(summary.nextFundingAtMs - now)}</span>}
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
