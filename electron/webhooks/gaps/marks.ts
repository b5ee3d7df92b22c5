import { assumed } from '../../../shared/api/assumptions.ts'
import { isRecord } from '../../../shared/api/loose.ts'

/** What an event can be recognised by, best first. */
export const markKinds = ['transaction', 'trade', 'intent', 'order', 'position'] as const
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

export interface Said {
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
