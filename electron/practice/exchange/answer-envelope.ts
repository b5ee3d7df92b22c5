import type { Clock } from '../../../shared/time.ts'
import type { Faults } from '../base/faults.ts'
import { asJson, jsonText } from '../dialect/json.ts'
import type { Speaker } from '../dialect/speaker.ts'
import { isRow } from '../dialect/write-record.ts'
import type { Answer, Refusal } from './http/reply.ts'
import { distort, errorBody, wrongTypes } from './misbehaviour/distort.ts'
import { reshaped, type Shape } from './misbehaviour/shapes.ts'

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'
const hugeBytes = 9 * 1024 * 1024

interface Asked {
  readonly requestId: string
  readonly versioned: boolean
  readonly bodyKind: Faults['body'][number]['kind'] | null
  readonly shapes: readonly Shape[]
  /** Method and path of the request, written as in the API document. */
  readonly route: string
  /** The `action` field of the request body, if there is one. */
  readonly action: string | null
  /** Converts the response to a dialect; null if the response keeps the exchange's own format. */
  readonly speaker: Speaker | null
}

export interface Envelope {
  /** Returns the headers for a response that stays open and sends Server-Sent Events. */
  streamHeaders(requestId: string): Record<string, string>
  write(reply: Answer | Refusal, asked: Asked): Response
}

export function createEnvelope({ clock, faults }: { clock: Clock; faults: Faults }): Envelope {
  const basicHeaders = (requestId: string, versioned: boolean): Record<string, string> => ({
    'X-Request-ID': requestId,
    Date: new Date(clock.now()).toUTCString(),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // Responses of the versioned API name its version and schema (API document: Versioning 2).
    ...(versioned && { 'X-Svc-API-Version': faults.versions?.api ?? 'v1', 'X-Svc-API-Schema': faults.versions?.schema ?? 'svc-dex-api-v1.1' }),
  })
  const content = (reply: Answer | Refusal, { requestId, shapes, speaker, route, action }: Asked): { readonly value: unknown; readonly type: string } => {
    if (reply.kind === 'answer') {
      const body = distort(reply.body, faults)
      const told = speaker === null || !isRow(body) ? body : speaker.answer(route, body, { requestId, nowMs: clock.now(), action })
      return { value: shapes.reduce(reshaped, told), type: json }
    }
    if (speaker !== null) {
      const { contentType, body } = speaker.error(reply, requestId)
      return { value: body, type: contentType }
    }
    const body = errorBody(reply, requestId, faults.errorShape)
    return typeof body === 'string' ? { value: body, type: plain } : { value: distort(body, faults), type: json }
  }
  return {
    streamHeaders: (requestId) => ({ ...basicHeaders(requestId, true), 'Content-Type': 'text/event-stream; charset=utf-8' }),
    write: (reply, asked) => {
      const { requestId, versioned, bodyKind, speaker } = asked
      const headers = { ...basicHeaders(requestId, versioned), ...(reply.kind === 'refusal' && reply.headers) }
      if (faults.html) {
        const page = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>'
        return { status: 200, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, bytes: Buffer.from(page) }
      }
      const { value, type } = content(reply, asked)
      const text = typeof value === 'string' ? value : speaker === null ? JSON.stringify(value) : jsonText(asJson(value))
      const sent = (bytes: Buffer, status = reply.status, more: Record<string, string> = {}) => ({
        status,
        headers: { ...headers, 'Content-Type': type, ...more },
        bytes,
      })
      switch (bodyKind) {
        case null:
          return sent(Buffer.from(text))
        case 'truncated':
          return sent(Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2)))
        case 'huge':
          return sent(Buffer.from(JSON.stringify({ success: true, padding: 'x'.repeat(hugeBytes) })))
        case 'redirect':
          return sent(Buffer.alloc(0), 302, { Location: 'https://svc-dex.example.org/elsewhere' })
        case 'wrong_types':
          return sent(Buffer.from(JSON.stringify(wrongTypes(value))))
      }
    },
  }
}
