import { assumed } from '../../../shared/api/assumptions.ts'
import { isRecord } from '../../../shared/api/loose.ts'
import type { Title } from '../../../shared/ipc/intents/titles.ts'
import { second } from '../../../shared/time.ts'
import { type EventName, isCorrection as isCorrectionType } from '../../../shared/webhooks/events.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { LabRecord } from '../lab/captures.ts'

/** An event that, according to the account's own history, the service must have sent. */
export interface ExpectedEvent {
  /** The expected event's unique key. It is the same in every check. */
  readonly key: string
  /** The event's type. Lists several if the history does not show which of them the service sent. */
  readonly types: readonly EventName[]
  /** Earliest and latest time at which the event may have happened, Unix ms. Equal when the history contains the exact time. */
  readonly fromMs: number
  readonly toMs: number
  readonly marks: readonly Mark[]
  /** Why the app cannot call the event missing: the service may not know the transaction hash (HOOK-09). `null`: the app can call it missing. */
  readonly doubt: 'not_reported' | 'elsewhere' | null
  /** When the app last saw the state that proves the event, as Unix ms. Left out if the event comes from the history just read. */
  readonly seenMs?: number
  /** True if the event may have happened long before the lab started listening. The window then shows the event only if the lab captured it. */
  readonly vague: boolean
  readonly about: {
    /** The title of this app's own intent; `null` if the event does not come from one. */
    readonly title: Title | null
    readonly symbol: string | null
    readonly side: string | null
    readonly size: string | null
    readonly unit: string | null
    readonly txHash: string | null
    readonly orderId: string | null
    readonly intentRef: string | null
  }
}

export const aboutOwn = ({ symbol, side, ref, title }: IntentRow, txHash: string | null): ExpectedEvent['about'] => ({
  ...{ symbol, side, size: null, unit: null, txHash, orderId: null, intentRef: ref, title },
})

/** A captured event, with the identifiers and times in its data that the app uses to match it. */
export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly atMs: number
  readonly terms: ReadonlySet<string>
  readonly hashes: ReadonlySet<string>
}

export interface Captured extends SentEvent {
  /** True if a correction revoked the event, so the event proves nothing about the final state. */
  readonly isRevoked: boolean
  /** True if the event itself is a correction, which revokes an earlier event. */
  readonly isCorrection: boolean
  /** For a correction event: the id of the event that it revokes. `null` if it names no event, or if this is no correction event. */
  readonly revokedId: string | null
}

export const capturedOf = ({ captures }: LabRecord): Captured[] =>
  captures.events().map(({ id, type, createdAt, delivery, revokes, revokedBy }) => ({
    ...{ id, type, atMs: createdAt * second, revokedId: revokes?.id ?? null, isRevoked: revokedBy.length > 0 },
    isCorrection: revokes !== null || isCorrectionType(type),
    ...marksIn(dataOf(delivery.body)),
  }))

/** Since when the lab has dropped no captured event, as Unix ms; `null` if it never dropped one. */
export function keptFrom({ captures }: LabRecord): number | null {
  if (captures.counts().droppedEvents === 0) return null
  return captures.events().reduce((first, { attempts }) => Math.min(first, attempts[0]?.atMs ?? first), Number.POSITIVE_INFINITY)
}

/** Remembers from one check to the next when the app saw each state that has no timestamp in the history. Kept in memory only. */
export interface Observations {
  /**
   * Returns when an order, trade or transaction ended, as a time range in Unix ms. `openMs`: when the app last read that it was open; `null` if
   * never. `seenMs`: when the app first read that it had ended.
   */
  ended(
    name: string,
    hasEnded: boolean,
    read: { readonly askedMs: number; readonly readMs: number },
  ): { readonly openMs: number | null; readonly seenMs: number }
}

const most = 20_000

export function createObservations(): Observations {
  const seen = new Map<string, { readonly openMs: number | null; readonly seenMs: number | null }>()
  return {
    ended: (name, hasEnded, { askedMs, readMs }) => {
      const before = seen.get(name) ?? { openMs: null, seenMs: null }
      // The history shows the row as open again, so a reorganisation undid its end.
      const now = hasEnded ? { openMs: before.openMs, seenMs: before.seenMs ?? readMs } : { openMs: askedMs, seenMs: null }
      seen.delete(name)
      seen.set(name, now)
      const [oldest] = seen.keys()
      if (seen.size > most && oldest !== undefined) seen.delete(oldest)
      return { openMs: now.openMs, seenMs: now.seenMs ?? readMs }
    },
  }
}

/** Kinds of identifiers by which an event can be recognised, most specific first. */
const markKinds = ['transaction', 'trade', 'intent', 'order', 'position'] as const
export type MarkKind = (typeof markKinds)[number]

/** An identifier of something that happened, for example its transaction hash. */
export interface Mark {
  readonly kind: MarkKind
  readonly value: string
}

/**
 * How strongly a shared identifier of each kind suggests that two events match. A position id counts least, because many events share it. A hash plus
 * an order id counts more than a hash alone.
 */
export const weights: Readonly<Record<MarkKind, number>> = { transaction: 8, trade: 8, intent: 4, order: 4, position: 1 }

const hash = /^0x[0-9a-f]{64}$/
export const isHash = (value: string): boolean => hash.test(value)

/** True if a value is short. It may then be a market, a row number or a count, so it counts as an identifier only if the name of its field fits. */
const isPlain = (value: string): boolean => value.length < 6 || /^\d{1,9}$/.test(value)

const words: Readonly<Record<MarkKind, readonly string[]>> = assumed.webhookData.fields

/** The lookup term for an identifier, in the form in which `marksIn` collects terms from an event. */
export const termOf = ({ kind, value }: Mark): string => {
  const low = value.toLowerCase()
  return isPlain(low) ? `${kind}:${low}` : low
}

interface Said {
  readonly terms: ReadonlySet<string>
  /** Every transaction hash in the event. */
  readonly hashes: ReadonlySet<string>
}

/** The deepest nesting to search. Real events are never this deep. */
const deepest = 12

/**
 * Collects every value in an event's `data` as a lookup term. The exchange's documentation does not describe the fields, so the app searches all
 * of them and ignores case. A short number counts only if the name of its field fits or is `id`.
 */
export function marksIn(data: unknown): Said {
  const terms = new Set<string>()
  const hashes = new Set<string>()
  const walk = (value: unknown, name: string, depth: number): void => {
    if (depth > deepest || value === null) return
    if (Array.isArray(value)) for (const item of value) walk(item, name, depth + 1)
    else if (isRecord(value)) for (const [key, inner] of Object.entries(value)) walk(inner, key === 'id' ? `${name} id` : key, depth + 1)
    else if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).toLowerCase()
      if (isHash(text)) hashes.add(text)
      if (!isPlain(text)) terms.add(text)
      else for (const kind of markKinds) if (name === ' id' || words[kind].some((word) => name.toLowerCase().includes(word))) terms.add(`${kind}:${text}`)
    }
  }
  walk(data, '', 0)
  return { terms, hashes }
}

/** The `data` of a delivery's body; `null` if absent. Keeps every digit of numbers too large for a JavaScript number. */
export function dataOf(body: Uint8Array): unknown {
  try {
    const exact = (_key: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value
    const read: unknown = JSON.parse(Buffer.from(body).toString('utf8'), exact)
    return isRecord(read) ? (read.data ?? null) : null
  } catch {
    return null
  }
}
