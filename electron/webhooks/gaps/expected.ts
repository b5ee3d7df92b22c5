import { assumed } from '../../../shared/api/assumptions.ts'
import { isRecord } from '../../../shared/api/loose.ts'
import { second } from '../../../shared/time.ts'
import { type EventName, isCorrection as isCorrectionType } from '../../../shared/webhooks/events.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { LabRecord } from '../lab/lab-record.ts'

/** An event that the account's own history says must have been sent. */
export interface ExpectedEvent {
  /** Stable, each once. */
  readonly key: string
  /** Its type; more than one where history does not tell which of them. */
  readonly types: readonly EventName[]
  /** When it happened at the earliest and at the latest, Unix ms. The same where history tells. */
  readonly fromMs: number
  readonly toMs: number
  readonly marks: readonly Mark[]
  /** Why it cannot be called missing: the service need not know its hash (HOOK-09). */
  readonly doubt: 'not_reported' | 'elsewhere' | null
  /** When the app last saw it so, Unix ms; absent: it is in the history that was read. */
  readonly seenMs?: number
  /** It may have happened long before anybody listened: shown only where it was captured. */
  readonly vague: boolean
  readonly about: {
    /** Of this app's own intent. */
    readonly title: string | null
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

/** An event that was captured, with what it says of itself. */
export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly atMs: number
  readonly terms: ReadonlySet<string>
  readonly hashes: ReadonlySet<string>
}

export interface Captured extends SentEvent {
  /** A correction took it back: it does not count for how things ended. */
  readonly isRevoked: boolean
  /** Is a correction itself. */
  readonly isCorrection: boolean
  /** Of a correction: the event that it names. null: it names none, or it is no correction. */
  readonly revokedId: string | null
}

export const capturedOf = ({ captures }: LabRecord): Captured[] =>
  captures.events().map(({ id, type, createdAt, delivery, revokes, revokedBy }) => ({
    ...{ id, type, atMs: createdAt * second, revokedId: revokes?.id ?? null, isRevoked: revokedBy.length > 0 },
    isCorrection: revokes !== null || isCorrectionType(type),
    ...marksIn(dataOf(delivery.body)),
  }))

/** From when on nothing that came is gone again, Unix ms; null: nothing went. */
export function keptFrom({ captures }: LabRecord): number | null {
  if (captures.counts().droppedEvents === 0) return null
  return captures.events().reduce((first, { attempts }) => Math.min(first, attempts[0]?.atMs ?? first), Number.POSITIVE_INFINITY)
}

/** When something that has no time of its own was seen, from one check to the next. In memory. */
export interface Observations {
  /**
   * What is known of when it ended. `openMs`: the last time it had not yet; null: nobody looked before. `seenMs`: the first time it had, or now.
   */
  ended(
    name: string,
    hasEnded: boolean,
    read: { readonly askedMs: number; readonly readMs: number },
  ): { readonly openMs: number | null; readonly seenMs: number }
}

/** The oldest go. */
const most = 20_000

export function createObservations(): Observations {
  const seen = new Map<string, { readonly openMs: number | null; readonly seenMs: number | null }>()
  return {
    ended: (name, hasEnded, { askedMs, readMs }) => {
      const before = seen.get(name) ?? { openMs: null, seenMs: null }
      // What ended and is open again was taken back by a reorganisation.
      const now = hasEnded ? { openMs: before.openMs, seenMs: before.seenMs ?? readMs } : { openMs: askedMs, seenMs: null }
      seen.delete(name)
      seen.set(name, now)
      const [oldest] = seen.keys()
      if (seen.size > most && oldest !== undefined) seen.delete(oldest)
      return { openMs: now.openMs, seenMs: now.seenMs ?? readMs }
    },
  }
}

/** What an event can be recognised by, best first. */
const markKinds = ['transaction', 'trade', 'intent', 'order', 'position'] as const
export type MarkKind = (typeof markKinds)[number]

/** Something that names what happened, for example the hash of its transaction. */
export interface Mark {
  readonly kind: MarkKind
  readonly value: string
}

/** How much a mark says: a hash and an order's id together are worth more than each, a position's id is shared by much. */
export const weights: Readonly<Record<MarkKind, number>> = { transaction: 8, trade: 8, intent: 4, order: 4, position: 1 }

const hash = /^0x[0-9a-f]{64}$/
export const isHash = (value: string): boolean => hash.test(value)

/** So short that the same may stand for a market, a row or a count: it says something only under a name that fits. */
const isPlain = (value: string): boolean => value.length < 6 || /^\d{1,9}$/.test(value)

const words: Readonly<Record<MarkKind, readonly string[]>> = assumed.webhookData.fields

/** The text by which a mark is looked up among what `marksOf` found. */
export const termOf = ({ kind, value }: Mark): string => {
  const low = value.toLowerCase()
  return isPlain(low) ? `${kind}:${low}` : low
}

interface Said {
  readonly terms: ReadonlySet<string>
  /** Every transaction hash that it names. */
  readonly hashes: ReadonlySet<string>
}

/** Deeper than any event is. */
const deepest = 12

/**
 * Every value anywhere in the `data` of an event, as it may be looked up: the document shows none of its fields. Case does not matter. A short
 * number counts under a name that fits, or where it is called `id`.
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

/** The `data` of a delivery's body; null: there is none. Numbers too large for one are kept digit by digit. */
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
