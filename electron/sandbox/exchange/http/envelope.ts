import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import { distort, errorBody, wrongTypes } from '../misbehaviour/distort.ts'
import { reshaped, type Shape } from '../misbehaviour/shapes.ts'
import type { Answer, Refusal } from './reply.ts'

/** What goes over the wire. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

const json = 'application/json; charset=utf-8'
const hugeBytes = 9 * 1024 * 1024

interface Asked {
  readonly requestId: string
  readonly versioned: boolean
  readonly bodyKind: Faults['body'][number]['kind'] | null
  readonly shapes: readonly Shape[]
}

export interface Envelope {
  /** Of an answer that goes on. */
  streamHeaders(requestId: string): Record<string, string>
  write(reply: Answer | Refusal, asked: Asked): Response
}

export function createEnvelope({ clock, faults }: { clock: Clock; faults: Faults }): Envelope {
  const basicHeaders = (requestId: string, versioned: boolean): Record<string, string> => ({
    'X-Request-ID': requestId,
    Date: new Date(clock.now()).toUTCString(),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // Versioning 2.
    ...(versioned && { 'X-Svc-API-Version': faults.versions?.api ?? 'v1', 'X-Svc-API-Schema': faults.versions?.schema ?? 'svc-dex-api-v1.1' }),
  })
  const content = (reply: Answer | Refusal, requestId: string, shapes: readonly Shape[]): unknown => {
    if (reply.kind === 'answer') return shapes.reduce(reshaped, distort(reply.body, faults))
    const body = errorBody(reply, requestId, faults.errorShape)
    return typeof body === 'string' ? body : distort(body, faults)
  }
  return {
    streamHeaders: (requestId) => ({ ...basicHeaders(requestId, true), 'Content-Type': 'text/event-stream; charset=utf-8' }),
    write: (reply, { requestId, versioned, bodyKind, shapes }) => {
      const headers = { ...basicHeaders(requestId, versioned), ...(reply.kind === 'refusal' && reply.headers) }
      if (faults.html) {
        const page = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>'
        return { status: 200, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, bytes: Buffer.from(page) }
      }
      const value = content(reply, requestId, shapes)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const type = typeof value === 'string' ? 'text/plain; charset=utf-8' : json
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
