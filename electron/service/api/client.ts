import { setMaxListeners } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { AnswerOf } from '../../../shared/api/reader/answer.ts'
import { type FieldMap, noHabits } from '../../../shared/api/reader/field.ts'
import { redactedWhole } from '../../../shared/api/redact.ts'
import type { Foreign } from '../../../shared/foreign/foreign.ts'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type Sleep, sleep } from '../../kernel/deadline.ts'
import type { ExchangeNote } from '../../store/journal/journal.ts'
import type { ApiAnswer, ApiClient, ApiFailure, ApiRequest } from '../transport/api-client.ts'
import { type CallContext, type Classified, classify, parseBody } from '../transport/classify.ts'
import { createDispatcher } from '../transport/dispatcher.ts'
import { noteExchange } from '../transport/exchange-note.ts'
import { addressOf, createHosts, type Host, hostNamed } from '../transport/hosts.ts'
import type { Limiter } from '../transport/limiter.ts'
import { credentialHeader, headersOf, newRequestId } from '../transport/request-headers.ts'
import { type Breaker, createBreaker, createRetryBudget, mostAttempts, type RetryBudget, waitBeforeRetry } from '../transport/retry.ts'
import type { ProxyEnvironment } from '../transport/system-proxy.ts'
import { exchange, type WireAnswer, type WireRequest } from '../transport/transport.ts'
import { createEventStreams } from './event-stream.ts'
import { createForwarder } from './forward.ts'
import { createVitalSigns, type VitalSigns } from './vital-signs.ts'

const defaultDeadlineMs = 10 * second

const largeAnswerBytes = 256 * 1_024

export interface ApiClientParts {
  readonly hostUrl: string
  readonly version: string
  /** This computer's clock, against which the client measures the service's clock. The client returns all times in the service's time. */
  readonly clock: Clock
  readonly dispatcher: Dispatcher
  /** The connections for the requests of bots. If absent, bots share `dispatcher`. */
  readonly botDispatcher?: Dispatcher
  readonly limiter: Limiter
  readonly breaker: Breaker
  readonly budget: RetryBudget
  readonly vitalSigns: VitalSigns
  readonly sleep: Sleep
  readonly random: () => number
  /**
   * Returns the places of fields in this service's responses, as the user configured them. If absent, the app expects the places in the API document.
   */
  readonly fieldMap?: () => FieldMap | undefined
  /** Called after every attempt, even if nothing was sent. Receives the log record, the wallet concerned, and the data sent and received. */
  readonly onExchange: (record: RequestRecord, wallet: string | null, note: ExchangeNote) => void
  /** Called for each response that asks to wait, with the time to wait in ms. Not called for developer routes. */
  readonly onLimited?: (retryAfterMs: number) => void
}

/**
 * Makes the calls that the endpoint table declares. `ApiClient` describes the results; `classify` describes the failures. Never throws once a byte
 * was sent.
 */
