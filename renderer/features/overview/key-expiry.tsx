import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { day, minute } from '../../../shared/time.ts'
import buttonStyles from '../../kit/button.module.css'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel } from '../../kit/layout/panel.tsx'
import textStyles from '../../kit/text.module.css'
import { fineDurationText, Time, useNow } from '../../kit/time/time.tsx'
import { overviewText } from '../../text/en/overview.en.tsx'
import { keyCountText } from '../../text/page-cut-text.ts'
import styles from './overview.module.css'

/** Maximum number of keys shown; a link leads to the others. */
const most = 7

/** Each key's expiry on an axis that stretches the near days. */
export function KeyExpiry({ keys, active, limit }: { readonly keys: readonly KeySummary[]; readonly active: number | null; readonly limit: number }) {
  const now = useNow(minute)
  const dated = keys
    .flatMap((key) => (isLiveKey(key) && key.expiresAtMs !== null ? [{ key, leftMs: key.expiresAtMs - now, expiresAtMs: key.expiresAtMs }] : []))
    .sort((a, b) => a.leftMs - b.leftMs)
    .slice(0, most)
  const stops = axisStops(Math.max(0, ...dated.map((one) => one.leftMs / day)))
  return (
    <Panel
      title={overviewText.keyExpiry}
      count={keyCountText({ keys, active, limit })}
      end={
        <>
          <Link to="keys/expiry" className={cx(buttonStyles.button, buttonStyles.xs, buttonStyles.ghost)}>
            <Icon name="calendar" size={14} />
            {overviewText.expiryDates}
          </Link>
          <Link to="keys" className={cx(buttonStyles.button, buttonStyles.xs, buttonStyles.ghost)}>
            {overviewText.allKeys}
            <Icon name="chevron-right" size={14} />
          </Link>
        </>
      }
    >
      <div className={styles.keyTimeline}>
        <div className={styles.keyTimelineAxis} aria-hidden="true">
          <span />
          <div>
            {stops.map((stop) => (
              <span key={stop.days} style={{ left: `${axisPosition(stop.days, stops)}%` }}>
                {stop.label}
              </span>
            ))}
          </div>
          <span />
        </div>
        <ul>
          {dated.map(({ key, leftMs, expiresAtMs }) => {
            const tone = expiryTone(leftMs)
            const at = `${axisPosition(leftMs / day, stops)}%`
            return (
              <li key={key.id} className={tone === 'over' ? styles.bad : styles[tone]}>
                <Link to={`keys/${key.id}`} className={cx(textStyles.name, textStyles.cut)}>
                  {key.label}
                </Link>
                <span className={styles.track}>
                  <i className={styles.barLine} style={{ width: at }} />
                  <span className={panelStyles.end} style={{ left: at }} />
                  <b style={{ left: at }}>
                    {tone === 'calm' ? null : <Icon name={tone === 'warn' ? 'clock' : 'warn'} size={12} />}
                    {tone === 'over' ? overviewText.expired : fineDurationText(leftMs)}
                  </b>
                </span>
                <Time ms={expiresAtMs} form="day" />
              </li>
            )
          })}
        </ul>
      </div>
    </Panel>
  )
}

interface AxisStop {
  readonly days: number
  readonly label: string
}

const near: readonly AxisStop[] = [
  { days: 0, label: overviewText.today },
  { days: 7, label: overviewText.shortDays(7) },
  { days: 30, label: overviewText.shortDays(30) },
  { days: 90, label: overviewText.shortDays(90) },
  { days: 180, label: overviewText.shortDays(180) },
  { days: 365, label: overviewText.shortYears(1) },
]

/** Axis stops for a key that lasts longer than a year. The maximum is 2000 days (API key, `expires_in_days`). */
const far: readonly AxisStop[] = [...near.slice(0, 4), { days: 365, label: overviewText.shortYears(1) }, { days: 2000, label: overviewText.shortYears(5.5) }]

/**
 * Returns the stops of the axis, drawn at equal distances. The first stops are fewer days apart, so the near days get the most room. If a key
 * lasts longer than a year, only the last stops differ.
 */
export const axisStops = (longestDays: number): readonly AxisStop[] => (longestDays > 365 ? far : near)

/** Where to draw a number of days, in percent of the width: linear between two stops, and never outside the axis. */
export function axisPosition(days: number, stops: readonly AxisStop[]): number {
  const share = 100 / (stops.length - 1)
  for (let index = 1; index < stops.length; index++) {
    const from = stops[index - 1]
    const to = stops[index]
    if (from === undefined || to === undefined || days > to.days) continue
    return share * (index - 1 + Math.max(0, days - from.days) / (to.days - from.days))
  }
  return 100
}

type ExpiryTone = 'over' | 'bad' | 'warn' | 'calm'

/** Shows a warning two weeks before a key expires, when the user can plan a replacement. Shows an alarm one week before, when it should start. */
export function expiryTone(leftMs: number): ExpiryTone {
  if (leftMs <= 0) return 'over'
  if (leftMs < 7 * day) return 'bad'
  return leftMs < 14 * day ? 'warn' : 'calm'
}
