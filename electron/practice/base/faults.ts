import type { Alteration } from '../dialect/alter.ts'

/**
 * What the practice exchange gets wrong on purpose. A route is written as the document writes it, with the whole path:
 * `POST /api/dex/actions/relay`, `POST /api/dex/v1/orders/prepare`, `DELETE /api/dex/developer/keys/{key_id}`; `*` is every route.
 */
export interface Faults {
  /** Handles the request, then cuts the connection without an answer. */
  dropAnswer: { route: string; times: number }[]
  /** Cuts the connection before handling. */
  dropRequest: { route: string; times: number }[]
  /** Answers with this status and code instead of handling. */
  answer: { route: string; status: number; code: string; times: number; retryAfterSeconds?: number }[]
  /** Handles, but answers only after `ms`, or after the fault is removed when `ms` is null. */
  delay: { route: string; ms: number | null }[]
  /**
   * A host that does not answer, whatever is asked: connections are refused, requests get no answer for as long as this stands,
   * or a gateway answers by itself. `refused` takes effect when the exchange is told that its faults have changed.
   */
  hostDown: { host: 'first' | 'second'; how: 'refused' | 'hangs' | 502 | 503 | 504 }[]
  /** Answers every route with an HTML page. */
  html: boolean
  /** truncated: JSON cut in half. huge: 9 MiB. redirect: 302 elsewhere. */
  body: { route: string; kind: 'truncated' | 'huge' | 'redirect' | 'wrong_types' }[]
  /**
   * Answers to GET requests in another shape. swapped: numbers as text and numeric text as numbers. missing, nulls: a third of the
   * fields that hold no object or list, by their names, is left out or null. unknown: fields that the document does not name.
   * labels: text for people ends in characters that turn its direction, control characters, 10 KB, markup, links, formulas.
   */
  shapes: { route: string; kind: 'swapped' | 'missing' | 'nulls' | 'unknown' | 'labels'; third?: 0 | 1 | 2 }[]
  errorShape: 'nested' | 'flat' | 'string' | 'list' | 'text'
  /** The seed of the dialect that it speaks wherever the document leaves a shape open; null: its own. */
  dialect: number | null
  /** What a prepared action says instead of the truth, in whatever layout. */
  alteration: Alteration | null
  /** Adds fields that the document does not name to every object. */
  extraFields: boolean
  /** Leaves optional fields out of every object. */
  omitOptional: boolean
  /** What the typed data of a prepared order says instead of the truth. */
  typedData: null | 'amount' | 'router' | 'chain' | 'wallet' | 'extra_field' | 'new_layout' | 'side' | 'leverage' | 'deadline' | 'slippage' | 'two_scales'
  challenge: null | 'host' | 'wallet' | 'nonce' | 'expiry' | 'new_layout' | 'hidden_characters'
  grant: null | 'agent' | 'wallet' | 'chain' | 'router' | 'expired' | 'endless' | 'extra_field'
  /** The one-time secret in the answer to a creation or a rotation, of a key or a webhook: one that does not work, or none. The exchange keeps the true one. */
  keySecret: null | 'wrong' | 'missing'
  /** What every key record that is answered says instead of the truth; bare: nothing but its id. */
  keyRecord: null | 'more_scopes' | 'fewer_scopes' | 'other_wallet' | 'other_executor' | 'expired' | 'bare'
  /** Refuses every versioned call with a good key, as if the key were so. */
  credential: null | 'expired' | 'revoked' | 'invalid'
  /** Takes every request for one from this address: allowlists, the limit per address, the audit. */
  callerIp: null | string
  /** `IP_NOT_ALLOWED` names the caller's address as `ip`. */
  ipInRefusal: boolean
  /** How far the service's own clock is from the right time: `Date`, lifetimes and every time that it tells. */
  clockSkewMs: number
  /** What the transaction of an execution payment says instead of the truth. */
  payment: null | 'spender' | 'unlimited' | 'token' | 'wallet' | 'value' | 'selector' | 'expired'
  /** What the transactions of a prepared action say instead of the truth. */
  transaction: null | 'spender' | 'unlimited' | 'token' | 'wallet' | 'value' | 'selector' | 'expired'
  /** The configuration says that no deposit is taken by permit. */
  noPermit: boolean
  /** What `/meta` and `/api/dex/config` say instead of the truth; what is left out stays as it is. Nothing else changes: what is not said is still taken. */
  published: null | {
    schema?: string
    scopes?: string[]
    router?: string
    orderTypes?: string[]
    marginModes?: string[]
    timesInForce?: string[]
    delegated?: boolean
  }
  /** paged: 50 entries at a time also when no page was asked for. empty: none. */
  audit: null | 'paged' | 'empty'
  /** The answer to a delegated execution. */
  delegated: null | 'foreign_status_url' | 'no_command_id'
  /** Contradictory prepared actions (ORD-11). */
  prepared: null | 'ready_but_failed' | 'not_ready_but_signable' | 'unknown_status' | 'preflight_failed' | 'contract_pending' | 'payload_differs'
  /** Freezes the marks, so that they grow old. */
  stalePrices: boolean
  /** Moves every mark by so many basis points at once. */
  priceShiftBps: number
  /**
   * null: `/stream` answers 503, as on the public service; else it is live. cutAfter: the connection is cut after so many events.
   * duplicate: each event comes twice. reorder: of two events the second comes first. silent: no heartbeats, or nothing at all.
   * lose: so many of the next events never come; it counts down.
   * buffer: how many events are kept for a resumption, 500 unless told.
   */
  stream: null | { cutAfter?: number; duplicate?: boolean; reorder?: boolean; lose?: number; silent?: 'heartbeats' | 'everything'; buffer?: number }
  /** Nobody offers anything on any market. */
  emptyBook: boolean
  /**
   * Of webhooks. duplicate: each event is delivered twice. holdBack: what happens while this stands is held back, and released, the newest first,
   * when the exchange is told that it no longer does. drop: events of these types, or `*`, are never sent.
   */
  deliveries: null | { duplicate?: boolean; holdBack?: boolean; drop?: readonly string[] }
  /** Before each page of an account's lists, at random up to so many trades arrive, with what belongs to them. */
  rowsArrive: number
  /** Safety switches that are tripped, known ones or others; without `sinceMs` since they were first asked for. */
  breakers: { name: string; reason: string | null; sinceMs?: number }[]
  versions: null | { api: string; schema: string }
}

export const noFaults = (): Faults => ({
  dropAnswer: [],
  dropRequest: [],
  answer: [],
  delay: [],
  hostDown: [],
  html: false,
  body: [],
  shapes: [],
  errorShape: 'nested',
  dialect: null,
  alteration: null,
  extraFields: false,
  omitOptional: false,
  typedData: null,
  challenge: null,
  grant: null,
  keySecret: null,
  keyRecord: null,
  credential: null,
  callerIp: null,
  ipInRefusal: false,
  clockSkewMs: 0,
  payment: null,
  transaction: null,
  noPermit: false,
  published: null,
  audit: null,
  delegated: null,
  prepared: null,
  stalePrices: false,
  priceShiftBps: 0,
  stream: null,
  emptyBook: false,
  deliveries: null,
  rowsArrive: 0,
  breakers: [],
  versions: null,
})
