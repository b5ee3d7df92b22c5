/**
 * What the practice exchange gets wrong on purpose. A route is written as the document writes it, with the whole path:
 * `POST /api/dex/actions/relay`, `POST /api/dex/v1/orders/prepare`, `DELETE /api/dex/developer/keys/{key_id}`.
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
  /** Answers every route with an HTML page. */
  html: boolean
  /** truncated: JSON cut in half. huge: 9 MiB. redirect: 302 elsewhere. */
  body: { route: string; kind: 'truncated' | 'huge' | 'redirect' | 'wrong_types' }[]
  errorShape: 'nested' | 'flat' | 'string' | 'list' | 'text'
  /** Adds fields that the document does not name to every object. */
  extraFields: boolean
  /** Leaves optional fields out of every object. */
  omitOptional: boolean
  /** What the typed data of a prepared order says instead of the truth. */
  typedData: null | 'amount' | 'router' | 'chain' | 'wallet' | 'extra_field' | 'new_layout' | 'side' | 'leverage' | 'deadline' | 'slippage' | 'two_scales'
  challenge: null | 'host' | 'wallet' | 'nonce' | 'expiry' | 'new_layout' | 'hidden_characters'
  grant: null | 'agent' | 'wallet' | 'chain' | 'router' | 'expired' | 'endless' | 'extra_field'
  /** Contradictory prepared actions (ORD-11). */
  prepared: null | 'ready_but_failed' | 'not_ready_but_signable' | 'unknown_status' | 'preflight_failed' | 'contract_pending' | 'payload_differs'
  /** Freezes the marks, so that they grow old. */
  stalePrices: boolean
  /** Moves every mark by so many basis points at once. */
  priceShiftBps: number
  versions: null | { api: string; schema: string }
}

export const noFaults = (): Faults => ({
  dropAnswer: [],
  dropRequest: [],
  answer: [],
  delay: [],
  html: false,
  body: [],
  errorShape: 'nested',
  extraFields: false,
  omitOptional: false,
  typedData: null,
  challenge: null,
  grant: null,
  prepared: null,
  stalePrices: false,
  priceShiftBps: 0,
  versions: null,
})
