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
  /** The wallet that the credential belongs to, for the request log. */
  readonly wallet?: string
}
export interface KeyCredential {
  readonly kind: 'key'
  readonly keyId: string
  readonly label: string | null
  readonly apiKey: Secret
  /** The wallet that the credential belongs to, for the request log. */
  readonly wallet?: string
  /** The key's IP allowlist, as last listed. Used to explain a refusal (Authentication 5). */
  readonly allowlist?: readonly string[]
}

/** The kind of credential that an endpoint accepts. The compiler rejects a wrong kind, and the client refuses it again at run time (GEN-07). */
export type CredentialFor<E extends Endpoint> = E['credential'] extends 'session' ? SessionCredential : E['credential'] extends 'key' ? KeyCredential : null

export interface ApiRequest<E extends Endpoint> {
  readonly params: z.input<E['params']>
  readonly query: z.input<E['query']>
  readonly body: z.input<E['body']>
  readonly credential: CredentialFor<E>
  /** Additional headers by name. At present, only `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The intent the call belongs to, for the request log. */
  readonly intentRef?: string
  /** A body to send byte for byte; `body` is then ignored. A retry must resend the same bytes (Idempotency rules 5). */
  readonly rawBody?: string
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call, including a pause that the service requested. Default 10,000. */
  readonly deadlineMs?: number
  /** If true, the app sends a request even if it has a stored answer. */
  readonly fresh?: boolean
  /**
   * How urgent the call is. Default: `exit` for a DELETE, otherwise `user`.
   * An exit (cancel, close, revoke) is sent once, without waiting for queues or pauses; its retries count as automatic calls. A read with the urgency
   * `exit` fails if it would have to wait for a pause.
   */
  readonly urgency?: Urgency
}

export interface ApiAnswer<T> {
  readonly value: T
  readonly status: number
  /** The body as received, with secrets removed. */
  readonly raw: string
  readonly requestId: string | null
  /** Unix ms when the response headers arrived, in the service's time. */
  readonly receivedAtMs: number
}

/** A failure of a call. All failures are classified in one place. `sent` says whether the request may have reached the service. */
export interface ApiFailure {
  readonly failure: Failure
  readonly sent: 'no' | 'maybe' | 'answered'
  /** The request id of the last attempt: the id in the response, or else the id that the app sent. Absent if nothing was sent. */
  readonly requestId?: string
  /** Milliseconds to wait before any automatic retry (`Retry-After`). Absent or `null`: the service requested no wait. */
  readonly retryAfterMs?: number | null
  /** Request fields that a refusal names. */
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
  readonly state: 'up' | 'slow' | 'down' | 'unknown'
  /** Age of the newest response, ms; null before the first one. */
  readonly lastAnswerAgeMs: number | null
  /** Set while the service is down: for how long, and whether its newest request got no response or an error such as 503. */
  readonly outage: { readonly forMs: number; readonly how: 'no_response' | 'errors' } | null
}

/** Makes all calls to the API. Each profile has one client, and every API request of the app goes through it. */
export interface ApiClient {
  call<E extends Endpoint>(endpoint: E, request: ApiRequest<E>): Promise<Result<ApiAnswer<AnswerOf<E['response']>>, ApiFailure>>
  /** Opens the private stream (`GET /stream`). `listener` receives the events until the stream ends or is closed. */
  openStream(request: StreamRequest, listener: StreamListener): Promise<Result<OpenStream, StreamRefusal>>
  /** The clock offset (service − local) in ms, measured from the `Date` header; `null` before the first response. */
  clockOffsetMs(): number | null
  health(): ServiceHealth
  /** The version headers of the last versioned call, if they differ from the documented ones. */
  serviceChange(): { readonly apiVersion: string | null; readonly schema: string | null } | null
  /** This computer's IP address, as the service named it in a refusal. `null` if no refusal has named an address. */
  seenAs(): { readonly address: string; readonly atMs: number } | null
  /** The service's hosts. The first is the one in the profile. */
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

/** Applies the time limit of `beforeExit` (`patienceMs`) to any read. Resolves to `instead` if the read takes longer. */
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
