import { type PointerEvent, useMemo, useState } from 'react'
import { add, compare, divide, formatCount, isZero, maximum, minimum, multiply, signOf, subtract } from '../../../shared/decimal.ts'
import type { AccountSummary } from '../../../shared/ipc/reads/account.ts'
import type { AccountReport } from '../../../shared/ipc/reads/account-history.ts'
import { day, minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { cx } from '../../kit/cx.ts'
import panelStyles from '../../kit/layout/panel.module.css'
import { Skeleton } from '../../kit/layout/placeholders.tsx'
import { Amount, useAmountText } from '../../kit/number.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import textStyles from '../../kit/text.module.css'
import { useNow, utcDay } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import styles from './account.module.css'
import { type Span, SpanChoice, spanStart } from './history-filters.tsx'
import { partText, useReport, type WalletView } from './wallet-view.ts'

interface EquityPanelProps {
  readonly view: WalletView
  readonly summary: AccountSummary | undefined
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

const realisedNames: Readonly<Record<Span, string>> = {
  '7d': accountText.realisedWeek,
  '30d': accountText.realisedMonth,
  '1y': accountText.realisedYear,
  all: accountText.realisedAll,
}
const fundingNames: Readonly<Record<Span, string>> = {
  '7d': accountText.fundingWeek,
  '30d': accountText.fundingMonth,
  '1y': accountText.fundingYear,
  all: accountText.fundingAll,
}

/** Shows the account's equity and its components, and the results of the chosen period as a chart. */
export function EquityPanel({ view, summary, span, onSpan }: EquityPanelProps) {
  const now = useNow(minute)
  const fromMs = spanStart(span, now)
  const { report, read } = useReport(view, 'day', fromMs)
  const total = report.data?.total
  const partly = report.data === undefined ? null : partText(report.data, read.isPending)
  const points = report.data === undefined ? null : resultCurve(report.data, now, fromMs)
  const start = points?.[0]?.isRead === false ? points.find(({ isRead }) => isRead)?.day : undefined
  const figure = (name: string, value: string | null | undefined, signed = false, part: string | null = null) => (
    <div>
      <dt>
        {name}
        {part === null ? null : <span className={textStyles.warn}> {part}</span>}
      </dt>
      <dd>{value === undefined ? <Skeleton width={64} /> : <Amount value={value} decimals={2} signed={signed} />}</dd>
    </div>
  )
  return (
    <section className={cx(panelStyles.panel, styles.equityPanel)} aria-labelledby="ac-equity">
      <div className={styles.equityHead}>
        <div>
          <h2 id="ac-equity">{accountText.equity}</h2>
          <p className={styles.big}>
            {summary === undefined ? <Skeleton width={180} height={24} /> : <Amount value={summary.equity} decimals={2} unit="USDC" />}
          </p>
        </div>
        <dl>
          {figure(accountText.collateral, summary?.collateral)}
          {figure(accountText.freeMargin, summary?.freeMargin)}
          {figure(accountText.unrealised, summary?.unrealisedPnl, true)}
          {figure(realisedNames[span], total?.realised, true, partly)}
          {figure(fundingNames[span], total?.funding, true, partly)}
        </dl>
      </div>
      <div className={styles.resultHead}>
        <p className={styles.resultCap}>
          {report.data === undefined || partly === null
            ? accountText.netResultHelp
            : report.data.complete || !read.isPending
              ? accountText.netResultIncomplete
              : accountText.netResultReading(formatCount(report.data.read))}
          {start === undefined ? null : accountText.totalStarts(monthDay(start))}
        </p>
        <SpanChoice label={accountText.period} value={span} onChange={onSpan} />
      </div>
      {points === null ? (
        report.error === null ? (
          <div className={styles.resultChart} />
        ) : (
          <div className={styles.resultFailure}>
            <FailureNote failure={failureOf(report.error)} onRetry={() => void report.refetch()} />
          </div>
        )
      ) : (
        <ResultChart points={points} />
      )}
    </section>
  )
}

const monthDay = (day: string): string => utcDay(Date.parse(day))

const ticks = (points: readonly CurvePoint[], most: number): readonly number[] => {
  const every = Math.max(1, Math.ceil(points.length / most))
  return points.flatMap((_, index) => (index % every === 0 ? [index] : []))
}

/** Text for the days that lack an amount: how many there are, and from which day on the total is unknown. */
function unknownText(points: readonly CurvePoint[]): string {
  const read = points.filter(({ isRead }) => isRead)
  if (read.length === 0) return accountText.notReadYet
  const days = read.filter(({ net }) => net === null).length
  const from = read.find(({ sum }) => sum === null)?.day ?? ''
  return days === 0 ? accountText.sumUnknown : accountText.sumUnknownFrom(from, days)
}

/** Converts a y position in the line plot (0 to 1,000) to a percentage of the chart's height. The plot takes up 62 % of that height. */
const plotPart = 0.062
/** Minimum distance between two axis labels, in thousandths of the height. Labels closer together would overlap. */
const apart = 160

/** The labels of the vertical axis: zero, and the highest and lowest value if they are far enough from zero. */
const heights = (span: { readonly low: string; readonly high: string }) => {
  const zero = heightOf('0', span)
  const ends = [
    { value: span.high, at: 0 },
    { value: span.low, at: 1_000 },
  ]
  return [{ value: '0', at: zero }, ...ends.filter(({ at }) => Math.abs(at - zero) >= apart)]
}

/**
 * Shows each day's result as a bar and the running total as a line. Screen readers get one sentence, because the table beside the chart has every
 * number.
 */
function ResultChart({ points }: { readonly points: readonly CurvePoint[] }) {
  const amount = useAmountText()
  const [hovered, setHovered] = useState<number | null>(null)
  const { span, days, line, area } = useMemo(() => {
    // The line starts at the first day that was read. From the first day with an unknown result on, the total is unknown, so the line ends there.
    const first = points.findIndex(({ isRead }) => isRead) + 0.5
    const known = points.flatMap(({ sum }) => sum ?? [])
    const sums = spanOf(known)
    const nets = spanOf(points.flatMap(({ net }) => net ?? []))
    const bars = points.map(({ net }) => ({ net: heightOf(net ?? '0', nets), zero: heightOf('0', nets) }))
    const drawn = known.map((sum) => ({ y: heightOf(sum, sums) }))
    const ground = heightOf('0', sums)
    const path = drawn.map(({ y }, index) => `${index === 0 ? 'M' : 'L'}${index + first} ${y}`).join('')
    return { span: sums, days: bars, line: path, area: drawn.length === 0 ? '' : `${path}L${drawn.length - 1 + first} ${ground}L${first} ${ground}Z` }
  }, [points])
  const axis = compare(subtract(span.high, span.low), '20') < 0 ? 2 : 0
  const last = points.at(-1)
  const start = points.find(({ isRead }) => isRead)
  const shown = hovered === null ? undefined : points[hovered]
  const across = (index: number) => `${((index + 0.5) / Math.max(points.length, 1)) * 100}%`
  const find = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setHovered(Math.max(0, Math.min(points.length - 1, Math.floor(((clientX - left) / width) * points.length))))
  }
  return (
    <figure
      className={styles.resultChart}
      aria-label={
        last === undefined
          ? accountText.noResultYet
          : last.sum === null
            ? unknownText(points)
            : start === points[0]
              ? accountText.netResultBy(amount(last.sum, { grouped: false }), last.day)
              : accountText.netResultFrom(amount(last.sum, { grouped: false }), start?.day ?? '', last.day)
      }
    >
      <div className={styles.resultPlot} onPointerMove={find} onPointerLeave={() => setHovered(null)}>
        <svg viewBox={`0 0 ${Math.max(points.length, 1)} 1000`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.resultZero} d={`M0 ${heightOf('0', span)}H${points.length}`} />
          <path className={styles.resultArea} d={area} />
          <path className={styles.resultLine} d={line} />
        </svg>
        <svg className={styles.resultDays} viewBox={`0 0 ${Math.max(points.length, 1)} 1000`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ net, zero }, index) =>
            net === zero ? null : (
              <rect
                key={points[index]?.day}
                className={net < zero ? styles.resultUp : styles.resultDown}
                x={index + 0.15}
                width={0.7}
                y={Math.min(net, zero)}
                height={Math.max(12, Math.abs(net - zero))}
              />
            ),
          )}
        </svg>
        {shown === undefined || hovered === null ? null : (
          <>
            <i className={styles.crosshair} style={{ left: across(hovered) }} />
            <div
              className={hovered > points.length / 2 ? cx(styles.resultTip, overlayStyles.menu, styles.isLeft) : cx(styles.resultTip, overlayStyles.menu)}
              style={{ left: across(hovered) }}
            >
              <span>{accountText.dayInUtc(monthDay(shown.day))}</span>
              <b>
                <Amount value={shown.sum} decimals={2} signed />
              </b>
              <span>{accountText.thatDay(<Amount value={shown.net} decimals={2} signed={shown.net !== null && signOf(shown.net) !== 0} />)}</span>
            </div>
          </>
        )}
      </div>
      {last?.sum === null ? <p className={cx(styles.resultUnknown, textStyles.warn)}>{unknownText(points)}</p> : null}
      <div className={styles.resultY} aria-hidden="true">
        {heights(span).map(({ value, at }) => (
          <span key={at} style={{ top: `${at * plotPart}%` }}>
            <Amount value={value} decimals={axis} />
          </span>
        ))}
      </div>
      <div className={styles.resultX} aria-hidden="true" translate="no">
        {ticks(points, 7).map((index) => (
          <span key={index} style={{ left: across(index) }}>
            {monthDay(points[index]?.day ?? '')}
          </span>
        ))}
      </div>
    </figure>
  )
}

