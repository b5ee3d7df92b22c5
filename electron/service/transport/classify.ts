import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { type ErrorBody, readErrorBody } from '../../../shared/api/error-body.ts'
import { streamOffCode } from '../../../shared/api/reader/answer.ts'
import type { FieldMap, Habits } from '../../../shared/api/reader/field.ts'
import { redactedStart } from '../../../shared/api/redact.ts'
import { type Foreign, isBlank, startOf } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { second } from '../../../shared/time.ts'
import type { ApiFailure } from './api-client.ts'
import { headerText } from './request-headers.ts'
import { retryAfterMs } from './retry.ts'
import type { LossReason, WireAnswer, WireOutcome } from './transport.ts'

/** The facts about a call that the classification of its response needs. */
export interface CallContext {
  readonly endpoint: Endpoint
  /** The request id that the app sent. Used for reports only if the response contains no request id of the service (GEN-05). */
  readonly sentRequestId: string
  readonly keyLabel: string | null
  readonly keyId: string | null
  /** The key's IP allowlist from the last key list; empty if unknown. */
  readonly allowlist: readonly string[]
  readonly intentRef: string | null
  /** The places of response fields in this profile's service, as set by the user. */
  readonly fieldMap?: FieldMap | undefined
  readonly habits?: Habits | undefined
}

export interface ClassifiedFailure extends ApiFailure {
  /** True if a retry may succeed. Used only for calls that can be repeated safely. */
  readonly repeatable: boolean
  readonly retryAfterMs: number | null
  /**
   * How long to hold back all automatic calls of the route’s class, in ms. `null` if the service asked for no wait, or if the wait concerns only
   * this route.
   */
  readonly pauseMs: number | null
  /** True if the host has a problem; false if only this request has one. */
  readonly hostTrouble: boolean
  /** True if the app should try another host: this host did not answer, or its gateway reports that the service is down (GEN-02). */
  readonly unanswered: boolean
  readonly outcome: string
}

export type Classified =
  | { readonly kind: 'success'; readonly json: unknown; readonly requestId: string }
  | ({ readonly kind: 'failure'; readonly requestId: string } & ClassifiedFailure)

const keptBodyCharacters = 4_096

const isRedirect = (status: number): boolean => status >= 300 && status < 400
const isHtmlAnswer = ({ headers, text }: WireAnswer): boolean => isHtml(headerText(headers['content-type']), startOf(text, 256))

/** Parses the body of a response. undefined: it has no JSON, or no response arrived. Never throws. */
export const parseBody = (outcome: WireOutcome): unknown =>
  outcome.kind === 'lost' || isRedirect(outcome.status) || isHtmlAnswer(outcome) ? undefined : readJson(outcome.text)

/**
 * Classifies every response, and also a missing response. Never throws.
 * For a call that must not be repeated (`retry: 'never'`), returns `outcome_unknown` unless the response proves that nothing happened. A cut
 * connection, a timeout, a redirect, HTML or a response over 8 MiB proves nothing. A 5xx is a proof only with certain error codes.
 * `unreadable`: the service reports that the change happened, but the app cannot read the result. `parsed`: the result of `parseBody`.
 */
export function classify(outcome: WireOutcome, parsed: unknown, context: CallContext, nowMs: number): Classified {
  try {
    return readOutcome(outcome, parsed, context, nowMs)
  } catch {
    // The endpoint's schema threw an error for this response. The service did answer, so the write may have happened.
    return lostAnswer(outcome, context, nowMs)('malformed', outcome.status, 'maybe')
  }
}

