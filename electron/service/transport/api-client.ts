import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { InvalidField } from '../../../shared/api/invalid-fields.ts'
import type { AnswerOf } from '../../../shared/api/reader/answer.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { HostLine, HostState } from './hosts.ts'
import type { Urgency } from './limiter.ts'
import type { OpenStream, StreamListener } from './stream-transport.ts'

export interface SessionCredential {
  readonly kind: 'session'
  readonly bearer: Secret
  /** The wallet to which the session belongs, for the request log. */
  readonly wallet?: string
}
export interface KeyCredential {
  readonly kind: 'key'
  readonly keyId: string
  readonly label: string | null
  readonly apiKey: Secret
  /** The wallet to which the key belongs, for the request log. */
  readonly wallet?: string
  /** The key's IP allowlist in the last key list. The app uses it to explain a refusal (Authentication 5). */
  readonly allowlist?: readonly string[]
}

/** The kind of credential that an endpoint accepts. The compiler rejects a wrong kind, and the client also refuses it at run time (GEN-07). */
export type CredentialFor<E extends Endpoint> = E['credential'] extends 'session' ? SessionCredential : E['credential'] extends 'key' ? KeyCredential : null

export interface ApiRequest<E extends Endpoint> {
  readonly params: z.input<E['params']>
  readonly query: z.input<E['query']>
  readonly body: z.input<E['body']>
  readonly credential: CredentialFor<E>
  /** Additional headers by name. At present, only `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The intent to which the call belongs, for the request log. */
  readonly intentRef?: string
  /** A body to send byte for byte; `body` is then ignored. A retry must resend the same bytes (Idempotency rules 5). */
  readonly rawBody?: string
  readonly signal?: AbortSignal
  /** Time limit for the whole call in ms, including a pause that the service requested; 10,000 by default. */
  readonly deadlineMs?: number
  /** If true, the client sends the request even if it has a stored answer. */
  readonly fresh?: boolean
  /**
   * How urgent the call is. Default: `exit` for a DELETE, otherwise `user`.
   * The client sends an exit (cancel, close, revoke) once, without waiting for queues or pauses. A retry of the exit waits like an automatic call. A
   * read with the urgency `exit` fails instead of waiting for a pause.
   */
  readonly urgency?: Urgency
}

export interface ApiAnswer<T> {
  readonly value: T
  readonly status: number
  /** The response body as the service sent it, with secrets removed. */
  readonly raw: string
  readonly requestId: string | null
  /** Unix ms when the response headers arrived, in the service's time. */
  readonly receivedAtMs: number
}

/** A failed call: the classified failure, and `sent`, which says whether the request may have reached the service. */
export interface ApiFailure {
  readonly failure: Failure
  readonly sent: 'no' | 'maybe' | 'answered'
  /** The request id of the last attempt: the id in the response, or else the id that the app sent. Absent if nothing was sent. */
  readonly requestId?: string
  /** Milliseconds to wait before any automatic retry (`Retry-After`). Absent or `null`: the service requested no wait. */
  readonly retryAfterMs?: number | null
  /** The request fields that the service names in a refusal. */
  readonly invalidFields?: readonly InvalidField[]
}

export interface StreamRequest {
  readonly credential: KeyCredential
  /** The id of the event after which to resume the stream; `null` to open it without resuming. */
  readonly lastEventId: string | null
  /** Limits market events to one market; `null` for all markets. */
  readonly market: { readonly pairId: number; readonly interval: '1m' } | null
}

export interface StreamRefusal {
  readonly failure: Failure
  /** Milliseconds that the service asked the app to wait; `null` if it asked for no wait. */
  readonly retryAfterMs: number | null
}

export interface ServiceHealth {
  /** `failing`: the newest request succeeded, but several failed shortly before. */
  readonly state: 'up' | 'slow' | 'failing' | 'down' | 'unknown'
  /** How long ago the newest response arrived, in ms; null before the first response. */
  readonly lastAnswerAgeMs: number | null
  /** null unless the service is down. `forMs` is the time since it went down. `how` says whether the newest request got no response or an error. */
  readonly outage: { readonly forMs: number; readonly how: 'no_response' | 'errors' } | null
}

