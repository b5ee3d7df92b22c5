import { formatDecimal } from '../../../shared/decimal.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { minute, second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Empty } from '../../kit/layout/empty.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel } from '../../kit/layout/panel.tsx'
import { Loading } from '../../kit/layout/skeleton.tsx'
import { Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { clockText } from '../../kit/time/countdown.ts'
import { useNow } from '../../kit/time/now.tsx'
import { TimePicture } from '../../kit/time/time-picture.tsx'
import { exactTime } from '../../kit/time/time-text.ts'
import { MoreFields } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import { InterestSplit } from './interest-split.tsx'
import styles from './markets.module.css'
import { ReadAge } from './read-age.tsx'
import { missing, Unread } from './read-note.tsx'
import { shortUsdc } from './short-usdc.ts'

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
export function FundingPanel({ market }: { readonly market: Market }) {
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
export function InterestPanel({ market }: { readonly market: Market }) {
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
