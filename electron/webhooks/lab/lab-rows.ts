import type { LabRow } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../shared/time.ts'
import type { Captures } from './captures.ts'
import { eventRow, refusedRow } from './lab-row.ts'

/** The first number from 0 up to `end` for which `holds`; it holds for all after it. */
function firstOf(end: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export const rowCount = (captures: Captures): number => {
  const { events, unverified } = captures.counts()
  return events + unverified
}

/**
 * Rows `from` up to `to` of events by created_at and of refused deliveries by the time at which they came, in one list. Only the rows of the window
 * are made, however many there are.
 */
export function labRows(captures: Captures, from: number, to: number): LabRow[] {
  const refused = captures.unverified()
  const { events: count, droppedUnverified } = captures.counts()
  const eventsUntil = (atMs: number) => firstOf(count, (index) => (captures.events(index, index + 1)[0]?.createdAt ?? 0) * second > atMs)
  const placeOf = (index: number) => index + eventsUntil(refused[index]?.atMs ?? 0)
  const end = Math.min(to, count + refused.length)
  const first = firstOf(refused.length, (index) => placeOf(index) >= from)
  const events = captures.events(from - first, Math.max(0, end - first))
  const rows: LabRow[] = []
  let [nextRefused, nextEvent] = [first, 0]
  for (let place = from; place < end; place += 1) {
    const one = refused[nextRefused]
    const event = events[nextEvent]
    if (one !== undefined && (event === undefined || placeOf(nextRefused) <= place)) {
      rows.push(refusedRow(one, droppedUnverified + nextRefused + 1))
      nextRefused += 1
    } else if (event !== undefined) {
      rows.push(eventRow(event))
      nextEvent += 1
    }
  }
  return rows
}
