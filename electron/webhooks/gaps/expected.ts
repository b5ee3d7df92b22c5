import type { EventName } from '../../../shared/webhooks/events.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { Mark } from './marks.ts'

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
