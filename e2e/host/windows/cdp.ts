import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Answer, EventName, Method, Parameters, Protocol } from './devtools-protocol.ts'

/** The parameters of a DevTools command. May be omitted if every field is optional. */
type Sent<M extends Method> = object extends Parameters<M> ? [Parameters<M>?] : [Parameters<M>]

/** A DevTools session: with one page, or with the browser if there is no session id. */
export class CdpSession {
  readonly #client: CdpClient
  readonly #id: string | undefined
  readonly #events = new EventEmitter().setMaxListeners(0)

  constructor(client: CdpClient, id: string | undefined) {
    this.#client = client
    this.#id = id
  }

  /** Sends a command and returns its result. Rejects with Chromium’s message if the command fails or Chromium has ended. */
  send<M extends Method>(method: M, ...parameters: Sent<M>): Promise<Answer<M>> {
    return this.#client.request(method, parameters[0] ?? {}, this.#id)
  }

  /** Sends a command and ignores errors. Use it only if the command can fail for one reason: the page is gone. A separate event reports that. */
  tell<M extends Method>(method: M, ...parameters: Sent<M>): void {
    this.send(method, ...parameters).catch(() => {})
  }

  on<E extends EventName>(event: E, listener: (payload: Protocol.Events[E]) => void): void {
    this.#events.on(event, listener)
  }

  dispatch(event: string, payload: unknown): void {
    this.#events.emit(event, payload)
  }
}

interface Pending {
  sessionId: string | undefined
  method: string
  resolve: (value: never) => void
  reject: (cause: Error) => void
}

interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}

/** DevTools client over `--remote-debugging-pipe`: messages are JSON, separated by NUL. No port is open. */
export class CdpClient {
  readonly root: CdpSession
  readonly #write: Writable
  readonly #trace: (line: string) => void
  readonly #sessions = new Map<string, CdpSession>()
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #partial: Buffer[] = []
  #closed = false

  constructor({ write, read, trace = () => {} }: { write: Writable; read: Readable; trace?: (line: string) => void }) {
    this.#trace = trace
    this.#write = write
    this.root = new CdpSession(this, undefined)
    read.on('data', (chunk: Buffer) => this.#receive(chunk))
    // Errors of the pipe only mean that Chromium has ended; its exit event reports the reason.
    read.on('error', () => {})
    write.on('error', () => {})
  }

  session(id: string): CdpSession {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    const session = new CdpSession(this, id)
    this.#sessions.set(id, session)
    return session
  }

  /** Called when a page or other target has closed. Rejects its pending commands, which will get no response. */
  forget(id: string): void {
    this.#sessions.delete(id)
    this.#abandon((pending) => pending.sessionId === id)
  }

  request<M extends Method>(method: M, params: unknown, sessionId: string | undefined): Promise<Answer<M>> {
    if (this.#closed) return Promise.reject(new Error(`${method}: Chromium or the page has gone`))
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { sessionId, method, resolve, reject })
      const text = JSON.stringify({ id, method, params, sessionId })
      this.#trace(`→ ${text}`)
      this.#write.write(`${text}\0`)
    })
  }

  close(): void {
    this.#closed = true
    this.#abandon(() => true)
  }

  #abandon(concerns: (pending: Pending) => boolean): void {
    for (const [id, pending] of this.#pending) {
      if (!concerns(pending)) continue
      this.#pending.delete(id)
      pending.reject(new Error(`${pending.method}: Chromium or the page has gone`))
    }
  }

  #receive(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#partial.push(chunk.subarray(start, end))
      const text = Buffer.concat(this.#partial).toString()
      this.#partial = []
      this.#trace(`← ${text}`)
      start = end + 1
      this.#dispatch(JSON.parse(text) as Message)
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start))
  }

  #dispatch(message: Message): void {
    if (message.id === undefined) {
      const session = message.sessionId === undefined ? this.root : this.session(message.sessionId)
      if (message.method !== undefined) session.dispatch(message.method, message.params)
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error !== undefined) pending?.reject(new Error(`${pending.method}: ${message.error.message}`))
    else pending?.resolve(message.result as never)
  }
}
