import { endedAsMeant } from '../../../shared/api/reader/answer.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { Intent, IntentState, RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import { noteText } from '../../../shared/text/intent-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { minute, second } from '../../../shared/time.ts'
import { intentLook } from '../../kit/layout/state.tsx'
import { confirmedBlocks, finalConfirmations, isTerminal, stateMeaning, statesAhead } from '../../signing/progress/intent-path.ts'
import { activityText } from '../../text/en/activity.en.tsx'

export type TimelineEntry = Output<'intents.get'>['timeline'][number]

export interface TimelineRow {
  readonly key: string
  readonly state: IntentState
  readonly word: string
  readonly note: string
  readonly mark: 'done' | 'now' | 'next' | 'bad' | 'lost'
  /** When the intent reached the state; `null` for a step still to come. Shown only in the first row; other rows show `sinceFirstMs`. */
  readonly atMs: number | null
  readonly sinceFirstMs: number | null
}

const bad: ReadonlySet<IntentState> = new Set(['REFUSED', 'REVERTED', 'EXPIRED', 'CANCELLED'])

function markOf(state: IntentState, last: boolean): TimelineRow['mark'] {
  if (state === 'UNKNOWN') return last ? 'lost' : 'done'
  if (bad.has(state)) return 'bad'
  return last && !isTerminal(state) ? 'now' : 'done'
}

/** The word for a state that the intent reached or will reach. */
const wordOf = ({ title }: Intent, state: IntentState): string => intentLook({ title, state, reason: null }).word

/** The rows of an intent's timeline: first the steps that happened, in order, then the steps that follow if the intent succeeds. */
export function timelineRows(intent: Intent, timeline: readonly TimelineEntry[]): readonly TimelineRow[] {
  const first = timeline[0]?.atMs ?? intent.createdAtMs
  const passed = timeline.map((entry, index): TimelineRow => {
    const last = index === timeline.length - 1
    const count = confirmedBlocks(intent.state, intent.confirmations)
    // The same state twice in a row means that the second entry is an event after the intent's end, not another state.
    const before = timeline[index - 1]?.state
    const again = before === entry.state
    // The wallet was asked and did not approve, so the intent is where it was before. An intent of several transactions also returns after an approved
    // one, but then without the reason that the wallet gave.
    const unapproved = before === 'ASKED' && entry.state === 'PREPARED' && (intent.way !== 'transactions' || entry.note?.code === 'said')
    // The relay did not accept the signature, so it can be sent again.
    const unrelayed = before === 'SENT' && entry.state === 'SIGNED'
    const word = again
      ? activityText.afterwards
      : unapproved
        ? activityText.notApproved
        : unrelayed
          ? activityText.notRelayed
          : entry.state === 'CONFIRMING' && last
            ? activityText.confirmingOf(count, finalConfirmations)
            : wordOf(intent, entry.state)
    return {
      key: `${index}:${entry.state}`,
      state: entry.state,
      word,
      note: (entry.note === null ? null : noteText(entry.note)) ?? stateMeaning(entry.state, intent.way),
      mark: (unapproved || unrelayed) && !last ? 'bad' : markOf(entry.state, last),
      atMs: entry.atMs,
      sinceFirstMs: index === 0 ? null : entry.atMs - first,
    }
  })
  const ahead = statesAhead(intent.state, intent.way).map(
    (state): TimelineRow => ({
      key: `next:${state}`,
      state,
      word: wordOf(intent, state),
      note: stateMeaning(state, intent.way),
      mark: 'next',
      atMs: null,
      sinceFirstMs: null,
    }),
  )
  return [...passed, ...ahead]
}

/** Formats the time since the first entry: `+84 ms`, `+11.2 s`, `+3 min 5 s`. Never negative, even if a clock was set back. */
export function sinceText(ms: number): string {
  if (ms < second) return activityText.sinceMilliseconds(Math.max(0, ms))
  if (ms < minute) return activityText.sinceSeconds((ms / second).toFixed(1))
  return activityText.sinceMinutes(Math.floor(ms / minute), Math.floor((ms % minute) / second))
}

/** Shortens a request's path: shows its end, with long hex ids shortened. */
export function shortPath(path: string): string {
  const bare = path.replace(/^\/api\/dex(\/v1)?/, '').replace(/(0x[0-9a-f]{4})[0-9a-f]{6,}/gi, '$1…')
  return bare.length > 34 ? `…${bare.slice(-33)}` : bare
}

export function requestTone(record: Pick<RequestRecord, 'status' | 'endpoint' | 'outcome'>): 'ok' | 'warn' | 'danger' | 'neutral' {
  const { status } = record
  if (status === null) return 'danger'
  if (status < 300) return 'ok'
  if (status < 400 || endedAsMeant(record)) return 'neutral'
  return status === 429 ? 'warn' : 'danger'
}

const words = (intent: Intent): string =>
  [titleText(intent.title), intent.symbol, intent.state, intentLook(intent).word, intent.intentId, intent.txHash, intent.ref]
    .filter((part) => part !== null)
    .join(' ')
    .toLowerCase()

export const findIntents = (intents: readonly Intent[], typed: string): readonly Intent[] =>
  intents.filter((intent) => words(intent).includes(typed.trim().toLowerCase()))
