import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { day } from '../../../shared/time.ts'
import { cx } from '../cx.ts'
import textStyles from '../text.module.css'
import timePictureStyles from './time-picture.module.css'
import { type DrawnPoint, linePath, nearest, place, type Scale, scaleOf, timeTicks } from './time-picture-scale.ts'
import { dayText, exactTime, timeOfDay } from './time-text.ts'

/** A value as decimal text at a time in Unix milliseconds. */
export interface PicturePoint {
  readonly atMs: number
  readonly value: string
}

export interface PictureSeries {
  readonly id: string
  /** In words, since colour alone does not tell. */
  readonly name: string
  readonly tone: 'accent' | 'long' | 'short'
  readonly dashed?: boolean
  /** Oldest first. */
  readonly points: readonly PicturePoint[]
}

interface TimePictureProps {
  /** What it shows, for screen readers. */
  readonly label: string
  readonly series: readonly PictureSeries[]
  /** A value as people read it, with its unit. */
  readonly format: (value: string) => string
  /** The same for the axis, which has less room. */
  readonly formatTick: (value: number) => string
  /** Values hold until the next one. */
  readonly step?: boolean
  /** The zero line belongs to it. */
  readonly zero?: boolean
  /** Fills what lies under the line. For one series. */
  readonly filled?: boolean
  readonly nowMs: number
}

const drawn = (points: readonly PicturePoint[]): DrawnPoint[] => points.map(({ atMs, value }) => ({ atMs, value: Number(value) }))

const axisTime = (atMs: number, scale: Scale, nowMs: number): string =>
  scale.toMs - scale.fromMs > 2 * day || atMs % day === 0 ? dayText(atMs, nowMs) : timeOfDay(atMs).slice(0, 5)

/** How something went over time. The pointer or the arrow keys read single values off it. Draws nothing below two points. */
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
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
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
              <span>{exactTime(shownMs)}</span>
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
        {timeTicks(scale.fromMs, scale.toMs).map((tick) => (
          <span key={tick} style={{ left: `${place(scale, { atMs: tick, value: 0 }).x}%` }}>
            {axisTime(tick, scale, nowMs)}
          </span>
        ))}
      </div>
    </div>
  )
}
