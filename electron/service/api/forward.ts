import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { lengthOf, startOf } from '../../../shared/foreign/foreign.ts'
import type { Clock } from '../../../shared/time.ts'
import { createTurns } from '../../kernel/deadline.ts'
import type { ForwardedAnswer, Forwarder, ForwardRequest, Unforwarded } from '../transport/api-client.ts'
import { type CallContext, type Classified, classify, parseBody } from '../transport/classify.ts'
import { noteExchange } from '../transport/exchange-note.ts'
import { type Host, type Hosts, hostNamed } from '../transport/hosts.ts'
import type { Limiter } from '../transport/limiter.ts'
import { credentialHeader, headersOf, headerText, newRequestId } from '../transport/request-headers.ts'
import type { Breaker } from '../transport/retry.ts'
import { type OpenStream, openEventStream, type StreamListener } from '../transport/stream-transport.ts'
import { exchangeBytes, type WireOutcome, type WireRequest, withText } from '../transport/transport.ts'
import { outcomeOf } from './call-outcome.ts'
import type { ApiClientParts } from './client.ts'

export interface ForwarderParts {
  readonly clock: Clock
  readonly hosts: Hosts
  readonly limiter: Limiter
  readonly breaker: Breaker
  readonly userAgent: string
  readonly underWay: Set<() => void>
  readonly closing: AbortSignal
  readonly serviceTime: (ms: number) => number
  readonly onExchange: ApiClientParts['onExchange']
  readonly fieldMap: ApiClientParts['fieldMap']
  /** Learns from an answer, or from its absence, as from the app's own calls: whether the service is up, and how long to wait. */
  readonly observe: (
    endpoint: Endpoint,
    answer: { readonly headers: IncomingHttpHeaders; readonly receivedAtMs: number } | null,
    tookMs: number,
    classified: Classified,
    host: Host,
    ofBot: true,
  ) => void
}

/**
 * How many requests of bots run at once. With the four streams that bots may have open, they use all eight connections of their pool. A request
 * therefore never waits inside the pool, where a pause could no longer keep it back.
 */
const mostAtOnce = 4

