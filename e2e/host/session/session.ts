import { createHash } from 'node:crypto'
import type {
  CallbackResponse,
  Session as ElectronSession,
  HeadersReceivedResponse,
  OnBeforeRequestListenerDetails,
  OnHeadersReceivedListenerDetails,
  ProxyConfig,
  WebRequestFilter,
} from 'electron'
import { notImplemented, StrictEmitter, strict } from '../strict.ts'
import type { CdpSession } from '../windows/cdp.ts'
import type { Chromium } from '../windows/chromium.ts'
import { denyAll, grant } from './permissions.ts'
import type { Protocol } from './protocol.ts'
import { resolveProxy } from './proxy.ts'
import type { Schemes } from './schemes.ts'

type RequestListener = (details: OnBeforeRequestListenerDetails, callback: (response: CallbackResponse) => void) => void
type HeadersListener = (details: OnHeadersReceivedListenerDetails, callback: (response: HeadersReceivedResponse) => void) => void
type Filtered<L> = { listener: L; matches: (url: string) => boolean } | undefined

/** As in Electron, each event has one listener: a new listener replaces the old one, and null removes it. */
export class WebRequest {
  beforeRequest: Filtered<RequestListener>
  headersReceived: Filtered<HeadersListener>
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  onBeforeRequest(...parameters: [WebRequestFilter, RequestListener | null] | [RequestListener | null]): void {
    this.beforeRequest = filtered(parameters)
    this.#changed()
  }

  onHeadersReceived(...parameters: [WebRequestFilter, HeadersListener | null] | [HeadersListener | null]): void {
    this.headersReceived = filtered(parameters)
    this.#changed()
  }
}

function filtered<L>(parameters: [WebRequestFilter, L | null] | [L | null]): Filtered<L> {
  const [filter, listener] = parameters.length === 2 ? parameters : [undefined, parameters[0]]
  if (listener === null) return undefined
  const patterns = filter?.urls.map((pattern) => (pattern === '<all_urls>' ? /^/ : new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)))
  return { listener, matches: (url) => patterns === undefined || patterns.some((pattern) => pattern.test(url)) }
}

declare global {
  interface RegExpConstructor {
    escape(text: string): string
  }
}

export interface SessionDependencies {
  chromium: Chromium
  /** Resolves once Chromium has started. The app may use a session earlier. */
  launched: Promise<void>
  schemes: Schemes
  protocol: Protocol
  storagePath: () => string
  /** The DevTools connection to an open page of this session; undefined if no page is open. */
  pageOf: (session: Session) => CdpSession | undefined
  env: NodeJS.ProcessEnv
  webRequestChanged: () => void
}

type PermissionRequestHandler = Parameters<ElectronSession['setPermissionRequestHandler']>[0]
type PermissionCheckHandler = Parameters<ElectronSession['setPermissionCheckHandler']>[0]
type Members =
  | 'isPersistent'
  | 'getStoragePath'
  | 'storagePath'
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'clearStorageData'
  | 'clearCache'
  | 'setProxy'
  | 'resolveProxy'
  | 'fetch'
  | 'setSpellCheckerEnabled'

/**
 * An Electron session. The default session uses Chromium’s profile, an in-memory session has its own browser context, and a persistent partition has
 * its own host names.
 */
export class Session extends StrictEmitter implements Pick<ElectronSession, Members> {
  static override label = 'session'
  static override emits: ReadonlySet<string> = new Set(['will-download', 'spellcheck-dictionary-download-failure'])
  readonly webRequest: WebRequest
  readonly protocol: Protocol
  /** Part of the host names of this partition’s pages, so that Chromium stores their data separately. Empty if the session is not a partition. */
  readonly hostMark: string
  readonly #partition: string
  readonly #dependencies: SessionDependencies
  readonly #context: Promise<string | undefined>
  readonly #origins = new Set<string>()
  #requestHandler: PermissionRequestHandler = null
  #checkHandler: PermissionCheckHandler = null
  #proxy: ProxyConfig = {}

