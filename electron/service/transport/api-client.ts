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
  /** Whose it is, for the request log. */
  readonly wallet?: string
}
export interface KeyCredential {
  readonly kind: 'key'
  readonly keyId: string
  readonly label: string | null
  readonly apiKey: Secret
  /** Whose it is, for the request log. */
  readonly wallet?: string
  /** As last listed, for the words of a refusal (Authentication 5). */
  readonly allowlist?: readonly string[]
}

/** The credential that an endpoint takes; the wrong one does not type-check and is refused again at run time (GEN-07). */
export type CredentialFor<E extends Endpoint> = E['credential'] extends 'session' ? SessionCredential : E['credential'] extends 'key' ? KeyCredential : null

export interface ApiRequest<E extends Endpoint> {
  readonly params: z.input<E['params']>
  readonly query: z.input<E['query']>
  readonly body: z.input<E['body']>
  readonly credential: CredentialFor<E>
  /** Extra headers by name; only `Idempotency-Key` today. */
  readonly headers?: Readonly<Record<string, string>>
  /** The intent that the call belongs to, for the request log. */
  readonly intentRef?: string
  /** Sent as `body` byte for byte, instead of serialising `body` (idempotency rule 5: a retry resends what was sent). */
  readonly rawBody?: string
  readonly signal?: AbortSignal
  /** Milliseconds for the whole exchange, and for a pause that the service asked for. Default 10,000. */
  readonly deadlineMs?: number
  /** Whatever is known of earlier answers, the service is asked. */
  readonly fresh?: boolean
  /**
   * Who waits for it. Default: exit for a DELETE, else user. An exit goes once, at once, whatever waits or was asked for; what repeats it is
   * automatic again. A read before an exit never waits for what the service asked to wait for: it fails.
   */
  readonly urgency?: Urgency
}

export interface ApiAnswer<T> {
  readonly value: T
  readonly status: number
  /** The body as received, secrets cut out. */
  readonly raw: string
  readonly requestId: string | null
  /** Unix ms at which the answer's headers arrived, in the service's time. */
  readonly receivedAtMs: number
}

/** Every failure is classified here, once. `sent` tells whether the request may have reached the service. */
export interface ApiFailure {
  readonly failure: Failure
  readonly sent: 'no' | 'maybe' | 'answered'
  /** The last exchange's id: the service's, else the one that was sent. Absent where nothing left. */
  readonly requestId?: string
  /** What is to be waited before anything is sent again by itself, in ms (`Retry-After`). Absent or null: the service asked for nothing. */
  readonly retryAfterMs?: number | null
  /** Fields of the request that a refusal names. */
  readonly invalidFields?: readonly InvalidField[]
}

export interface StreamRequest {
  readonly credential: KeyCredential
  /** Resumes after this event. */
  readonly lastEventId: string | null
  /** Narrows what it tells of markets to this one; null: all. */
  readonly market: { readonly pairId: number; readonly interval: '1m' } | null
}

export interface StreamRefusal {
  readonly failure: Failure
  /** What the answer asked for; null: nothing. */
  readonly retryAfterMs: number | null
}

/** One client per profile. All API traffic of the product goes through it. */
export interface ApiClient {
  call<E extends Endpoint>(endpoint: E, request: ApiRequest<E>): Promise<Result<ApiAnswer<AnswerOf<E['response']>>, ApiFailure>>
  /** Asks for the private stream (`GET /stream`). The listener is told of what comes until it ends, or until it is closed. */
  openStream(request: StreamRequest, listener: StreamListener): Promise<Result<OpenStream, StreamRefusal>>
  /** Service clock minus this computer's in ms, from the `Date` header; null before the first answer. */
  clockOffsetMs(): number | null
  health(): { readonly state: 'up' | 'slow' | 'down' | 'unknown'; readonly lastAnswerAgeMs: number | null }
  /** Versions that the service last sent on a versioned call, where they are not the documented ones. */
  drift(): { readonly apiVersion: string | null; readonly schema: string | null } | null
  /** The address that the service last named when it refused this computer's; null: it never did. */
  seenAs(): { readonly address: string; readonly atMs: number } | null
  /** The hosts of the service, the profile's own first. */
  hosts(): readonly HostState[]
  /** Names a second host for versioned reads, or none. Its keys are sent there too, so the user has agreed to it before (GEN-02). */
  readBySecondHost(line: HostLine | null): void
  close(): Promise<void>
}

/** A read that only helps an exit is not waited for longer than this, in ms. */
const patienceMs = 800

/** The same client for what is read before an exit that goes without it too: at once, and not for long. */
export const beforeExit = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'exit', deadlineMs: patienceMs, ...request })) satisfies ApiClient['call'],
})

/** The same of any other read: `instead` where it takes longer. */
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
