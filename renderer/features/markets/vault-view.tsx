import { formatDecimal } from '../../../shared/decimal.ts'
import { second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { cx } from '../../kit/cx.ts'
import { Meter } from '../../kit/layout/meter.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { Loading } from '../../kit/layout/skeleton.tsx'
import { Amount, Percent } from '../../kit/number.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { Time } from '../../kit/time/time.tsx'
import { TimePicture } from '../../kit/time/time-picture.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import styles from './markets.module.css'
import { ReadAge } from './read-age.tsx'
import { missing, Unread } from './read-note.tsx'

/** The vault that provides the liquidity: what it holds, what a share is worth, how much of it is in use. */
export function VaultView() {
  const now = useNow(60 * second)
  const read = useDeskQuery('markets.vault', {}, { every: 5 * second })
  const vault = read.data?.vault
  return (
    <Panel title="Liquidity vault" end={<ReadAge atMs={read.data?.readAtMs ?? null} source={read.data?.source ?? null} failed={read.error !== null} />}>
      {missing(read) !== null ? (
        <Unread query={read} />
      ) : vault === undefined ? (
        <Loading label="Reading the vault">
          <div className={partsStyles.readWait} />
        </Loading>
      ) : (
        <div className={cx(panelStyles.panelBody, styles.marketVaultBody)}>
          <div>
            <dl className={styles.marketBig}>
              <div>
                <dt>Assets</dt>
                <dd>
                  <Amount value={vault.assetsUsdc} decimals={2} unit="USDC" />
                </dd>
              </div>
              <div>
                <dt>Price of a share</dt>
                <dd>
                  <Amount value={vault.sharePriceUsdc} minDecimals={4} unit="USDC" />
                </dd>
              </div>
            </dl>
            <div className={styles.marketUse}>
              <p>
                <span>In use</span>
                <b>
                  <Percent value={vault.utilisationPercent} />
                </b>
              </p>
              {vault.utilisationPercent === null ? null : (
                <Meter label={`In use: ${formatDecimal(vault.utilisationPercent, { decimals: 1 })} %`} value={Number(vault.utilisationPercent)} max={100} />
              )}
            </div>
            <Rows ruled>
              <Row name="Shares">
                <Amount value={vault.shares} />
              </Row>
              <Row name="Yearly return">
                <Percent value={vault.yearlyPercent} signed missing="The service does not tell it" />
              </Row>
              <Row name="As of">
                <Time ms={vault.updatedAtMs} />
              </Row>
            </Rows>
            <MoreFields of="the vault" from="the vault" fields={vault.unknownFields} />
          </div>
          {vault.history.length < 2 ? null : (
            <div className={styles.marketPicture}>
              <TimePicture
                label="Price of a share over time"
                series={[
                  { id: 'share', name: 'Share', tone: 'accent', points: vault.history.map(({ atMs, sharePriceUsdc }) => ({ atMs, value: sharePriceUsdc })) },
                ]}
                format={(value) => `${formatDecimal(value, { minDecimals: 4 })} USDC`}
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