const lostAnswer =
  ({ headers }: WireOutcome, context: CallContext, nowMs: number) =>
  (reason: LossReason | 'redirect' | 'html' | 'malformed', status: number | null, sent: 'no' | 'maybe'): Classified => {
    const requestId = headerText(headers['x-request-id']) ?? context.sentRequestId
    const trace = { requestId, route: context.endpoint.route }
    // Read `Retry-After` for any status. A gateway may send this header with an HTML page, and so may the response to a write with an unclear
    // outcome.
    const asked = retryAfterMs(headers['retry-after'], nowMs)
    return {
      kind: 'failure',
      requestId,
      failure: uncertain(context, sent)
        ? { kind: 'outcome_unknown', intentRef: context.intentRef, ...trace }
        : { kind: 'unreachable', reason, status, ...trace },
      sent: sent === 'maybe' && status !== null && !uncertain(context, sent) ? 'answered' : sent,
      repeatable: reason === 'connect' || reason === 'reset',
      retryAfterMs: asked,
      pauseMs: asked,
      hostTrouble: reason !== 'too_large' && reason !== 'malformed' && reason !== 'closing',
      // A gateway usually answers with an HTML page if its service is down. In that case, try another host.
      unanswered: reason === 'connect' || reason === 'timeout' || (reason === 'html' && status !== null && isGatewayTrouble(status)),
      outcome: reason,
    }
  }

function readOutcome(outcome: WireOutcome, parsed: unknown, context: CallContext, nowMs: number): Classified {
  const requestId = headerText(outcome.headers['x-request-id']) ?? context.sentRequestId
  const trace = { requestId, route: context.endpoint.route }
  const asked = retryAfterMs(outcome.headers['retry-after'], nowMs)
  const lost = lostAnswer(outcome, context, nowMs)

  if (outcome.kind === 'lost') return lost(outcome.reason, outcome.status, outcome.sent)
  const { status, text } = outcome
  if (isRedirect(status)) return lost('redirect', status, 'maybe')
  if (isHtmlAnswer(outcome)) return lost('html', status, 'maybe')
  if (status < 300 && !saysFailure(parsed)) return readSuccess(parsed, status, text, context, requestId, asked)

  const error = readErrorBody(text, headerText(outcome.headers['x-request-id']))
  const known = knownFailure(error, status, context, trace, asked)
  const undecided = status >= 500 || status === 408
  if (known === null && undecided && uncertain(context, 'maybe')) {
    return {
      kind: 'failure',
      requestId,
      failure: { kind: 'outcome_unknown', intentRef: context.intentRef, ...trace },
      sent: 'maybe',
      repeatable: false,
      retryAfterMs: asked,
      pauseMs: asked,
      hostTrouble: true,
      unanswered: false,
      outcome: `http_${status}`,
    }
  }
  const failure: Failure =
    known ??
    (status >= 500 && error.code === null
      ? { kind: 'unreachable', reason: 'server_error', status, ...trace }
      : { kind: 'refused', status, code: error.code, message: error.message, raw: redactedStart(text, keptBodyCharacters, context.endpoint.secrets), ...trace })
  return {
    kind: 'failure',
    requestId,
    failure,
    sent: 'answered',
    ...(error.invalidFields.length > 0 && { invalidFields: error.invalidFields }),
    repeatable: failure.kind === 'rate_limited' || (known === null && isGatewayTrouble(status) && !neverHelps(error)),
    retryAfterMs: asked,
    pauseMs: neverHelps(error) ? null : (asked ?? (failure.kind === 'rate_limited' ? unnamedPauseMs : null)),
    hostTrouble: known === null && status >= 500 && !neverHelps(error),
    unanswered: known === null && isGatewayTrouble(status) && !neverHelps(error),
    outcome: error.code ?? `http_${status}`,
  }
}

/**
 * Parses a successful response with the schema of the endpoint. If that fails, returns `unreadable` for a call that must not be repeated. Any other
 * call then counts as unanswered.
 * If the endpoint requires no body, the status alone is enough.
 */
