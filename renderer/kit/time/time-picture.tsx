import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { day, hour, minute } from '../../../shared/time.ts'
import { cx } from '../cx.ts'
import { pressed } from '../key-bindings.ts'
import textStyles from '../text.module.css'
import { dayText, exactTime, minuteOfDay, titleTime, zoneOffsetMs } from './time.tsx'
import timePictureStyles from './time-picture.module.css'

/** A value as decimal text at a time in Unix milliseconds. */
export interface PicturePoint {
  readonly atMs: number
  readonly value: string
}

export interface PictureSeries {
  readonly id: string
  /** The name of the series, because colour alone is not enough to tell series apart. */
  readonly name: string
  readonly tone: 'accent' | 'long' | 'short'
  readonly dashed?: boolean
  /** The points of the line, oldest first. */
  readonly points: readonly PicturePoint[]
}

interface TimePictureProps {
  readonly label: string
  readonly series: readonly PictureSeries[]
  /** Formats a value with its unit, for display. */
  readonly format: (value: string) => string
  /** Formats a value for the axis, which has less room than other places. */
  readonly formatTick: (value: number) => string
  /** True to draw steps: each value is drawn unchanged until the next one. */
  readonly step?: boolean
  /** True to include zero in the scale. */
  readonly zero?: boolean
  /** True to fill the area under the line. Only for a chart with a single series. */
  readonly filled?: boolean
  readonly nowMs: number
}

const drawn = (points: readonly PicturePoint[]): DrawnPoint[] => points.map(({ atMs, value }) => ({ atMs, value: Number(value) }))

const axisTime = (atMs: number, scale: Scale, nowMs: number): string =>
  scale.toMs - scale.fromMs > 2 * day || (atMs + zoneOffsetMs(atMs)) % day === 0 ? dayText(atMs, nowMs) : minuteOfDay(atMs)

