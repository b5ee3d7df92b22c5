import { formatCount, formatDecimal, percentOf, signOf } from '../../../shared/decimal.ts'
import { second } from '../../../shared/time.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { cx } from '../../kit/cx.ts'
import { Meter } from '../../kit/layout/meter.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { Loading } from '../../kit/layout/placeholders.tsx'
import { Amount, Percent } from '../../kit/number.tsx'
import { Time, useNow } from '../../kit/time/time.tsx'
import { TimePicture } from '../../kit/time/time-picture.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import { marketsText } from '../../text/en/markets.en.tsx'
import { shortUsdc } from './interest-split.tsx'
import styles from './markets.module.css'
import { missing, ReadAge, Unread } from './read-age.tsx'

/** A bar that shows a share of a whole, with its percentage. Draws nothing if a number is missing. */
function Share({ name, part, whole }: { readonly name: string; readonly part: string | null; readonly whole: string | null }) {
  const percent = part === null || whole === null || signOf(whole) <= 0 ? null : percentOf(part, whole, 2)
  if (percent === null) return null
  return (
    <div className={styles.marketUse}>
      <p>
        <span>{name}</span>
        <b>
          <Percent value={percent} />
        </b>
      </p>
      <Meter label={`${name}: ${formatDecimal(percent, { decimals: 1 })} %`} value={Number(percent)} max={100} tone="quiet" />
    </div>
  )
}

function TokenMarket() {
  const now = useNow(10 * second)
  const read = useIpcQuery('markets.ownToken', {}, { every: 10 * second })
  const market = read.data
  return (
    <Panel
      title={market?.symbol == null ? marketsText.marketOfProtocolToken : marketsText.marketOf(<VisibleText text={market.symbol} />)}
      className={styles.marketToken}
      end={<ReadAge atMs={market?.readAtMs ?? null} source="public" failed={read.error !== null} />}
    >
      {missing(read) !== null ? (
        <Unread query={read} level={3} />
      ) : market === undefined ? (
        <Loading label={marketsText.readingTokenMarket}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={panelStyles.panelBody}>
          <dl className={styles.marketBig}>
            <div>
              <dt>{marketsText.price}</dt>
              <dd>
                <Amount value={market.price} minDecimals={4} unit="USD" />
              </dd>
            </div>
            <div>
              <dt>{marketsText.change24h}</dt>
              <dd>
                <Percent value={market.change24h} signed />
              </dd>
            </div>
            <div>
              <dt>{marketsText.volume24h}</dt>
              <dd>{market.volume24h === null ? <Amount value={null} /> : marketsText.usdShort(shortUsdc(market.volume24h))}</dd>
            </div>
          </dl>
          {market.history.length < 2 ? null : (
            <div className={styles.marketPicture}>
              <TimePicture
                label={marketsText.tokenPriceChart}
                series={[{ id: 'price', name: marketsText.price, tone: 'accent', points: market.history.map(({ atMs, price }) => ({ atMs, value: price })) }]}
                format={(value) => marketsText.usdAmount(formatDecimal(value, { minDecimals: 4 }))}
                formatTick={(value) => value.toFixed(4)}
                filled
                nowMs={now}
              />
            </div>
          )}
          <Rows ruled>
            <Row name={marketsText.range24h}>{marketsText.range(<Amount value={market.low24h} />, <Amount value={market.high24h} unit="USD" />)}</Row>
            <Row name={marketsText.marketCap}>
              <Amount value={market.marketCap} decimals={0} unit="USD" />
            </Row>
            <Row name={marketsText.fullyDilutedValue}>
              <Amount value={market.fullyDiluted} decimals={0} unit="USD" />
            </Row>
            <Row name={marketsText.liquidity}>
              <Amount value={market.liquidity} decimals={0} unit="USD" />
            </Row>
            <Row name={marketsText.asOf}>
              <Time ms={market.updatedAtMs} />
            </Row>
          </Rows>
          <MoreFields of={marketsText.tokenMarket} from={marketsText.itsMarket} fields={market.unknownFields} />
        </div>
      )}
    </Panel>
  )
}

