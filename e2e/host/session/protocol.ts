import { readFile } from 'node:fs/promises'
import type { CustomScheme, Protocol as ElectronProtocol } from 'electron'
import type { SchemeHandler, Schemes } from './schemes.ts'

type Members = 'registerSchemesAsPrivileged' | 'handle' | 'unhandle' | 'isProtocolHandled'

/** Electron’s `protocol` module. The `fetch` of `net` and of sessions uses the same handlers. */
export class Protocol implements Pick<ElectronProtocol, Members> {
  readonly #schemes: Schemes
  readonly #isReady: () => boolean

  constructor(schemes: Schemes, isReady: () => boolean) {
    this.#schemes = schemes
    this.#isReady = isReady
  }

  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (this.#isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme } of schemes) this.#schemes.register(scheme)
  }

  handle(scheme: string, handler: SchemeHandler): void {
    this.#schemes.handle(scheme, handler)
  }

  unhandle(scheme: string): void {
    this.#schemes.unhandle(scheme)
  }

  isProtocolHandled(scheme: string): boolean {
    return this.#schemes.handler(scheme) !== undefined
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const scheme = request.url.slice(0, request.url.indexOf(':'))
    if (scheme === 'file') return new Response(new Uint8Array(await readFile(new URL(request.url))))
    const handler = this.#schemes.handler(scheme)
    return handler === undefined ? fetch(request) : handler(request)
  }
}
