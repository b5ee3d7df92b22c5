import { compare, maximum, minimum, percentOf } from '../../../shared/decimal.ts'
import type { AccountSummary, Position } from '../../../shared/ipc/reads/account.ts'
import type { RiskThresholds } from '../../../shared/ipc/reads/risk-alerts.ts'
import { liquidationDistance } from '../../../shared/positions.ts'
import { IconButton } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { MarketName } from '../../kit/coin.tsx'
import { cx } from '../../kit/cx.ts'
import panelStyles from '../../kit/layout/panel.module.css'
import { Skeleton } from '../../kit/layout/skeleton.tsx'
import { Amount, Percent } from '../../kit/number.tsx'
import { Side } from '../../kit/side.tsx'
import textStyles from '../../kit/text.module.css'
import styles from './account.module.css'

/** Health at which positions are liquidated, below which it needs care, and where the picture ends. */
const marks = { liquidation: '1', care: '2', end: '6' } as const
const nearest = 4
/** A distance in percent that fills its bar. */
const farAway = '40'

const standing = (health: string): { readonly tone: 'ok' | 'warn' | 'danger'; readonly text: string } =>
  compare(health, marks.care) >= 0
    ? { tone: 'ok', text: 'Far from liquidation' }
    : compare(health, marks.liquidation) > 0
      ? { tone: 'warn', text: 'Needs care' }
      : { tone: 'danger', text: 'Being liquidated' }

const share = (value: string, whole: string): string => percentOf(minimum(maximum(value, '0'), whole), whole, 2) ?? '0'

function Gauge({ health, threshold }: { readonly health: string | null; readonly threshold: string | null }) {
  return (
    <>
      <div
        className={styles.healthScale}
        role="img"
        aria-label={health === null ? 'The health factor is not known' : `Health factor ${health}; below 1 positions are liquidated`}
      >
        <i className={cx(styles.zone, styles.liquidation)} />
        <i className={cx(styles.zone, styles.caution)} />
        <i className={cx(styles.zone, styles.fine)} />
        {threshold === null ? null : <i className={styles.threshold} style={{ left: `${share(threshold, marks.end)}%` }} title={`Your alert: ${threshold}`} />}
        {health === null ? null : <i className={styles.marker} style={{ left: `${share(health, marks.end)}%` }} />}
      </div>
      <div className={styles.healthLabels} aria-hidden="true">
        <span className={styles.at1}>1</span>
        <span className={styles.at2}>2</span>
        <span className={styles.atEnd}>6</span>
      </div>
    </>
  )
}

interface HealthPanelProps {
  readonly summary: AccountSummary | undefined
  readonly positions: readonly Position[] | undefined
  readonly alerts: RiskThresholds | undefined
  readonly onAlerts: () => void
}

/** How far the account is from liquidation: as a whole, by its margin, and for each position that is nearest. */
export function HealthPanel({ summary, positions, alerts, onAlerts }: HealthPanelProps) {
  const health = summary?.healthFactor ?? null
  const state = health === null ? null : standing(health)
  const near = (positions ?? [])
    .flatMap((position) => {
      const distance = liquidationDistance(position.markPrice, position.liquidationPrice)
      return distance === null ? [] : [{ position, distance }]
    })
    .sort((a, b) => compare(a.distance, b.distance))
  const open = positions?.length ?? 0
  return (
    <section className={cx(panelStyles.panel, styles.healthPanel)} aria-labelledby="ac-health">
      <div className={styles.equityHead}>
        <div>
          <h2 id="ac-health">Health factor</h2>
          <p className={styles.big}>
            {summary === undefined ? <Skeleton width={80} height={24} /> : <Amount value={health} decimals={2} missing="The service does not tell it" />}
            {state === null ? null : (
              <Chip tone={state.tone} icon={state.tone === 'ok' ? 'check' : 'warn'}>
                {state.text}
              </Chip>
            )}
          </p>
        </div>
        <IconButton
          icon="bell"
          size="sm"
          label={alerts !== undefined && (alerts.healthBelow !== null || alerts.distanceBelow !== null) ? 'Alerts are on: change them' : 'Set alerts'}
          onClick={onAlerts}
        />
      </div>
      <Gauge health={health} threshold={alerts?.healthBelow ?? null} />
      <div className={styles.margin}>
        <p>
          <span className={textStyles.secondary}>Margin used</span>
          <b>
            <Percent value={summary?.marginUsedPercent ?? null} decimals={1} />
          </b>
        </p>
        <div className={styles.marginBar} aria-hidden="true">
          {summary?.marginUsedPercent == null ? null : <i style={{ width: `${share(summary.marginUsedPercent, '100')}%` }} />}
        </div>
        <p className={textStyles.muted}>
          <span>
            {open} {open === 1 ? 'position' : 'positions'}
            {summary?.liquidationState == null ? null : `, ${summary.liquidationState}`}
          </span>
          <span>
            <Amount value={summary?.freeMargin ?? null} decimals={2} /> free
          </span>
        </p>
      </div>
      <h3>Distance to liquidation</h3>
      {near.length === 0 ? (
        <p className={cx(textStyles.muted, styles.none)}>
          {positions === undefined ? <Skeleton width={160} /> : open === 0 ? 'No open positions.' : 'No liquidation price is known.'}
        </p>
      ) : (
        <ul className={styles.distances}>
          {near.slice(0, nearest).map(({ position, distance }) => (
            <li key={position.id ?? `${position.pairId}/${position.side}`}>
              <MarketName symbol={position.symbol ?? `Market ${position.pairId}`} />
              <Side side={position.side} />
              <span className={styles.meterTrack} aria-hidden="true">
                <i
                  className={compare(distance, alerts?.distanceBelow ?? '10') < 0 ? styles.isNear : undefined}
                  style={{ width: `${share(distance, farAway)}%` }}
                />
              </span>
              <b>
                <Percent value={distance} decimals={1} />
              </b>
            </li>
          ))}
          {near.length > nearest ? <li className={textStyles.muted}>and {near.length - nearest} further away</li> : null}
        </ul>
      )}
    </section>
  )
}