/** Sends the requests of bots with the same checks as the app's own calls: credential, size, limiter, hosts, log. It never repeats a request. */
export function createForwarder(parts: ForwarderParts): Forwarder {
  const { clock, hosts, limiter, breaker, closing, serviceTime } = parts
  const turns = createTurns(mostAtOnce)

  const admit = async ({ endpoint, deadlineMs, signal, isExit, mayGo }: Omit<ForwardRequest, 'body'>): Promise<Unforwarded | null> => {
    const admission = await limiter.admit(endpoint.limiter, {
      urgency: isExit === true ? 'exit' : 'bot',
      signal: signal ?? closing,
      patienceMs: deadlineMs,
    })
    if (admission.kind === 'ended') return { kind: 'unsent', why: 'closing' }
    if (admission.kind === 'paused') return { kind: 'unsent', why: 'waiting', retryAfterMs: admission.leftMs }
    return mayGo() ? null : { kind: 'unsent', why: 'stopped' }
  }

  const wireOf = (request: Omit<ForwardRequest, 'body'>, host: Host, body: string | null, accept?: string) => {
    const { endpoint, target, credential, headers, signal } = request
    const credentialHeaders = credentialHeader(endpoint, credential)
    if (credentialHeaders === null) throw new Error(`Not a credential for ${endpoint.route}`)
    const sentRequestId = request.requestId ?? newRequestId()
    const wire: Omit<WireRequest, 'endsAt'> = {
      origin: host.origin,
      path: target,
      method: endpoint.route.startsWith('GET ') ? 'GET' : 'POST',
      headers: headersOf(credentialHeaders, headers, body, parts.userAgent, sentRequestId, accept),
      body,
      signal,
      underWay: parts.underWay,
      mayGo: request.mayGo,
    }
    return { wire, sentRequestId, credentialHeaders }
  }

  const contextOf = ({ endpoint, credential }: Omit<ForwardRequest, 'body'>, sentRequestId: string): CallContext => ({
    endpoint,
    sentRequestId,
    keyLabel: credential?.label ?? null,
    keyId: credential?.keyId ?? null,
    allowlist: credential?.allowlist ?? [],
    intentRef: null,
    fieldMap: parts.fieldMap?.(),
  })

  /** Adds changes and failures to the request log. Successful reads are left out: bots read so often that the log would hold nothing else. */
  const note = (
    request: Omit<ForwardRequest, 'body'>,
    { wire, sentRequestId, credentialHeaders }: ReturnType<typeof wireOf>,
    outcome: WireOutcome,
    classified: Classified,
    at: { readonly startedAtMs: number; readonly tookMs: number; readonly host: Host },
  ) => {
    if (wire.method === 'GET' && classified.kind === 'success') return
    const { endpoint, target, credential } = request
    const record = {
      id: sentRequestId,
      atMs: serviceTime(at.startedAtMs),
      method: wire.method,
      path: target.split('?', 1)[0] ?? target,
      endpoint: endpoint.route,
      status: outcome.status,
      ms: Math.round(at.tookMs),
      requestId: classified.requestId,
      outcome: classified.kind === 'success' ? 'ok' : classified.outcome,
      attempt: 1,
      intentRef: null,
      host: hostNamed(at.host),
    }
    const key = credential === null ? null : { id: credential.keyId, label: credential.label }
    const exchange = noteExchange({ endpoint, target, headers: wire.headers, credential: credentialHeaders, key, body: wire.body, outcome })
    try {
      parts.onExchange(record, credential?.wallet ?? null, { callId: sentRequestId, exchange: credential?.wallet === undefined ? null : exchange })
    } catch {
      // Ignore the listener's error. The bot has its answer; only the log's row is lost.
    }
  }

  /** Only the answer to a change is parsed, to see what it proves. The bytes of any answer go to the bot unchanged. */
  const judged = (outcome: WireOutcome, context: CallContext): Classified =>
    outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300 && context.endpoint.retry !== 'never'
      ? { kind: 'success', json: null, requestId: headerText(outcome.headers['x-request-id']) ?? context.sentRequestId }
      : classify(outcome, parseBody(outcome), context, serviceTime(clock.now()))

  const once = async (request: ForwardRequest, host: Host, endsAt: number) => {
    const sent = wireOf(request, host, request.body)
    const started = clock.monotonic()
    const startedAtMs = clock.now()
    const outcome = await exchangeBytes(host.botDispatcher, clock, { ...sent.wire, endsAt })
    const tookMs = clock.monotonic() - started
    const isPlain = outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300 && sent.wire.method === 'GET'
    const seen: WireOutcome = outcome.kind === 'lost' ? outcome : isPlain ? { ...withText({ ...outcome, body: empty }) } : withText(outcome)
    const classified = judged(seen, contextOf(request, sent.sentRequestId))
    if (classified.kind === 'failure' && classified.hostTrouble) hosts.failed(host, classified.pauseMs ?? 0)
    else if (outcome.kind === 'answer') hosts.answered(host)
    parts.observe(request.endpoint, outcome.kind === 'answer' ? outcome : null, tookMs, classified, host, true)
    note(request, sent, seen, classified, { startedAtMs, tookMs, host })
    return { outcome, proven: provenBy(classified), unanswered: classified.kind === 'failure' && classified.unanswered }
  }

  return {
    async forward(request) {
      const { endpoint, credential, deadlineMs } = request
      const first = hosts.choose(endpoint, [])
      if (first === null || (endpoint.retry === 'safe' && !hosts.hasOther(endpoint, [first]) && !breaker.allows(endpoint.limiter)))
        return { kind: 'unsent', why: 'unreachable' }
      const held = await admit(request)
      if (held !== null) return held
      const last = await turns(async () => {
        // The bot may have been paused while its request waited for a turn.
        if (!request.mayGo()) return null
        const endsAt = clock.monotonic() + deadlineMs
        const hasOther = hosts.hasOther(endpoint, [first])
        const answer = await once(request, first, hasOther ? endsAt - deadlineMs / 2 : endsAt)
        const second = answer.unanswered && hasOther ? hosts.choose(endpoint, [first]) : null
        return second !== null && request.mayGo() ? once(request, second, endsAt) : answer
      })
      if (last === null) return { kind: 'unsent', why: 'stopped' }
      const { outcome } = last
      if (outcome.kind === 'lost' && outcome.sent === 'no' && !request.mayGo()) return { kind: 'unsent', why: 'stopped' }
      if (outcome.kind === 'lost')
        return outcome.sent === 'no' ? { kind: 'unsent', why: outcome.reason === 'closing' ? 'closing' : 'unreachable' } : { kind: 'lost', why: 'no_answer' }
      if (credential !== null && shows(outcome.body, outcome.headers, credential.apiKey.reveal())) return { kind: 'lost', why: 'key_shown' }
      return { kind: 'answer', outcome: last.proven, status: outcome.status, headers: outcome.headers, body: outcome.body }
    },
    async forwardStream(request, listener) {
      const { endpoint, credential, deadlineMs } = request
      const host = hosts.choose(endpoint, [])
      if (host === null) return { kind: 'unsent', why: 'unreachable' }
      const notAdmitted = await admit(request)
      if (notAdmitted !== null) return notAdmitted
      const sent = wireOf(request, host, null, 'text/event-stream')
      const started = clock.monotonic()
      const startedAtMs = clock.now()
      const secret = credential === null ? null : Buffer.from(credential.apiKey.reveal())
      let held: Buffer = empty
      let isCut = false
      let opened: OpenStream | null = null
      const guarded: StreamListener = {
        onEnd: () => {
          if (held.length > 0) listener.onChunk(held)
          held = empty
          listener.onEnd()
        },
        onChunk: (chunk) => {
          if (isCut) return
          if (secret === null) return listener.onChunk(chunk)
          const joined = held.length === 0 ? chunk : Buffer.concat([held, chunk])
          if (joined.includes(secret)) {
            isCut = true
            held = empty
            opened?.close()
            listener.onEnd()
            return
          }
          // The end may be the beginning of the key. Its rest may follow in the next chunk, so this part waits for it.
          const free = joined.length - beginningAtEnd(joined, secret)
          held = Buffer.from(joined.subarray(free))
          if (free > 0) listener.onChunk(joined.subarray(0, free))
        },
      }
      const outcome = await openEventStream(host.botDispatcher, clock, { ...sent.wire, endsAt: started + deadlineMs }, guarded)
      const tookMs = clock.monotonic() - started
      if (outcome.kind === 'open') {
        opened = outcome.stream
        // The key may have come before this line ran.
        if (isCut) opened.close()
        hosts.answered(host)
        return { kind: 'open', headers: outcome.headers, stream: outcome.stream }
      }
      const classified = judged(outcome, contextOf(request, sent.sentRequestId))
      parts.observe(endpoint, outcome.kind === 'answer' ? outcome : null, tookMs, classified, host, true)
      note(request, sent, outcome, classified, { startedAtMs, tookMs, host })
      if (outcome.kind === 'lost') return { kind: 'unsent', why: outcome.reason === 'closing' ? 'closing' : 'unreachable' }
      const body = bytesOf(outcome)
      if (credential !== null && shows(body, outcome.headers, credential.apiKey.reveal())) return { kind: 'lost', why: 'key_shown' }
      return { kind: 'answer', outcome: provenBy(classified), status: outcome.status, headers: outcome.headers, body }
    },
  }
}