/**
 * One UTC day: its result and the total so far, in exact USDC. The result is `null` if an amount of the day is missing. The total is `null` if an
 * amount of this day or an earlier day is missing. It starts on the first day of which every row was read (`isRead`).
 */
interface CurvePoint {
  readonly isRead: boolean
  /** The day in UTC, for example `2026-11-22`. */
  readonly day: string
  readonly net: string | null
  readonly sum: string | null
}

const plus = (sum: string | null, net: string | null): string | null => (sum === null || net === null ? null : add(sum, net))

/** Maximum number of days to draw. The first drawn day's total includes the results of all earlier days. */
const mostDays = 400

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * Returns every day from `fromMs` (or the first result) to today, even days without a result. From the first day with an unknown result on, the
 * total is unknown. Days up to `wholeFromMs` have neither a result nor a total, because the app has not read all their rows.
 */
export function resultCurve({ lines, wholeFromMs }: Pick<AccountReport, 'lines' | 'wholeFromMs'>, nowMs: number, fromMs: number | null): CurvePoint[] {
  const nets = new Map(lines.flatMap(({ name, net }) => (name === null ? [] : [[name, net] as const])))
  const first = [...nets.keys()].toSorted()[0]
  const begin = fromMs ?? (first === undefined ? nowMs : Date.parse(first))
  const from = Math.max(Math.floor(begin / day), Math.floor(nowMs / day) - mostDays + 1)
  const readFrom = wholeFromMs === null ? Number.NEGATIVE_INFINITY : Math.floor(wholeFromMs / day) + 1
  const before = [...nets].filter(([name]) => name < dayOf(from * day) && Date.parse(name) >= readFrom * day)
  let sum = before.reduce<string | null>((all, [, net]) => plus(all, net), '0')
  const points: CurvePoint[] = []
  for (let at = from; at <= Math.floor(nowMs / day); at += 1) {
    const name = dayOf(at * day)
    if (at < readFrom) {
      points.push({ isRead: false, day: name, net: null, sum: null })
      continue
    }
    // If the report lacks a day, no trade and no close happened on that day, so its result is 0.
    const net = nets.has(name) ? (nets.get(name) ?? null) : '0'
    sum = plus(sum, net)
    points.push({ isRead: true, day: name, net, sum })
  }
  return points
}

/** The range from the lowest to the highest value. It always includes 0, so that the chart has a baseline. */
export function spanOf(values: readonly string[]): { readonly low: string; readonly high: string } {
  const low = values.reduce((all, value) => minimum(all, value), '0')
  const high = values.reduce((all, value) => maximum(all, value), '0')
  return compare(low, high) === 0 ? { low, high: add(high, '1') } : { low, high }
}

/** Where to draw a value, from 0 (top of the chart) to 1,000 (bottom). */
export function heightOf(value: string, { low, high }: { readonly low: string; readonly high: string }): number {
  const span = subtract(high, low)
  return isZero(span) ? 1_000 : Number(multiply(divide(subtract(high, value), span, 6), '1000'))
}