export function createApiClient(parts: ApiClientParts): ApiClient {
  const { clock, limiter, breaker, budget, vitalSigns } = parts
  const hosts = createHosts({ clock, first: parts })
  const userAgent = `Svc-Desk/${parts.version}`
  const closing = new AbortController()
  // Each running call adds a listener to this signal, and Node would warn about so many listeners. Remove the limit.
  setMaxListeners(0, closing.signal)
  const underWay = new Set<() => void>()
  const habits = noHabits()
  let seenAs: { readonly address: string; readonly atMs: number } | null = null
  const serviceTime = (ms: number): number => ms + (vitalSigns.clockOffsetMs() ?? 0)

  async function call<E extends Endpoint>(endpoint: E, request: ApiRequest<E>): Promise<Result<ApiAnswer<AnswerOf<E['response']>>, ApiFailure>> {
    const credential = credentialHeader(endpoint, request.credential)
    if (credential === null) return fail({ failure: { kind: 'wrong_credential', route: endpoint.route }, sent: 'no' })

    const address = addressOf(endpoint, request.params, request.query)
    const body = request.rawBody ?? (address.method === 'GET' || request.body === undefined || request.body === null ? null : JSON.stringify(request.body))
    const bodyBytes = body === null ? 0 : Buffer.byteLength(body)
    // Request bodies are limited to 48 KiB (API document: What the service does, 7).
    if (bodyBytes > limits.requestBodyBytes) return fail({ failure: { kind: 'body_too_large', bytes: bodyBytes, limit: limits.requestBodyBytes }, sent: 'no' })

    const signal = request.signal === undefined ? closing.signal : AbortSignal.any([closing.signal, request.signal])
    const deadlineMs = request.deadlineMs ?? defaultDeadlineMs
    const pressed = request.urgency ?? (address.method === 'DELETE' ? 'exit' : 'user')
    // A read for an exit (cancel, close, revoke) must not wait until the limiter admits it. If it would have to wait, the exit uses stored data.
    const isPatient = pressed !== 'exit' || address.method !== 'GET'
    const patienceMs = isPatient ? deadlineMs : 0
    const unsent = (reason: 'closing' | 'server_error'): { readonly ok: false; readonly failure: ApiFailure } =>
      fail({ failure: { kind: 'unreachable', reason, status: null, requestId: null, route: endpoint.route }, sent: 'no' })

    const wallet = request.credential?.wallet ?? (request.credential === null ? walletNamed(request.body) : null)
    let endsAt: number | null = null
    let callId: string | null = null
    let tried: Host[] = []
    for (let attempt = 1; ; attempt += 1) {
      const host = hosts.choose(endpoint, tried)
      if (host === null) return unsent('server_error')
      const other = hosts.hasOther(endpoint, [...tried, host])
      const alone = tried.length === 0 && !other
      // An automatic retry is less urgent than the first attempt, which the user started.
      const urgency = attempt === 1 || pressed === 'polling' || pressed === 'bot' ? pressed : 'user'
      if (address.method === 'GET' && urgency !== 'exit' && alone && !breaker.allows(endpoint.limiter)) return unsent('server_error')
      const admission = await limiter.admit(endpoint.limiter, { urgency, signal, patienceMs })
      if (admission.kind === 'ended') return unsent('closing')
      if (admission.kind === 'paused') {
        const { leftMs } = admission
        return fail({ failure: { kind: 'rate_limited', retryAfterMs: leftMs, requestId: null, route: endpoint.route }, sent: 'no', retryAfterMs: leftMs })
      }
      // Start the deadline now. Time in the queue must not count, because calls in a long queue of bulk actions would time out.
      const started = clock.monotonic()
      endsAt ??= started + deadlineMs

      const sentRequestId = newRequestId()
      callId ??= sentRequestId
      const wire: WireRequest = {
        origin: host.origin,
        path: address.path,
        method: address.method,
        headers: headersOf(credential, request.headers, body, userAgent, sentRequestId),
        body,
        // If another host can be tried after this one, reserve half of the remaining time for that host.
        endsAt: other ? started + (endsAt - started) / 2 : endsAt,
        signal: request.signal,
        underWay,
      }
      const context: CallContext = {
        endpoint,
        sentRequestId,
        keyLabel: request.credential?.kind === 'key' ? request.credential.label : null,
        keyId: request.credential?.kind === 'key' ? request.credential.keyId : null,
        allowlist: request.credential?.kind === 'key' ? (request.credential.allowlist ?? []) : [],
        fieldMap: parts.fieldMap?.(),
        habits,
        intentRef: request.intentRef ?? null,
      }

      const startedAtMs = clock.now()
      const outcome = await exchange(host.dispatcher, clock, wire)
      const tookMs = clock.monotonic() - started
      const parsed = parseBody(outcome)
      // Reading a large answer takes as long again as parsing it, so other work gets its turn in between.
      if (outcome.kind === 'answer' && outcome.bytes > largeAnswerBytes) await setImmediate()
      const classified = classify(outcome, parsed, context, serviceTime(clock.now()))

      const elsewhere = classified.kind === 'failure' && classified.unanswered && other
      if (classified.kind === 'failure' && classified.hostTrouble) hosts.failed(host, classified.pauseMs ?? 0)
      else if (outcome.kind === 'answer') hosts.answered(host)
      // Do not report the service as unreachable yet if another host will be tried.
      if (!elsewhere)
        observe(
          endpoint,
          outcome.kind === 'answer' ? { headers: outcome.headers, receivedAtMs: outcome.receivedAtMs } : null,
          tookMs,
          classified,
          host,
          pressed === 'bot',
        )
      const record: RequestRecord = {
        id: sentRequestId,
        atMs: serviceTime(startedAtMs),
        method: address.method,
        path: address.shownPath,
        endpoint: endpoint.route,
        status: outcome.status,
        ms: Math.round(tookMs),
        requestId: classified.requestId,
        outcome: classified.kind === 'success' ? 'ok' : classified.outcome,
        attempt,
        intentRef: context.intentRef,
        host: hostNamed(host),
      }
      const key = request.credential?.kind === 'key' ? { id: request.credential.keyId, label: request.credential.label } : null
      // If the wallet of a credential is unknown, store only the log line. A stored response could later be shown under another wallet
      // (Authentication 3).
      const nobodys = request.credential !== null && wallet === null
      const note = nobodys ? null : noteExchange({ endpoint, target: address.path, headers: wire.headers, credential, key, body, outcome })
      const noted = { callId, exchange: note }
      tell(() => parts.onExchange(record, wallet, noted))

      if (classified.kind === 'success' && outcome.kind === 'answer') {
        budget.earn(endpoint.limiter)
        // The cast is safe: the endpoint's own schema parsed this value, but the generic type cannot express that.
        return ok(new Answer(classified.json as AnswerOf<E['response']>, outcome, serviceTime(outcome.receivedAtMs), classified.requestId, endpoint.secrets))
      }
      if (classified.kind === 'success') throw new Error('A lost exchange was classified as a success')

      if (elsewhere && clock.monotonic() < endsAt) {
        tried = [host]
        continue
      }
      tried = []
      const wait =
        endpoint.retry === 'safe' && classified.repeatable && attempt < mostAttempts ? waitBeforeRetry(attempt, classified.retryAfterMs, parts.random) : null
      const failed = fail(failureOf(classified))
      if (wait === null || (!isPatient && classified.retryAfterMs !== null) || clock.monotonic() + wait >= endsAt || !budget.spend(endpoint.limiter))
        return failed
      if (!(await parts.sleep(wait, signal))) return failed
    }
  }

  function observe(
    endpoint: Endpoint,
    answer: { readonly headers: IncomingHttpHeaders; readonly receivedAtMs: number } | null,
    tookMs: number,
    classified: Classified,
    host: Host,
    ofBot: boolean,
  ): void {
    const trouble = classified.kind === 'failure' && classified.hostTrouble
    if (trouble) breaker.failed(endpoint.limiter)
    else if (answer !== null) breaker.succeeded(endpoint.limiter)
    if (classified.kind === 'failure' && classified.failure.kind === 'ip_not_allowed' && classified.failure.seenAs !== null)
      seenAs = { address: classified.failure.seenAs, atMs: serviceTime(clock.now()) }
    // The document counts calls by key, and those of developer routes by address. A bot's 429 must not hold back the user's own orders: the gateway
    // slows the bots of that key, and the app learns of a limit of its own from its own calls.
    const isBotsLimit = ofBot && classified.kind === 'failure' && classified.failure.kind === 'rate_limited'
    if (classified.kind === 'failure' && classified.pauseMs !== null && !isBotsLimit) {
      limiter.pause(endpoint.limiter, classified.pauseMs)
      // A refusal by a developer route must not slow down polling. Developer routes have their own rate limit, which the limiter enforces.
      const { pauseMs } = classified
      if (endpoint.limiter !== 'developer') tell(() => parts.onLimited?.(pauseMs))
    }
    // If the other host still serves reads, a failure of this host does not mean that the service is down.
    if (trouble && hosts.carried(host)) return
    if (answer !== null)
      vitalSigns.answered(answer.headers, {
        receivedAtMs: answer.receivedAtMs,
        tookMs,
        versioned: endpoint.root === 'base',
        healthy: !trouble,
        succeeded: classified.kind === 'success',
      })
    else if (trouble) vitalSigns.unanswered()
  }

  const { onExchange, fieldMap } = parts
  return {
    call,
    ...createForwarder({ clock, hosts, limiter, breaker, userAgent, underWay, closing: closing.signal, serviceTime, onExchange, fieldMap, observe }),
    clockOffsetMs: vitalSigns.clockOffsetMs,
    health: vitalSigns.health,
    serviceChange: vitalSigns.serviceChange,
    seenAs: () => seenAs,
    openStream: createEventStreams({ clock, hosts, vitalSigns, userAgent, underWay, serviceTime, onExchange: parts.onExchange }).open,
    hosts: hosts.read,
    readBySecondHost: hosts.setSecond,
    async close() {
      closing.abort()
      for (const cancel of underWay) cancel()
      await hosts.close()
    },
  }
}

