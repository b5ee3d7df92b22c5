import type { GapCheck, GapRow } from '../../../shared/ipc/webhooks/gaps.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { second } from '../../../shared/time.ts'
import { type EventName, eventNames } from '../../../shared/webhooks/events.ts'
import type { LabRecord } from '../lab/captures.ts'
import type { Judged, judge } from './corrections.ts'
import type { Captured } from './expected.ts'
import { graceMs } from './explained-events.ts'
import type { Reading } from './history-reading.ts'

const mostRows = 5_000
const mostExtra = 100
/** The source from which the app concludes that the service must have sent an event of this type. `nothing`: no source shows such events. */
const sourceOf: Readonly<Record<EventName, 'history' | 'transactions' | 'reorganisation' | 'nothing' | 'never sent'>> = {
  'order.accepted': 'history',
  'order.filled': 'history',
  'order.partially_filled': 'history',
  'order.cancelled': 'history',
  'position.changed': 'history',
  liquidation: 'history',
  'liquidation.warning': 'never sent',
  'funding.charged': 'nothing',
  'funding.credited': 'nothing',
  'collateral.changed': 'transactions',
  'transaction.confirmed': 'transactions',
  'transaction.reverted': 'transactions',
  'transaction.pending': 'reorganisation',
  'chain.reorg': 'reorganisation',
}

export interface Answering {
  readonly judged: ReturnType<typeof judge>
  readonly captured: readonly Captured[]
  readonly webhook: WebhookSummary | null
  readonly spans: LabRecord['spans']
  readonly reading: Reading
  readonly isSubscribed: (type: string) => boolean
  /** Start of the period to show, Unix ms. Rows and events before this time are left out. */
  readonly fromMs: number
}

const rowOf = ({ expected, takesBack, result, why, by, eventId, revokedId, dueMs }: Judged): GapRow => ({
  ...{
    key: expected.key,
    atMs: expected.fromMs === expected.toMs ? expected.fromMs : null,
    byMs: expected.toMs,
    types: [...expected.types],
    ...expected.about,
  },
  ...{ result, why, by, eventId, revokedId, takesBackId: takesBack?.id ?? null, takesBackType: takesBack?.type ?? null, dueMs },
})

/**
 * Builds the result of a gap check for the window. `extra` lists captured events that the history doesn't explain. An event captured after the
 * history was read is left out, because the next reading may explain it.
 */
export function answerOf({ judged, captured, webhook, spans, reading, isSubscribed, fromMs }: Answering): Extract<GapCheck, { kind: 'checked' }> {
  const { source, askedMs, readMs } = reading
  const shown = judged.rows
    .filter(({ expected: { toMs } }) => toMs >= fromMs)
    .sort((a, b) => b.expected.toMs - a.expected.toMs || (a.expected.key < b.expected.key ? -1 : 1))
  const extra = judged.extra.filter(({ atMs }) => atMs >= fromMs - second && atMs <= askedMs).sort((a, b) => b.atMs - a.atMs)
  const count = (result: Judged['result']) => shown.filter((one) => one.result === result).length
  return {
    kind: 'checked',
    webhook: webhook === null ? null : { id: webhook.id, url: webhook.url, events: webhook.events },
    spans: [...spans],
    rows: shown.slice(0, mostRows).map(rowOf),
    counts: { expected: shown.length, captured: count('captured'), missing: count('missing'), due: count('due'), unjudged: count('unjudged') },
    extra: { count: extra.length, events: extra.slice(0, mostExtra).map(({ id, type, atMs }) => ({ id, type, createdAtMs: atMs })) },
    corrections: captured.filter(({ isCorrection, atMs }) => isCorrection && atMs >= fromMs).length,
    untold: eventNames.filter((type) => sourceOf[type] === 'nothing' && isSubscribed(type)),
    graceMs,
    source,
    readAtMs: readMs,
  }
}