function readSuccess(json: unknown, status: number, text: Foreign<string>, context: CallContext, requestId: string, asked: number | null): Classified {
  const { endpoint, intentRef } = context
  const absent = json === undefined || json === null || isBlank(text)
  const reading = absent ? null : endpoint.response.read(json, { fieldMap: context.fieldMap, habits: context.habits })
  if (reading?.ok === true) return { kind: 'success', json: reading.value, requestId }
  const nothing = endpoint.empty === 'ok' ? endpoint.response.read({}) : null
  if (nothing?.ok === true) return { kind: 'success', json: nothing.value, requestId }
  const trace = { requestId, route: endpoint.route }
  const missing = [...new Set(reading?.issues.map(({ path }) => path.map(String).join('.')) ?? [])].slice(0, mostMissing)
  // A new secret in this body may have an unexpected field name, so redaction could miss it. Do not keep the body.
  const raw = endpoint.secrets.some((name) => issuedSecrets.has(name)) ? null : redactedStart(text, keptBodyCharacters, endpoint.secrets)
  return {
    kind: 'failure',
    requestId,
    failure:
      endpoint.retry === 'never'
        ? { kind: 'unreadable', status, missing, raw, intentRef, ...trace }
        : { kind: 'unreachable', reason: 'malformed', status, ...trace },
    sent: 'answered',
    repeatable: false,
    retryAfterMs: asked,
    pauseMs: asked,
    hostTrouble: false,
    unanswered: false,
    outcome: 'malformed',
  }
}

const mostMissing = 32
const issuedSecrets: ReadonlySet<string> = new Set(['api_key', 'signing_secret', 'developer_session'])

const unnamedPauseMs = second

const uncertain = (context: CallContext, sent: 'no' | 'maybe'): boolean => context.endpoint.retry === 'never' && sent === 'maybe'

const isGatewayTrouble = (status: number): boolean => status === 502 || status === 503 || status === 504

/** True if a retry is pointless although the status is 503: the service has disabled `/stream` (API document: Errors). */
const neverHelps = (error: ErrorBody): boolean => error.code === streamOffCode

/**
 * Returns the failure for an error code in the API document's Errors table, or for a status with only one meaning. `null` for any other response.
 */
function knownFailure(
  error: ErrorBody,
  status: number,
  context: CallContext,
  trace: { readonly requestId: string; readonly route: string },
  retryAfter: number | null,
): Failure | null {
  switch (error.code) {
    case 'API_KEY_REQUIRED':
      return { kind: 'api_key_required', scope: context.endpoint.scope === 'by_action' ? null : context.endpoint.scope }
    case 'IP_NOT_ALLOWED':
      return { kind: 'ip_not_allowed', keyLabel: context.keyLabel, allowlist: [...context.allowlist], seenAs: error.address, ...trace }
    case 'delegated_executor_binding_required':
      return { kind: 'executor_required', keyLabel: context.keyLabel, keyId: context.keyId, ...trace }
    case 'PRICE_DEVIATION_EXCEEDED':
      return { kind: 'price_deviation', ...trace }
    case 'MARKET_DATA_STALE':
      return { kind: 'market_data_stale', ...trace }
    case 'IDEMPOTENCY_KEY_CONFLICT':
    case 'DUPLICATE_CLIENT_ORDER_ID':
      return { kind: 'idempotency_conflict', code: error.code, intentRef: context.intentRef, ...trace }
  }
  if (status === 429) return { kind: 'rate_limited', retryAfterMs: retryAfter, ...trace }
  if (status === 401 && context.endpoint.credential === 'session') return { kind: 'sign_in_required' }
  // The API document names no error code for a missing scope. A 403 that names a required scope can only mean a missing scope.
  if (status === 403 && error.requiredScope !== null) return { kind: 'scope_missing', scope: error.requiredScope, keyLabel: context.keyLabel }
  return null
}

function isHtml(contentType: string | null, beginning: string): boolean {
  if (contentType !== null && /^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) return true
  return /^\s*<(!doctype|html|head|body)/i.test(beginning)
}

const saysFailure = (json: unknown): boolean => typeof json === 'object' && json !== null && 'success' in json && json.success === false