function TokenMetrics() {
  const now = useNow(60 * second)
  const read = useIpcQuery('markets.ownTokenMetrics', {}, { every: 30 * second })
  const market = useIpcQuery('markets.ownToken', {}).data
  const metrics = read.data
  const supply = metrics?.supply ?? market?.supply ?? null
  const circulating = metrics?.circulating ?? market?.circulating ?? null
  return (
    <Panel
      title={marketsText.supplyAndHolders}
      className={styles.marketToken}
      end={<ReadAge atMs={metrics?.readAtMs ?? null} source="public" failed={read.error !== null} staleAfterMs={90 * second} />}
    >
      {missing(read) !== null ? (
        <Unread query={read} level={3} />
      ) : metrics === undefined ? (
        <Loading label={marketsText.readingTokenMetrics}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={panelStyles.panelBody}>
          <dl className={styles.marketBig}>
            <div>
              <dt>{marketsText.holders}</dt>
              <dd>
                <Amount value={metrics.holders === null ? null : String(metrics.holders)} />
              </dd>
            </div>
            <div>
              <dt>{marketsText.circulating}</dt>
              <dd>{circulating === null ? <Amount value={null} /> : shortUsdc(circulating)}</dd>
            </div>
          </dl>
          <Share name={marketsText.circulatingShare} part={circulating} whole={supply} />
          <Share
            name={metrics.stakedPercent === null ? marketsText.stakedShare : marketsText.staked}
            part={metrics.stakedPercent ?? metrics.staked}
            whole={metrics.stakedPercent === null ? circulating : '100'}
          />
          {metrics.history.length < 2 ? null : (
            <div className={styles.marketPicture}>
              <TimePicture
                label={marketsText.holdersChart}
                series={[
                  {
                    id: 'holders',
                    name: marketsText.holders,
                    tone: 'accent',
                    points: metrics.history.map(({ atMs, holders }) => ({ atMs, value: String(holders) })),
                  },
                ]}
                format={(value) => marketsText.holderCount(formatDecimal(value))}
                formatTick={(value) => formatCount(Math.round(value))}
                filled
                nowMs={now}
              />
            </div>
          )}
          <Rows ruled>
            <Row name={marketsText.totalSupply}>
              <Amount value={supply} decimals={0} />
            </Row>
            <Row name={marketsText.maxSupply}>
              <Amount value={metrics.maxSupply ?? market?.maxSupply ?? null} decimals={0} />
            </Row>
            <Row name={marketsText.staked}>
              <Amount value={metrics.staked} decimals={0} />
            </Row>
            <Row name={marketsText.stakingYearlyReturn}>
              <Percent value={metrics.yearlyPercent} />
            </Row>
            <Row name={marketsText.burned}>
              <Amount value={metrics.burned} decimals={0} />
            </Row>
            <Row name={marketsText.burned24h}>
              <Amount value={metrics.burned24h} decimals={0} />
            </Row>
          </Rows>
          <MoreFields of={marketsText.tokenMetrics} from={marketsText.itsMetrics} fields={metrics.unknownFields} />
        </div>
      )}
    </Panel>
  )
}

/** The protocol's own token, which is traded on other markets: its price and its numbers. */
export const TokenView = () => (
  <div className={styles.marketTwo}>
    <TokenMarket />
    <TokenMetrics />
  </div>
)

/** The liquidity vault: its holdings, share price and utilisation. */
export function VaultView() {
  const now = useNow(60 * second)
  const read = useIpcQuery('markets.vault', {}, { every: 5 * second })
  const vault = read.data?.vault
  return (
    <Panel
      title={marketsText.liquidityVault}
      end={<ReadAge atMs={read.data?.readAtMs ?? null} source={read.data?.source ?? null} failed={read.error !== null} />}
    >
      {missing(read) !== null ? (
        <Unread query={read} level={3} />
      ) : vault === undefined ? (
        <Loading label={marketsText.readingTheVault}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={cx(panelStyles.panelBody, styles.marketVaultBody)}>
          <div>
            <dl className={styles.marketBig}>
              <div>
                <dt>{marketsText.assets}</dt>
                <dd>
                  <Amount value={vault.assetsUsdc} decimals={2} unit="USDC" />
                </dd>
              </div>
              <div>
                <dt>{marketsText.sharePrice}</dt>
                <dd>
                  <Amount value={vault.sharePriceUsdc} minDecimals={4} unit="USDC" />
                </dd>
              </div>
            </dl>
            <div className={styles.marketUse}>
              <p>
                <span>{marketsText.inUse}</span>
                <b>
                  <Percent value={vault.utilisationPercent} />
                </b>
              </p>
              {vault.utilisationPercent === null ? null : (
                <Meter
                  label={marketsText.inUsePercent(formatDecimal(vault.utilisationPercent, { decimals: 1 }))}
                  value={Number(vault.utilisationPercent)}
                  max={100}
                />
              )}
            </div>
            <Rows ruled>
              <Row name={marketsText.shares}>
                <Amount value={vault.shares} />
              </Row>
              <Row name={marketsText.yearlyReturn}>
                <Percent value={vault.yearlyPercent} signed missing={marketsText.serviceGivesNone} />
              </Row>
              <Row name={marketsText.asOf}>
                <Time ms={vault.updatedAtMs} />
              </Row>
            </Rows>
            <MoreFields of={marketsText.theVault} from={marketsText.theVault} fields={vault.unknownFields} />
          </div>
          {vault.history.length < 2 ? null : (
            <div className={styles.marketPicture}>
              <TimePicture
                label={marketsText.sharePriceChart}
                series={[
                  {
                    id: 'share',
                    name: marketsText.share,
                    tone: 'accent',
                    points: vault.history.map(({ atMs, sharePriceUsdc }) => ({ atMs, value: sharePriceUsdc })),
                  },
                ]}
                format={(value) => marketsText.usdcAmount(formatDecimal(value, { minDecimals: 4 }))}
                formatTick={(value) => value.toFixed(4)}
                filled
                nowMs={now}
              />
            </div>
          )}
        </div>
      )}
    </Panel>
  )
}
