import type { HeadersReceivedResponse, OnBeforeRequestListenerDetails } from 'electron'
import type { Chromium } from '../windows/chromium.ts'
import type { Protocol } from '../windows/devtools-protocol.ts'
import type { WebContents } from '../windows/web-contents.ts'
import type { Schemes } from './schemes.ts'
import type { Session, WebRequest } from './session.ts'

type Paused = Protocol.Fetch.requestPausedPayload
type Headers = Record<string, string[]>

export interface RequestsDependencies {
  chromium: Chromium
  schemes: Schemes
  sessions: () => Session[]
  defaultSession: () => Session
  contentsOfFrame: (frameId: string) => WebContents | undefined
}

/** Response headers that contain the app’s scheme (`app:`), which must be translated to the https addresses that Chromium loads. */
const POLICIES = new Set(['content-security-policy', 'content-security-policy-report-only'])

/** Intercepts every request that the app must decide on: navigations, custom schemes, and all requests once `webRequest` is used. */
export class Requests {
  readonly #dependencies: RequestsDependencies
  #started = false

  constructor(dependencies: RequestsDependencies) {
    this.#dependencies = dependencies
  }

  async start(): Promise<void> {
    this.#started = true
    this.#dependencies.chromium.root.on('Fetch.requestPaused', (paused) => void this.#onPaused(paused))
    await this.refresh()
  }

  /** Asks Chromium to pause the requests that the app currently listens for. */
  async refresh(): Promise<void> {
    if (!this.#started) return
    const used = (select: (webRequest: WebRequest) => unknown) => this.#dependencies.sessions().some(({ webRequest }) => select(webRequest) !== undefined)
    const patterns: Protocol.Fetch.RequestPattern[] = [{ urlPattern: this.#dependencies.schemes.pattern }, { urlPattern: '*', resourceType: 'Document' }]
    if (used(({ beforeRequest }) => beforeRequest)) patterns.push({ urlPattern: '*' })
    if (used(({ headersReceived }) => headersReceived)) patterns.push({ urlPattern: 'http*', requestStage: 'Response' })
    await this.#dependencies.chromium.root.send('Fetch.enable', { patterns })
  }

  async #onPaused(paused: Paused): Promise<void> {
    const { chromium } = this.#dependencies
    try {
      if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined) await this.#onResponse(paused)
      else await this.#onRequest(paused)
    } catch (cause) {
      // If Chromium closed the page, the request no longer exists, which is not an error. Any other error is a bug in the app’s handler.
      if (!(cause instanceof Error && cause.message.startsWith('Fetch.'))) console.error('Error in a request handler for', paused.request.url, cause)
      chromium.root.tell('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' })
    }
  }

  async #onRequest(paused: Paused): Promise<void> {
    const { chromium, schemes } = this.#dependencies
    const { requestId, frameId, request } = paused
    const contents = this.#dependencies.contentsOfFrame(frameId)
    const appUrl = schemes.toApp(request.url)
    const fail = (errorReason: Protocol.Network.ErrorReason) => chromium.root.send('Fetch.failRequest', { requestId, errorReason })
    if (chromium.isDoomed(frameId)) return void (await fail('Aborted'))
    if (contents !== undefined && paused.resourceType === 'Document' && !this.#mayNavigate(paused, contents, appUrl)) return void (await fail('Aborted'))
    const verdict = await this.#beforeRequest(paused, contents, appUrl)
    if (verdict.cancel) return void (await fail('BlockedByClient'))
    if (verdict.redirectURL !== undefined) return void (await this.#fulfil(paused, 302, { location: [schemes.toChromium(verdict.redirectURL)] }, ''))
    if (appUrl === request.url) return void (await chromium.root.send('Fetch.continueRequest', { requestId }))
    await this.#answer(paused, contents, appUrl, fail)
  }

  #mayNavigate({ frameId, request, redirectedRequestId }: Paused, contents: WebContents, url: string): boolean {
    if (redirectedRequestId !== undefined) return contents.allowsRedirect(frameId, url)
    return !contents.page.isAskedByPage(frameId, request.url) || contents.allowsNavigation(frameId, url)
  }

