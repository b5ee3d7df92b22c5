import type { GapCheck, GapRow } from '../../../../shared/ipc/webhooks/gaps.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'

export type Checked = Extract<GapCheck, { kind: 'checked' }>

export const resultLooks: Readonly<Record<GapRow['result'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  captured: { tone: 'ok', icon: 'check', word: 'Captured' },
  missing: { tone: 'danger', icon: 'x', word: 'Missing' },
  due: { tone: 'busy', icon: 'hourglass', word: 'Still due' },
  unjudged: { tone: 'off', icon: 'unknown', word: 'Not judged' },
}

/** Why an event is not called missing: in a few words, and whole. */
export const whyWords: Readonly<Record<NonNullable<GapRow['why']>, { readonly short: string; readonly whole: string }>> = {
  not_listened: { short: 'lab was closed', whole: 'The lab did not listen while it could come.' },
  time_unknown: { short: 'time not told', whole: 'The history does not tell when it happened, and it may have come before the lab listened.' },
  before_subscription: { short: 'before the webhook', whole: 'It happened before the webhook was made. Nothing is sent of it.' },
  not_reported: { short: 'hash not reported', whole: 'The service was not told its hash. Report it, and its event comes.' },
  elsewhere: { short: 'made elsewhere', whole: 'It was not made by this app, which cannot tell whether the service knows its hash.' },
  made_room: { short: 'made room', whole: 'The lab keeps 10,000 events, and what came then made room for later ones.' },
  disabled: { short: 'webhook is disabled', whole: 'The webhook is disabled, and the service does not say since when.' },
  taken_back: {
    short: 'taken back since',
    whole: 'It came, and a correction took it back after the app had seen its transaction settled. Whether it stands again is not known here.',
  },
  never_delivered: {
    short: 'nothing to take back',
    whole: 'The event that it would take back was not captured. The document does not say whether it is corrected all the same.',
  },
  stands: { short: 'stands again', whole: 'The history has what the event told, still or again: it need not be taken back.' },
  events_not_said: { short: 'events not told', whole: 'The service does not say which events the webhook is subscribed to.' },
}

export const foundWords: Readonly<Record<NonNullable<GapRow['by']>, string>> = {
  transaction: 'Hash',
  trade: 'Trade id',
  intent: 'Intent id',
  order: 'Order id',
  position: 'Position id',
  event: 'Event id',
  count: 'Count and time',
}

const number = (count: number): string => count.toLocaleString('en-US')
const events = (count: number): string => `${number(count)} ${count === 1 ? 'event' : 'events'}`

/** What came of it, in a sentence. */
export function summaryOf({ counts: { expected, captured, missing, due, unjudged } }: Checked): { readonly tone: StateTone; readonly sentence: string } {
  const judged = captured + missing
  if (missing > 0) return { tone: 'danger', sentence: `${number(missing)} of ${events(judged)} missing` }
  if (due > 0) return { tone: 'busy', sentence: judged > 0 ? `${number(captured)} captured, ${number(due)} still due` : `${events(due)} still due` }
  if (judged > 0) return { tone: 'ok', sentence: judged === 1 ? 'The one event was captured' : `All ${events(judged)} captured` }
  return { tone: 'off', sentence: unjudged > 0 ? 'Nothing could be judged' : expected === 0 ? 'Nothing was to come' : '' }
}
