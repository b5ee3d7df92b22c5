import { Agent, type Dispatcher } from 'undici'

/** A request as the app sent it, recorded before it reaches a server. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A dispatcher over real connections that adds every request to `sent`. */
export function createRecordingDispatcher(sent: SentRequest[]): Dispatcher {
  return new Agent({ keepAliveTimeout: 1_000 }).compose((dispatch) => (options, handler) => {
    sent.push({ method: options.method, path: String(options.path), headers: plainHeaders(options.headers), body: plainBody(options.body) })
    return dispatch(options, handler)
  })
}

function plainHeaders(headers: unknown): Record<string, string> {
  if (Array.isArray(headers)) {
    const found: Record<string, string> = {}
    for (let at = 0; at + 1 < headers.length; at += 2) found[String(headers[at]).toLowerCase()] = String(headers[at + 1])
    return found
  }
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

const plainBody = (body: unknown): string | null => (typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : null)