  async #answer(
    paused: Paused,
    contents: WebContents | undefined,
    appUrl: string,
    fail: (reason: Protocol.Network.ErrorReason) => Promise<unknown>,
  ): Promise<void> {
    const handler = this.#dependencies.schemes.handler(appUrl.slice(0, appUrl.indexOf(':')))
    if (handler === undefined) return void (await fail('NameNotResolved'))
    const response = await handler(this.#toRequest(paused, appUrl))
    if (response.type === 'error') return void (await fail('Failed'))
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    const received: Headers = {}
    for (const [name, value] of response.headers) received[name] = [...(received[name] ?? []), value]
    const verdict = await this.#headersReceived(paused, contents, appUrl, response.status, received)
    if (verdict.cancel) return void (await fail('BlockedByClient'))
    await this.#fulfil(paused, response.status, this.#toChromium(verdict.responseHeaders ?? received, contents), body)
  }

  async #fulfil({ requestId }: Paused, responseCode: number, headers: Headers, body: string): Promise<void> {
    await this.#dependencies.chromium.root.send('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders: entries(headers), body })
  }

  async #onResponse(paused: Paused): Promise<void> {
    const { chromium } = this.#dependencies
    const { requestId, frameId, request } = paused
    const received: Headers = {}
    for (const { name, value } of paused.responseHeaders ?? []) received[name] = [...(received[name] ?? []), value]
    const status = paused.responseStatusCode
    if (status === undefined) return void (await chromium.root.send('Fetch.continueRequest', { requestId }))
    const verdict = await this.#headersReceived(paused, this.#dependencies.contentsOfFrame(frameId), request.url, status, received)
    if (verdict.cancel) return void (await chromium.root.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }))
    await chromium.root.send('Fetch.continueResponse', {
      requestId,
      responseCode: status,
      responseHeaders: entries(asLists(verdict.responseHeaders ?? received)),
    })
  }

  /** The request for the app’s handler, with the original `app:` address instead of the https address that Chromium loads. */
  #toRequest({ request }: Paused, url: string): Request {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      /^(origin|referer)$/i.test(name) ? this.#dependencies.schemes.toApp(value) : value,
    ])
    const body = Buffer.concat((request.postDataEntries ?? []).map(({ bytes }) => Buffer.from(bytes ?? '', 'base64')))
    return new Request(url, { method: request.method, headers, ...(body.length > 0 ? { body } : {}) })
  }

  #toChromium(headers: Record<string, string | string[]>, contents: WebContents | undefined): Headers {
    const { schemes } = this.#dependencies
    const mark = contents?.session.hostMark ?? ''
    const translate = (name: string, value: string) => {
      if (POLICIES.has(name)) return schemes.policyToChromium(value, mark)
      return name === 'location' || name === 'access-control-allow-origin' ? schemes.toChromium(value, mark).replace(/\/$/, '') : value
    }
    return Object.fromEntries(Object.entries(asLists(headers)).map(([name, values]) => [name, values.map((value) => translate(name.toLowerCase(), value))]))
  }

  #beforeRequest(paused: Paused, contents: WebContents | undefined, url: string): Promise<Electron.CallbackResponse> {
    const { beforeRequest } = this.#sessionOf(contents).webRequest
    if (beforeRequest === undefined || !beforeRequest.matches(url)) return Promise.resolve({})
    return new Promise((resolve) => beforeRequest.listener(details(paused, contents, url), resolve))
  }

  #headersReceived(
    paused: Paused,
    contents: WebContents | undefined,
    url: string,
    statusCode: number,
    responseHeaders: Headers,
  ): Promise<HeadersReceivedResponse> {
    const { headersReceived } = this.#sessionOf(contents).webRequest
    if (headersReceived === undefined || !headersReceived.matches(url)) return Promise.resolve({})
    const statusLine = `HTTP/1.1 ${statusCode} ${paused.responseStatusText ?? ''}`.trim()
    return new Promise((resolve) => headersReceived.listener({ ...details(paused, contents, url), statusCode, statusLine, responseHeaders }, resolve))
  }

  #sessionOf(contents: WebContents | undefined): Session {
    return contents?.session ?? this.#dependencies.defaultSession()
  }
}

let lastRequest = 0

function details({ request, resourceType, frameId }: Paused, contents: WebContents | undefined, url: string): OnBeforeRequestListenerDetails {
  const isMain = contents?.page.targetId === frameId
  const type =
    resourceType === 'Document' ? (isMain ? 'mainFrame' : 'subFrame') : resourceType === 'XHR' || resourceType === 'Fetch' ? 'xhr' : resourceType.toLowerCase()
  lastRequest += 1
  return {
    id: lastRequest,
    url,
    method: request.method,
    resourceType: type as OnBeforeRequestListenerDetails['resourceType'],
    referrer: request.headers.Referer ?? '',
    timestamp: performance.timeOrigin + performance.now(),
    uploadData: [],
    ...(contents === undefined ? {} : { webContentsId: contents.id }),
  }
}

const asLists = (headers: Record<string, string | string[]>): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]))
const entries = (headers: Headers): Protocol.Fetch.HeaderEntry[] =>
  Object.entries(headers).flatMap(([name, values]) => values.map((value) => ({ name, value })))