/** A line chart over time. With the pointer or the arrow keys, the user sees single values. Draws nothing if there are fewer than two points. */
export function TimePicture({ label, series, format, formatTick, step = false, zero = false, filled = false, nowMs }: TimePictureProps) {
  const [atMs, setAtMs] = useState<number | null>(null)
  const lines = series.map((one) => ({ ...one, drawn: drawn(one.points) }))
  const scale = scaleOf(
    lines.flatMap((line) => line.drawn),
    zero,
  )
  const [lead] = lines
  if (scale === null || lead === undefined) return null
  const last = lead.drawn.length - 1
  const index = atMs === null ? last : nearest(lead.drawn, atMs)
  const shownMs = lead.points[index]?.atMs ?? scale.toMs
  const values = lines.flatMap(({ id, name, tone, points, drawn: all }) => {
    const point = points[nearest(all, shownMs)]
    return point === undefined ? [] : [{ id, name, tone, text: format(point.value) }]
  })
  const cursor = place(scale, { atMs: shownMs, value: lead.drawn[index]?.value ?? 0 })

  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setAtMs(scale.fromMs + ((event.clientX - box.left) / box.width) * (scale.toMs - scale.fromMs))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressed(event, 'chartLeft', 'chartRight', 'chartFirst', 'chartLast')
    if (key === null) return
    event.preventDefault()
    const to = { chartLeft: index - 1, chartRight: index + 1, chartFirst: 0, chartLast: last }[key]
    setAtMs(lead.drawn[Math.max(0, Math.min(last, to))]?.atMs ?? null)
  }
  return (
    <div className={timePictureStyles.timePicture}>
      <div
        className={timePictureStyles.picturePlot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={`${exactTime(shownMs)}: ${values.map(({ name, text }) => (lines.length === 1 ? text : `${name} ${text}`)).join(', ')}`}
        onPointerMove={point}
        onPointerLeave={() => setAtMs(null)}
        onKeyDown={onKeyDown}
        onBlur={() => setAtMs(null)}
      >
        {scale.ticks.map((tick) => (
          <i
            key={tick}
            className={zero && tick === 0 ? cx(timePictureStyles.pictureRule, timePictureStyles.zero) : timePictureStyles.pictureRule}
            style={{ top: `${place(scale, { atMs: scale.fromMs, value: tick }).y}%` }}
          />
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {lines.map((line) => (
            <g key={line.id} className={cx(timePictureStyles.pictureLine, timePictureStyles[line.tone], line.dashed === true ? timePictureStyles.dashed : '')}>
              {filled ? (
                <path
                  className={timePictureStyles.pictureFill}
                  d={`${linePath(scale, line.drawn, step)}V100H${place(scale, line.drawn[0] ?? { atMs: 0, value: 0 }).x}Z`}
                />
              ) : null}
              <path d={linePath(scale, line.drawn, step)} />
            </g>
          ))}
        </svg>
        {atMs === null ? null : (
          <>
            <i className={timePictureStyles.pictureCursor} style={{ left: `${cursor.x}%` }} />
            <i className={timePictureStyles.pictureDot} style={{ left: `${cursor.x}%`, top: `${cursor.y}%` }} />
            <div
              className={cursor.x > 60 ? cx(timePictureStyles.pictureTip, timePictureStyles.before) : timePictureStyles.pictureTip}
              style={{ left: `${cursor.x}%` }}
            >
              <span title={titleTime(shownMs)}>{exactTime(shownMs)}</span>
              {values.map(({ id, name, tone, text }) => (
                <b key={id}>
                  {lines.length === 1 ? null : <em className={tone === 'long' ? textStyles.up : tone === 'short' ? textStyles.down : undefined}>{name}</em>}
                  {text}
                </b>
              ))}
            </div>
          </>
        )}
      </div>
      <div className={timePictureStyles.pictureValues} aria-hidden="true">
        {scale.ticks.map((tick) => (
          <span key={tick} style={{ top: `${place(scale, { atMs: scale.fromMs, value: tick }).y}%` }}>
            {formatTick(tick)}
          </span>
        ))}
      </div>
      <div className={timePictureStyles.pictureTimes} aria-hidden="true">
        {timeTicks(scale.fromMs, scale.toMs, zoneOffsetMs).map((tick) => (
          <span key={tick} style={centredAt(place(scale, { atMs: tick, value: 0 }).x)}>
            {axisTime(tick, scale, nowMs)}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Centres an axis label at `x` percent, or moves it inwards as far as it needs to stay within the axis. */
const centredAt = (x: number) => ({ left: `${x}cqw`, translate: `min(max(-50%, ${-x}cqw), ${100 - x}cqw - 100%)` })

/** A point with a floating-point value, only for drawing. No other code reads or sends it. */
interface DrawnPoint {
  readonly atMs: number
  readonly value: number
}

interface Scale {
  readonly fromMs: number
  readonly toMs: number
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

const steps = [1, 2, 2.5, 5, 10]

/** Returns up to `wanted` + 1 round values between `low` and `high`. */
export function roundTicks(low: number, high: number, wanted: number): readonly number[] {
  const rough = (high - low) / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (steps.find((one) => one * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  // Multiply instead of adding, so that rounding errors don't accumulate.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step)
}

/**
 * A scale that contains all points with some room above and below; with `zero`, also the value 0.
 * `null` if all points have the same time.
 */
export function scaleOf(points: readonly DrawnPoint[], zero: boolean): Scale | null {
  if (points.length === 0) return null
  const times = points.map(({ atMs }) => atMs)
  const values = [...points.map(({ value }) => value), ...(zero ? [0] : [])]
  const [fromMs, toMs] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  if (fromMs === toMs) return null
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  const room = least === most ? Math.abs(least) * 0.05 || 1 : (most - least) * 0.08
  const [low, high] = [least - room, most + room]
  return { fromMs, toMs, low, high, ticks: roundTicks(low, high, 4) }
}

const spacings = [
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
]

/** Maximum number of ticks. With more, the labels of a narrow chart would touch. */
const mostTicks = 6.5

/**
 * The times at which to label the axis, round in the time zone; at most `mostTicks`. Leaves out times whose label would not fit at an end of the
 * axis.
 */
export function timeTicks(fromMs: number, toMs: number, offsetMs: (ms: number) => number): readonly number[] {
  const spacing = spacings.find((one) => (toMs - fromMs) / one <= mostTicks) ?? 28 * day * Math.ceil((toMs - fromMs) / (28 * day * mostTicks))
  const first = Math.ceil((fromMs + offsetMs(fromMs)) / spacing)
  const edge = (toMs - fromMs) * 0.06
  const clocks = Array.from({ length: Math.floor((toMs + offsetMs(toMs)) / spacing) - first + 1 }, (_, index) => (first + index) * spacing)
  // The time zone's offset may change within the chart, for example at the end of daylight saving time. So use the offset at each tick.
  const times = clocks.map((clock) => clock - offsetMs(clock - offsetMs(clock)))
  return times.filter((time) => time >= fromMs + edge && time <= toMs - edge)
}

/** Where to draw a point, in percent from the left and from the top. */
export const place = ({ fromMs, toMs, low, high }: Scale, { atMs, value }: DrawnPoint): { readonly x: number; readonly y: number } => ({
  x: ((atMs - fromMs) / (toMs - fromMs)) * 100,
  y: ((high - value) / (high - low)) * 100,
})

/** The path of a line through the points. With `step`, each value continues unchanged until the next one. */
export function linePath(scale: Scale, points: readonly DrawnPoint[], step: boolean): string {
  return points
    .map((point, index) => {
      const { x, y } = place(scale, point)
      const at = `${x.toFixed(3)} ${y.toFixed(3)}`
      if (index === 0) return `M${at}`
      return step ? `H${x.toFixed(3)}V${y.toFixed(3)}` : `L${at}`
    })
    .join('')
}

/** The index of the point closest to a time. `points` must be in order of time. */
export function nearest(points: readonly DrawnPoint[], atMs: number): number {
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((points[middle]?.atMs ?? 0) < atMs) low = middle + 1
    else high = middle
  }
  const before = points[low - 1]
  const after = points[low]
  return before !== undefined && after !== undefined && atMs - before.atMs < after.atMs - atMs ? low - 1 : low
}
