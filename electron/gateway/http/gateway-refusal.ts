import type { Failure } from '../../../shared/ipc/failure.ts'

/** Why the gateway itself refuses a call, with the HTTP status. build/docs/gateway.md explains each code. */
const statuses = {
  TOKEN_REQUIRED: 401,
  TOKEN_UNKNOWN: 401,
  TOKEN_EXPIRED: 401,
  HOST: 421,
  ORIGIN: 403,
  HEADER: 400,
  PATH: 400,
  QUERY: 400,
  ROUTE: 404,
  METHOD: 405,
  LENGTH: 411,
  TOO_LARGE: 413,
  CONTENT_TYPE: 415,
  BODY: 400,
  SCOPE: 403,
  PAUSED: 403,
  OBSERVES: 403,
  DRY_RUN: 403,
  LIMIT: 403,
  NOT_OWN: 403,
  INTENT: 403,
  KEY_REUSED: 409,
  HELD_BACK: 503,
  BUSY: 429,
  FULL: 429,
  WAITING: 503,
  NO_KEY: 503,
  UNREACHABLE: 502,
  NO_ANSWER: 504,
  KEY_IN_ANSWER: 502,
  OUTCOME_UNKNOWN: 409,
  NOT_FOUND: 404,
  FAILED: 500,
} as const
export type RefusalCode = keyof typeof statuses

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface GatewayRefusal extends Reply {
  readonly code: RefusalCode
}

type Facts = Readonly<Record<string, string | number | null>>

/** The code that a bot sees. Bots that know the exchange's own code for a missing key get just that one. */
const shownCode = (code: RefusalCode): string =>
  code === 'TOKEN_REQUIRED' ? 'API_KEY_REQUIRED' : code === 'KEY_REUSED' ? 'IDEMPOTENCY_KEY_CONFLICT' : `GATEWAY_${code}`

/** Makes the answer to a call that the gateway refuses: a code and facts, as JSON. The header `X-Svc-Gateway` tells it from an answer of the service. */
export const refusal = (code: RefusalCode, facts: Facts = {}, headers: Readonly<Record<string, string>> = {}): GatewayRefusal => ({
  code,
  ...jsonReply(statuses[code], { success: false, error: { code: shownCode(code), ...facts } }, headers),
})

export const jsonReply = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-svc-gateway': 'own', ...headers },
  body: Buffer.from(JSON.stringify(body)),
})

/** Converts a failure of the risk limits or of the journal to the answer for a bot. */
export function refusalOf(failure: Failure): GatewayRefusal {
  switch (failure.kind) {
    case 'guard_rail':
      return refusal('LIMIT', { limit: failure.rail, allowed: failure.limit, asked: failure.asked })
    case 'held_back':
      return refusal('HELD_BACK', { why: failure.why })
    case 'journal':
      return refusal('HELD_BACK', { why: failure.issue })
    case 'api_key_required':
    case 'scope_missing':
    case 'keychain':
      return refusal('NO_KEY', { why: failure.kind })
    default:
      return refusal('HELD_BACK', { why: failure.kind })
  }
}
