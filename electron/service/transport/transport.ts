import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Foreign, foreign } from '../../../shared/foreign/foreign.ts'
import type { Clock } from '../../../shared/time.ts'
import { createDeadline } from '../../kernel/deadline.ts'

/** Maximum size of a response: 8 MiB. The app does not read a larger response to its end. */
export const answerLimitBytes = 8 * 1_024 * 1_024

export interface WireRequest {
  readonly origin: string
  readonly path: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** When the app gives up the request, in ms of the monotonic clock. */
  readonly endsAt: number
  readonly signal: AbortSignal | undefined
  /** Each running request adds to this set a function that cancels the request. This is much cheaper than one signal listener per request. */
  readonly underWay?: Set<() => void>
  /** Asked as the request is handed to its connection, for which it may have waited. If it returns false, nothing is sent. */
  readonly mayGo?: () => boolean
}

export type LossReason = 'connect' | 'tls' | 'timeout' | 'reset' | 'too_large' | 'closing'

export interface WireAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: Foreign<string>
  /** Size of the response body in bytes, as received. */
  readonly bytes: number
  readonly receivedAtMs: number
}

/**
 * The response was lost. `sent`: whether any byte of the request may have left the app. `status`: the status, if the headers arrived before the
 * loss.
 */
export interface WireLoss {
  readonly kind: 'lost'
  readonly reason: LossReason
  readonly sent: 'no' | 'maybe'
  readonly status: number | null
  readonly headers: IncomingHttpHeaders
  readonly detail: string
}

export type WireOutcome = WireAnswer | WireLoss

class Overdue extends Error {}
class TooLarge extends Error {}
class Cancelled extends Error {}

/** A response with its body as the bytes that arrived. */
export type WireBytes = Omit<WireAnswer, 'text' | 'bytes'> & { readonly body: Buffer }

/** Like `exchangeBytes`, but with the response body as text. */
export async function exchange(dispatcher: Dispatcher, clock: Clock, request: WireRequest): Promise<WireOutcome> {
  const outcome = await exchangeBytes(dispatcher, clock, request)
  return outcome.kind === 'lost' ? outcome : withText(outcome)
}

export const withText = ({ kind, status, headers, receivedAtMs, body }: WireBytes): WireAnswer => ({
  kind,
  status,
  headers,
  text: foreign(body.toString('utf8')),
  bytes: body.length,
  receivedAtMs,
})

/**
 * Sends one request and reads the whole response into memory. Follows no redirect, keeps no cookie and adds no browser header (GEN-04).
 * Uses undici's dispatch directly, because only dispatch reports when undici starts to write the request. If no response arrives, this shows whether
 * the request may have had an effect.
 */
export function exchangeBytes(dispatcher: Dispatcher, clock: Clock, request: WireRequest): Promise<WireBytes | WireLoss> {
  const { promise, resolve } = Promise.withResolvers<WireBytes | WireLoss>()
  let controller: Dispatcher.DispatchController | null = null
  let stopped: Error | null = null
  let settled = false
  let status: number | null = null
  let headers: IncomingHttpHeaders = {}
  let receivedAtMs = 0
  let size = 0
  const chunks: Buffer[] = []

  const settle = (outcome: WireBytes | WireLoss) => {
    if (settled) return
    settled = true
    deadline.cancel()
    request.signal?.removeEventListener('abort', cancel)
    request.underWay?.delete(cancel)
    resolve(outcome)
  }
  const lose = (error: Error) =>
    settle({
      kind: 'lost',
      reason: lossReason(error, controller !== null),
      sent: controller === null ? 'no' : 'maybe',
      status,
      headers,
      detail: detailOf(error),
    })
  const stop = (error: Error) => {
    stopped ??= error
    // If the request still waits for a connection, undici cannot abort it yet and `controller` is null. Report the request as lost now; undici drops
    // it when a connection is free.
    lose(stopped)
    controller?.abort(stopped)
  }
  const cancel = () => stop(new Cancelled('cancelled'))
  const deadline = createDeadline(clock, request.endsAt, () => stop(new Overdue('deadline')))

  if (request.signal?.aborted) {
    cancel()
    return promise
  }
  request.signal?.addEventListener('abort', cancel, { once: true })
  request.underWay?.add(cancel)

  try {
    dispatcher.dispatch(
      { origin: request.origin, path: request.path, method: request.method, headers: request.headers, body: request.body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          if (!stopped && request.mayGo?.() === false) cancel()
          if (stopped) {
            started.abort(stopped)
            return
          }
          controller = started
        },
        onResponseStart(_controller, code, received) {
          // Ignore a response with a 1xx status, because the final response follows it.
          if (code < 200) return
          status = code
          headers = received
          receivedAtMs = clock.now()
        },
        onResponseData(current, chunk) {
          size += chunk.length
          if (size > answerLimitBytes) {
            stop(new TooLarge('answer over 8 MiB'))
            current.abort(new TooLarge('answer over 8 MiB'))
            return
          }
          chunks.push(chunk)
        },
        onResponseEnd() {
          if (status === null) return lose(new Error('answer without a status'))
          const [only] = chunks
          settle({ kind: 'answer', status, headers, body: chunks.length === 1 && only ? only : Buffer.concat(chunks, size), receivedAtMs })
        },
        onResponseError(_controller, error) {
          lose(error)
        },
      },
    )
  } catch (error) {
    // undici throws if it refuses a request, for example because of a line break in a header. In that case, the app has sent nothing.
    lose(error instanceof Error ? error : new Error(String(error)))
  }
  return promise
}

function lossReason(error: Error, started: boolean): LossReason {
  if (error instanceof Overdue) return 'timeout'
  if (error instanceof TooLarge) return 'too_large'
  if (error instanceof Cancelled) return 'closing'
  const codes = errorCodes(error)
  if (codes.some((code) => code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')) return 'closing'
  if (codes.some((code) => /CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_|^EPROTO$|^DEPTH_ZERO/.test(code))) return 'tls'
  if (codes.some((code) => /TIMEOUT|^ETIMEDOUT$/.test(code))) return started ? 'timeout' : 'connect'
  return started ? 'reset' : 'connect'
}

function errorCodes(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 4) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const gathered = error instanceof AggregateError ? error.errors.flatMap((inner) => errorCodes(inner, depth + 1)) : []
  return [...own, ...gathered, ...errorCodes(error.cause, depth + 1)]
}

const detailOf = (error: Error): string => [errorCodes(error)[0], error.message].filter(Boolean).join(' ')