const empty = Buffer.alloc(0)

/**
 * What an answer proves about a change. A body with `success: false` and a status below 400 is a refusal only with a code of the document's Errors table.
 */
function provenBy(classified: Classified): ForwardedAnswer['outcome'] {
  if (classified.kind === 'success') return 'done'
  const { failure } = classified
  if (failure.kind === 'refused' && failure.status < 400) return 'unknown'
  return outcomeOf(classified) === 'refused' ? 'refused' : 'unknown'
}

/** The whole text of an answer as bytes. Only for answers that are not streams where a stream was asked for, such as a refusal. */
const bytesOf = ({ text }: Extract<WireOutcome, { kind: 'answer' }>): Buffer => Buffer.from(startOf(text, lengthOf(text)))

/** How many bytes at the end of `text` are the beginning of `secret`. */
function beginningAtEnd(text: Buffer, secret: Buffer): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length -= 1)
    if (text.subarray(text.length - length).equals(secret.subarray(0, length))) return length
  return 0
}

/** Whether an answer repeats the key. Such an answer must not reach a bot, which never holds the key. */
const shows = (body: Buffer, headers: IncomingHttpHeaders, key: string): boolean =>
  body.includes(key) || Object.values(headers).some((value) => (Array.isArray(value) ? value.some((one) => one.includes(key)) : value?.includes(key) === true))
