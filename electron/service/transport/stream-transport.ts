import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { foreign } from '../../../shared/foreign/foreign.ts'
import type { Clock } from '../../../shared/time.ts'
import { createDeadline } from '../../kernel/deadline.ts'
import { headerText } from './request-headers.ts'
import { answerLimitBytes, type WireOutcome, type WireRequest } from './transport.ts'

export interface OpenStream {
  close(): void
}

export type StreamOutcome =
  | { readonly kind: 'open'; readonly status: number; readonly headers: IncomingHttpHeaders; readonly receivedAtMs: number; readonly stream: OpenStream }
  /** The service sent a response that is not a stream, or no response arrived. */
  | WireOutcome

export interface StreamListener {
  onChunk(chunk: Buffer): void
  /** Called once when the stream ends for any reason, but not after a call of `close`. */
  onEnd(): void
}

/**
 * Requests `text/event-stream`. `endsAt` limits only the wait for the response to start; the open stream lasts until either side ends it. If the
 * response is not a stream, reads the whole response, as `exchange` does.
 */
export function openEventStream(dispatcher: Dispatcher, clock: Clock, request: WireRequest, listener: StreamListener): Promise<StreamOutcome> {
  const { promise, resolve } = Promise.withResolvers<StreamOutcome>()
  let controller: Dispatcher.DispatchController | null = null
  let phase: 'waiting' | 'open' | 'reading' | 'over' = 'waiting'
  let status: number | null = null
  let headers: IncomingHttpHeaders = {}
  let receivedAtMs = 0
  let size = 0
  const chunks: Buffer[] = []

  const lose = (reason: 'timeout' | 'connect' | 'reset' | 'closing' | 'too_large', detail: string) => {
    const before = phase
    phase = 'over'
    deadline.cancel()
    request.underWay?.delete(close)
    if (before === 'open') listener.onEnd()
    else if (before !== 'over') resolve({ kind: 'lost', reason, sent: controller === null ? 'no' : 'maybe', status, headers, detail })
  }
  const stop = (reason: 'timeout' | 'closing' | 'too_large') => {
    lose(reason, reason)
    controller?.abort(new Error(reason))
  }
  const close = () => stop('closing')
  const deadline = createDeadline(clock, request.endsAt, () => {
    if (phase === 'waiting' || phase === 'reading') stop('timeout')
  })
  request.underWay?.add(close)
  const stream: OpenStream = {
    close: () => {
      if (phase === 'over') return
      phase = 'over'
      request.underWay?.delete(close)
      controller?.abort(new Error('closing'))
    },
  }

  dispatcher.dispatch(
    { origin: request.origin, path: request.path, method: request.method, headers: request.headers, body: request.body, headersTimeout: 0, bodyTimeout: 0 },
    {
      onRequestStart(started) {
        controller = started
        if (phase === 'over') started.abort(new Error('closing'))
      },
      onResponseStart(_controller, code, received) {
        if (code < 200 || phase === 'over') return
        status = code
        headers = received
        receivedAtMs = clock.now()
        if (code !== 200 || !/^\s*text\/event-stream/i.test(headerText(received['content-type']) ?? '')) {
          phase = 'reading'
          return
        }
        phase = 'open'
        deadline.cancel()
        resolve({ kind: 'open', status: code, headers, receivedAtMs, stream })
      },
      onResponseData(_controller, chunk) {
        if (phase === 'open') return listener.onChunk(chunk)
        if (phase !== 'reading') return
        size += chunk.length
        if (size > answerLimitBytes) return stop('too_large')
        chunks.push(chunk)
      },
      onResponseEnd() {
        if (phase === 'open') return lose('reset', 'ended')
        if (phase === 'over') return
        phase = 'over'
        deadline.cancel()
        request.underWay?.delete(close)
        resolve({ kind: 'answer', status: status ?? 0, headers, text: foreign(Buffer.concat(chunks, size).toString('utf8')), bytes: size, receivedAtMs })
      },
      onResponseError(_controller, error) {
        lose(controller === null ? 'connect' : 'reset', error.message)
      },
    },
  )
  return promise
}