/** A request of a bot that the gateway has checked. The client adds the credential and its own headers, and sends the rest unchanged. */
export interface ForwardRequest {
  readonly endpoint: Endpoint
  /** The path with its query, as it is sent. */
  readonly target: string
  readonly credential: KeyCredential | null
  /** `idempotency-key` or `last-event-id`, if the bot sent one. */
  readonly headers?: Readonly<Record<string, string>>
  /** The bot's own request id; null: the client makes one. */
  readonly requestId: string | null
  readonly body: string | null
  /** Time limit in ms, from the moment at which the limiter admits the request. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal
  /** True for a close or a cancel: like the app's own exits, it does not wait for the pauses that the service asked for. */
  readonly isExit?: boolean
  /** Asked in the same turn in which the request leaves. If it returns false, nothing is sent. */
  readonly mayGo: () => boolean
}

/**
 * The service's answer as it arrived. `outcome`: what it proves about a change, read as for the app's own orders. unknown: it is no answer of the
 * document's, such as a redirect, an HTML page or an unreadable body, so the change may have happened. Not to be used for a read.
 */
export interface ForwardedAnswer {
  readonly kind: 'answer'
  readonly outcome: 'done' | 'refused' | 'unknown'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * Why a request has no answer. `stopped`: `mayGo` returned false. `waiting`: the service asked all clients to wait `retryAfterMs`. `lost`: the request
 * may have arrived. `key_shown`: the answer contained the credential, so the client drops it.
 */
export type Unforwarded =
  | { readonly kind: 'unsent'; readonly why: 'stopped' | 'closing' | 'unreachable' }
  | { readonly kind: 'unsent'; readonly why: 'waiting'; readonly retryAfterMs: number }
  | { readonly kind: 'lost'; readonly why: 'no_answer' | 'key_shown' }

export interface Forwarder {
  /** Sends a bot's request once and returns the answer byte for byte. A read that one host does not answer is sent to the other host, if there is one. */
  forward(request: ForwardRequest): Promise<ForwardedAnswer | Unforwarded>
  /** Opens the private stream for a bot. If the service answers with anything but a stream, returns that answer. */
  forwardStream(
    request: Omit<ForwardRequest, 'body'>,
    listener: StreamListener,
  ): Promise<ForwardedAnswer | Unforwarded | { readonly kind: 'open'; readonly headers: IncomingHttpHeaders; readonly stream: OpenStream }>
}

/** Makes all calls to the API. Each profile has one client, and every API request of the app goes through it. */
export interface ApiClient extends Forwarder {
  call<E extends Endpoint>(endpoint: E, request: ApiRequest<E>): Promise<Result<ApiAnswer<AnswerOf<E['response']>>, ApiFailure>>
  /** Opens the private stream (`GET /stream`). `listener` receives the events until the stream ends or is closed. */
  openStream(request: StreamRequest, listener: StreamListener): Promise<Result<OpenStream, StreamRefusal>>
  /** Returns the clock offset (service minus local time) in ms, measured from `Date` headers; `null` before the first response. */
  clockOffsetMs(): number | null
  health(): ServiceHealth
  /** Returns the version headers of the last versioned call if they differ from the documented ones; otherwise null. */
  serviceChange(): { readonly apiVersion: string | null; readonly schema: string | null } | null
  /** Returns this computer's IP address, as the service named it in a refusal; `null` if no refusal has named one. */
  seenAs(): { readonly address: string; readonly atMs: number } | null
  /** Returns the service's hosts, the profile's own host first. */
  hosts(): readonly HostState[]
  /** Sets or removes a second host for versioned reads. The app sends API keys to this host, so the user must have agreed to it (GEN-02). */
  readBySecondHost(line: HostLine | null): void
  close(): Promise<void>
}

/** How many milliseconds a cancel, close or revoke waits for a read that is useful but not necessary. */
const patienceMs = 800

/**
 * Wraps a client for reads before an exit (cancel, close, revoke). Such a read is sent at once and has a short deadline, because the exit also works
 * without its result.
 */
export const beforeExit = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'exit', deadlineMs: patienceMs, ...request })) satisfies ApiClient['call'],
})

/**
 * Wraps a client for reads that a bot's order needs. They wait behind the user's own calls. A refusal for too many calls (429) holds back nothing
 * else, because a rate limit counts by key or by address, and the bots have used it up.
 */
export const forBots = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'bot', ...request })) satisfies ApiClient['call'],
})

/** Waits for a read for at most `patienceMs`, as `beforeExit` does. Resolves to `instead` if the read takes longer. */
export async function inAMoment<T, I>(read: Promise<T>, instead: I): Promise<T | I> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<I>((resolve) => {
    timer = setTimeout(() => resolve(instead), patienceMs)
  })
  try {
    return await Promise.race([read, over])
  } finally {
    clearTimeout(timer)
  }
}
