import type { IncomingHttpHeaders } from 'node:http'

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Refusal {
  readonly kind: 'refusal'
  readonly status: number
  readonly code: string
  readonly message: string
  /** Beside code and message, for example the scope that is missing or the field that is wrong. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** An answer that goes on: Server-Sent Events until either side ends it. */
export interface StreamReply {
  readonly kind: 'stream'
  readonly status: 200
  /** Begins to write. Gives what is to be done when the client has gone. */
  start(wire: StreamWire): () => void
}

export interface StreamWire {
  write(text: string): void
  end(): void
  /** Closes the connection after what was written, in the middle of the answer. Nothing may be written afterwards. */
  cut(): void
}

export type Reply = Answer | Refusal | StreamReply

export const answer = (body: Readonly<Record<string, unknown>>, status = 200): Answer => ({ kind: 'answer', status, body })

export const refuse = (
  status: number,
  code: string,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Refusal => ({ kind: 'refusal', status, code, message, fields, headers })

export const invalid = (field: string, message: string): Refusal => refuse(400, 'VALIDATION_ERROR', `${field}: ${message}`, { field })

export const notFound = (what: string): Refusal => refuse(404, 'NOT_FOUND', `${what} was not found`)

export const tooMany = (retryAfterSeconds: number): Refusal =>
  refuse(429, 'RATE_LIMITED', `Too many requests; try again in ${retryAfterSeconds} s`, {}, { 'Retry-After': String(retryAfterSeconds) })

/** One request, read and admitted. */
export interface Ask {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The parsed JSON object; empty when nothing was sent. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** Address of the connection; no forwarding header is believed. */
  readonly ip: string
  /** The name and port that the client used for this server. */
  readonly host: string
  readonly requestId: string
}