  constructor(dependencies: SessionDependencies, partition: string) {
    super()
    this.#dependencies = dependencies
    this.#partition = partition
    this.protocol = dependencies.protocol
    this.webRequest = strict('session.webRequest', new WebRequest(dependencies.webRequestChanged))
    this.hostMark = partition.startsWith('persist:') ? `p${createHash('sha256').update(partition).digest('hex').slice(0, 16)}` : ''
    this.#context = this.#open()
    this.#context.catch(() => {})
  }

  async #open(): Promise<string | undefined> {
    const { chromium, launched } = this.#dependencies
    await launched
    const inMemory = this.#partition !== '' && !this.isPersistent()
    const context = inMemory ? (await chromium.root.send('Target.createBrowserContext', { disposeOnDetach: true })).browserContextId : undefined
    await Promise.all([
      denyAll(chromium.root, context),
      // This Chromium denies all downloads, so the event `will-download` is never emitted.
      chromium.root.send('Browser.setDownloadBehavior', { behavior: 'deny', ...(context === undefined ? {} : { browserContextId: context }) }),
    ])
    return context
  }

  get storagePath(): string | null {
    return this.getStoragePath()
  }

  getStoragePath(): string | null {
    return this.isPersistent() ? this.#dependencies.storagePath() : null
  }

  isPersistent(): boolean {
    return this.#partition === '' || this.#partition.startsWith('persist:')
  }

  setPermissionRequestHandler(handler: PermissionRequestHandler): void {
    this.#requestHandler = handler
  }

  setPermissionCheckHandler(handler: PermissionCheckHandler): void {
    this.#checkHandler = handler
  }

  /**
   * Clears the storage of one origin, or of all origins that this session’s pages have shown in this run. Needs an open page, because Chromium clears
   * storage through its DevTools.
   */
  async clearStorageData(options: Electron.ClearStorageDataOptions = {}): Promise<void> {
    for (const name of Object.keys(options)) if (name !== 'origin') notImplemented(`the option ${name} of session.clearStorageData`)
    const page = this.#dependencies.pageOf(this)
    if (page === undefined) return notImplemented('session.clearStorageData without an open page')
    const origins = options.origin === undefined ? [...this.#origins] : [new URL(this.#dependencies.schemes.toChromium(options.origin, this.hostMark)).origin]
    await Promise.all(origins.map((origin) => page.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })))
  }

  /** Does nothing, because responses to the app’s own scheme never enter Chromium’s disk cache, and no other host is loaded as a page. */
  async clearCache(): Promise<void> {}

  async setProxy(config: ProxyConfig): Promise<void> {
    this.#proxy = config
  }

  async resolveProxy(url: string): Promise<string> {
    return resolveProxy(url, this.#proxy, this.#dependencies.env)
  }

  fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    return this.protocol.fetch(input, init)
  }

  setSpellCheckerEnabled(_enabled: boolean): void {}

  browserContext(): Promise<string | undefined> {
    return this.#context
  }

  visited(url: string): void {
    const origin = URL.parse(this.#dependencies.schemes.toChromium(url, this.hostMark))?.origin
    if (origin !== undefined && origin !== 'null') this.#origins.add(origin)
  }

  /**
   * Not part of Electron’s API: called when a page requests a permission. Without a handler the permission is denied. Electron would grant it,
   * but then a test could not tell whether the app’s own handler refuses.
   */
  async askPermission(webContents: Electron.WebContents, permission: string, requestingUrl: string): Promise<boolean> {
    // Electron types the permission names of its two handlers as two different unions. Pages request only names that are in both.
    const name = permission as Parameters<NonNullable<PermissionRequestHandler>>[1] & Parameters<NonNullable<PermissionCheckHandler>>[1]
    const origin = URL.parse(requestingUrl)?.origin ?? ''
    if (this.#checkHandler !== null && !this.#checkHandler(webContents, name, origin, { requestingUrl, isMainFrame: true })) return false
    const handler = this.#requestHandler
    if (handler === null) return false
    const granted = await new Promise<boolean>((resolve) => handler(webContents, name, resolve, { requestingUrl, isMainFrame: true }))
    if (granted)
      await grant(
        this.#dependencies.chromium.root,
        await this.#context,
        permission,
        new URL(this.#dependencies.schemes.toChromium(requestingUrl, this.hostMark)).origin,
      )
    return granted
  }
}
