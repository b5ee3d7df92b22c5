import type { Alteration } from '../dialect/alter.ts'

/**
 * The faults that tests and the user can switch on in the practice exchange. Routes are written as in the API document, with the full path:
 * `POST /api/dex/actions/relay`, `POST /api/dex/v1/orders/prepare`, `DELETE /api/dex/developer/keys/{key_id}`. `*` means every route.
 */
export interface Faults {
  /** Handles the request, then cuts the connection without a response. */
  dropAnswer: { route: string; times: number }[]
  /** Cuts the connection before handling the request. */
  dropRequest: { route: string; times: number }[]
  /** Responds with this status and code instead of handling the request. */
  answer: { route: string; status: number; code: string; times: number; retryAfterSeconds?: number }[]
  /** Handles the request, but responds only after `ms`. If `ms` is null, responds once the fault is removed. */
  delay: { route: string; ms: number | null }[]
  /**
   * Makes one host unavailable for every request. `refused`: the host refuses connections once `faultsChanged` has been called. `hangs`: the host
   * never responds. A number: the host's gateway responds with this HTTP status.
   */
  hostDown: { host: 'first' | 'second'; how: 'refused' | 'hangs' | 502 | 503 | 504 }[]
  /** Responds to every route with an HTML page. */
  html: boolean
  /** How the body of a response is broken. truncated: JSON cut in half. huge: 9 MiB. redirect: a 302 to another address. */
  body: { route: string; kind: 'truncated' | 'huge' | 'redirect' | 'wrong_types' }[]
  /**
   * Changes the shape of responses to GET requests.
   * swapped: numbers become text, and numeric text becomes numbers.
   * missing, nulls: omits a third of the fields, or sets them to null. `third` selects which fields, by name. Fields that contain an object or list
   * are kept.
   * unknown: adds fields that the API document does not name.
   * labels: appends direction-changing characters, control characters, 10 KB of text, markup, links or formulas to texts for people.
   */
  shapes: { route: string; kind: 'swapped' | 'missing' | 'nulls' | 'unknown' | 'labels'; third?: 0 | 1 | 2 }[]
  errorShape: 'nested' | 'flat' | 'string' | 'list' | 'text'
  /**
   * The seed of the dialect, a random format for everything that the API document leaves open, such as field names and number formats. null for
   * the exchange's own format.
   */
  dialect: number | null
  /** How a prepared action differs from what the app requested, as if an attacker had altered it. Applies to every signing format. */
  alteration: Alteration | null
  /** Adds to every object some fields that the API document does not name. */
  extraFields: boolean
  /** Leaves out of every object the fields that the API document calls optional. */
  omitOptional: boolean
  /** Which part of a prepared order's typed data is wrong. */
  typedData: null | 'amount' | 'router' | 'chain' | 'wallet' | 'extra_field' | 'new_layout' | 'side' | 'leverage' | 'deadline' | 'slippage' | 'two_scales'
  challenge: null | 'host' | 'wallet' | 'nonce' | 'expiry' | 'new_layout' | 'hidden_characters'
  grant: null | 'agent' | 'wallet' | 'chain' | 'router' | 'expired' | 'endless' | 'extra_field'
  /**
   * In the response to creating or rotating a key or webhook, replaces the one-time secret by an invalid secret, or omits it. The real secret stays
   * valid.
   */
  keySecret: null | 'wrong' | 'missing'
  /** What is wrong in the key records of all responses. bare: a record contains only the key's id. */
  keyRecord: null | 'more_scopes' | 'fewer_scopes' | 'other_wallet' | 'other_executor' | 'expired' | 'bare'
  /** Refuses every `/v1` call as if its key were expired, revoked or invalid, although the key is valid. */
  credential: null | 'expired' | 'revoked' | 'invalid'
  /** The address from which every request seems to come. Affects allowlists, the limit per address and the audit log. */
  callerIp: null | string
  /** Whether the refusal `IP_NOT_ALLOWED` contains the caller's address as `ip`. */
  ipInRefusal: boolean
  /** By how much the service's clock is wrong. Affects the `Date` header, lifetimes and every time in its responses. */
  clockSkewMs: number
  /** What is wrong in the transaction of an execution payment. */
  payment: null | 'spender' | 'unlimited' | 'token' | 'wallet' | 'value' | 'selector' | 'expired'
  /** What is wrong in the transactions of a prepared action. */
  transaction: null | 'spender' | 'unlimited' | 'token' | 'wallet' | 'value' | 'selector' | 'expired'
  /** Publishes a configuration in which deposits by permit are not supported. */
  noPermit: boolean
  /**
   * Publishes wrong values in `/meta` and `/api/dex/config`. Values that are omitted here stay correct. Only the published values change: the
   * exchange still accepts what the correct values permit.
   */
  published: null | {
    schema?: string
    scopes?: string[]
    router?: string
    orderTypes?: string[]
    marginModes?: string[]
    timesInForce?: string[]
    delegated?: boolean
  }
  /** How the audit route misbehaves. paged: returns 50 entries per page even if the request asked for no paging. empty: returns no entries. */
  audit: null | 'paged' | 'empty'
  /** What is wrong in the response to a delegated execution. */
  delegated: null | 'foreign_status_url' | 'no_command_id'
  /** How a prepared action contradicts itself, for example a status that does not fit its other fields (ORD-11). */
  prepared: null | 'ready_but_failed' | 'not_ready_but_signable' | 'unknown_status' | 'preflight_failed' | 'contract_pending' | 'payload_differs'
  /** Freezes the mark prices, so that the app sees prices that are too old. */
  stalePrices: boolean
  /** Moves every mark price by this many basis points at once. */
  priceShiftBps: number
  /**
   * null: `/stream` responds with 503, as on the public service. Otherwise the stream is live.
   * cutAfter: cuts the connection after this many events. duplicate: sends each event twice. reorder: swaps each pair of events.
   * silent: sends no heartbeats, or nothing at all. lose: drops this many of the next events, counting down. buffer: how many events are kept for
   * resuming, 500 by default.
   */
  stream: null | { cutAfter?: number; duplicate?: boolean; reorder?: boolean; lose?: number; silent?: 'heartbeats' | 'everything'; buffer?: number }
  /** True if the order books of all markets are empty. */
  emptyBook: boolean
  /**
   * Faults of webhook deliveries. duplicate: delivers each event twice. drop: never sends events of these types; `*` means all types.
   * holdBack: while true, delivers no events. Once it is false again and `faultsChanged` is called, delivers the held-back events, newest first.
   */
  deliveries: null | { duplicate?: boolean; holdBack?: boolean; drop?: readonly string[] }
  /**
   * Before each page of an account's lists, the exchange adds a random number of new trades, at most this many, and their related records.
   */
  rowsArrive: number
  /**
   * Circuit breakers that are tripped; the names may be unknown to the app. A breaker without `sinceMs` counts as tripped from the first time that
   * its state is read.
   */
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
