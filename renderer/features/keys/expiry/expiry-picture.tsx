import { useState } from 'react'
import type { ExpiryItem } from '../../../../shared/ipc/keys/expiry.ts'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { roveOnKey } from '../../../kit/roving.ts'
import textStyles from '../../../kit/text.module.css'
import { exactTime } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from './expiry.module.css'
import { bands, type ExpiryMark, type ExpiryPoint, endTone, expiryMarks, expiryPosition, markText } from './expiry-axis.ts'

export interface ExpiryLane {
  readonly id: ExpiryItem['kind'] | 'replacement'
  /** The heading of the lane. It names the kind of item that the lane's marks show. */
  readonly name: string
  readonly icon: IconName
  readonly points: readonly ExpiryPoint[]
}

interface PictureProps {
  readonly lanes: readonly ExpiryLane[]
  readonly noticeDays: readonly number[]
  readonly nowMs: number
  /** Called with the id of the table row that describes the pressed mark. */
  readonly onPick: (rowId: string) => void
}

const width = `${100 / (bands.length + 1)}%`

interface MarkProps {
  readonly mark: ExpiryMark
  readonly lane: ExpiryLane
  readonly nowMs: number
  /** True if Tab moves the focus to this mark. The arrow keys move it to the others. */
  readonly first: boolean
  readonly onShow: () => void
  readonly onPick: () => void
}

function Mark({ mark, lane, nowMs, first, onShow, onPick }: MarkProps) {
  const [point] = mark.points
  // The start of a replacement is harmless, so its mark has no warning colour.
  const tone = lane.id === 'replacement' ? 'calm' : endTone(lane.id, point.atMs === null ? null : point.atMs - nowMs)
  return (
    <button
      type="button"
      className={cx(styles.expiryPoint, styles[lane.id], styles[tone], point.sure === 'exact' ? '' : styles.vague)}
      style={{ left: `${mark.at}%` }}
      tabIndex={first ? 0 : -1}
      aria-label={lane.id === 'replacement' ? keysText.listedApart(mark.points.map(({ title }) => title)) : markText(mark, lane.id, nowMs)}
      onFocus={onShow}
      onMouseEnter={onShow}
      onClick={onPick}
    >
      <Icon name={lane.icon} size={14} />
      {mark.points.length === 1 ? null : <b>{mark.points.length}</b>}
    </button>
  )
}

/** The timeline with one lane each for sign-in, keys, grants and replacements. The table below it describes the same items in words. */
export function ExpiryPicture({ lanes, noticeDays, nowMs, onPick }: PictureProps) {
  const [shownId, setShownId] = useState<string | null>(null)
  const drawn = lanes.map((lane) => ({ lane, marks: expiryMarks(lane.id, lane.points, nowMs) }))
  const all = drawn.flatMap(({ lane, marks }) => marks.map((mark) => ({ lane, mark })))
  const shown = all.find(({ mark }) => mark.id === shownId) ?? null
  const tabbed = shown ?? all[0] ?? null
  const at = shown?.mark.points[0].atMs ?? null
  const notices = noticeDays.filter((days) => days > 0)
  return (
    <figure className={styles.expiryPicture}>
      <div className={cx(styles.expiryRow, styles.expiryAxis)} aria-hidden="true">
        <span />
        <div className={styles.expiryLine}>
          {bands.map(({ label }) => (
            <span key={label} style={{ width }}>
              {label}
            </span>
          ))}
          <span style={{ width }}>{keysText.notKnown}</span>
          <em style={{ left: `${expiryPosition(0)}%` }}>{keysText.now}</em>
          {notices.map((days) => (
            <em key={days} style={{ left: `${expiryPosition(days)}%` }}>
              <Icon name="bell" size={12} />
            </em>
          ))}
        </div>
      </div>
      <div role="toolbar" aria-label={keysText.timeline} onKeyDown={(event) => roveOnKey(event, 'button', false)}>
        {drawn.map(({ lane, marks }) => (
          <div key={lane.id} className={styles.expiryRow}>
            <span className={styles.expiryName}>
              <Icon name={lane.icon} />
              {lane.name}
            </span>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
            <div className={styles.expiryLine} role="group" aria-label={lane.name}>
              <i className={styles.expiryNow} style={{ left: `${expiryPosition(0)}%` }} />
              {notices.map((days) => (
                <i key={days} className={styles.expiryNotice} style={{ left: `${expiryPosition(days)}%` }} />
              ))}
              {marks.map((mark) => (
                <Mark
                  key={mark.id}
                  mark={mark}
                  lane={lane}
                  nowMs={nowMs}
                  first={mark.id === tabbed?.mark.id}
                  onShow={() => setShownId(mark.id)}
                  onPick={() => onPick(mark.points[0].rowId)}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <figcaption className={styles.expiryTell}>
        {shown === null ? (
          <>
            <Icon name="bell" size={14} />
            <span>{keysText.noticeDays(notices)}</span>
          </>
        ) : (
          <>
            <Icon name={shown.lane.icon} size={14} />
            <b className={textStyles.cut}>
              {shown.lane.id === 'replacement' ? keysText.listedApart(shown.mark.points.map(({ title }) => title)) : markText(shown.mark, shown.lane.id, nowMs)}
            </b>
            {at === null ? null : <span className={textStyles.muted}>{exactTime(at)}</span>}
          </>
        )}
      </figcaption>
    </figure>
  )
}