const failureOf = ({ failure, sent, requestId, retryAfterMs, invalidFields }: Classified & { readonly kind: 'failure' }): ApiFailure => ({
  ...{ failure, sent, requestId },
  ...(retryAfterMs !== null && { retryAfterMs }),
  ...(invalidFields !== undefined && { invalidFields }),
})

function tell(listener: () => void): void {
  try {
    listener()
  } catch {
    // Ignore the listener's error. The call has its response; only the listener's own record of the call is lost.
  }
}

class Answer<T> implements ApiAnswer<T> {
  readonly value: T
  readonly status: number
  readonly requestId: string
  readonly receivedAtMs: number
  readonly #text: Foreign<string>
  readonly #secrets: readonly string[]

  constructor(value: T, { status, text }: WireAnswer, receivedAtMs: number, requestId: string, secrets: readonly string[]) {
    this.value = value
    this.status = status
    this.requestId = requestId
    this.receivedAtMs = receivedAtMs
    this.#text = text
    this.#secrets = secrets
  }

  /** The response body with secrets removed. Computed only on request, because it takes as long as parsing the body, and few callers need it. */
  get raw(): string {
    return redactedWhole(this.#text, this.#secrets)
  }
}

/** Returns the wallet that a call without a credential concerns, as its body names it (API document: Authentication 6 and 9). */
const walletNamed = (body: unknown): string | null =>
  typeof body === 'object' && body !== null && 'wallet' in body && typeof body.wallet === 'string' ? body.wallet : null

/** Creates a client for a host whose profile is not open. No journal records the client’s calls. The caller must close it. */
export const createHostClient = ({
  hostUrl,
  proxy,
  ...parts
}: Pick<ApiClientParts, 'clock' | 'limiter' | 'version'> & { readonly hostUrl: string; readonly proxy: ProxyEnvironment }) =>
  createApiClient({
    ...{ ...parts, hostUrl, sleep, random: Math.random },
    dispatcher: createDispatcher(new URL(hostUrl), proxy),
    breaker: createBreaker(parts.clock),
    budget: createRetryBudget(),
    vitalSigns: createVitalSigns(parts.clock),
    onExchange: () => undefined,
  })
