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
  /** Additional fields beside code and message, for example the missing scope or the wrong field. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** A response that stays open: it sends Server-Sent Events until client or server ends it. */
export interface StreamReply {
  readonly kind: 'stream'
  readonly status: 200
  /** Called when the response starts; it may then send events. Returns a function that the server calls when the client has disconnected. */
  start(wire: StreamWire): () => void
}

export interface StreamWire {
  write(text: string): void
  end(): void
  /** Closes the connection after the data written so far, in the middle of the response. Nothing may be written afterwards. */
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

/** A request whose body is parsed and whose caller is authorised. */
export interface Ask {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** The address of the connection. Forwarding headers are not trusted. */
  readonly ip: string
  /** The host name and port with which the client addressed this server. */
  readonly host: string
  readonly requestId: string
}
