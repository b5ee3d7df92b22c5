import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makeCodec } from '../codec.ts'
import { isolatedWorld } from '../page/isolated-world.ts'
import { mainWorld } from '../page/main-world.ts'
import { makePeer } from '../page/peer.ts'
import { type FromPage, OFFERED, type PageSetup, type ToPage } from '../page/setup.ts'
import type { CdpSession } from './cdp.ts'
import type { Chromium } from './chromium.ts'
import type { Protocol } from './devtools-protocol.ts'
import { FrameTree } from './frames.ts'

const WORLD = 'Electron Isolated Context'

export interface PageOptions {
  title: string
  backgroundColor: string
  width: number
  height: number
  preload: string | undefined
  subframes: boolean
  javascript: boolean
  preloadArguments: string[]
  versions: () => PageSetup['versions']
  media: () => Protocol.Emulation.MediaFeature[]
  /** Converts an address that Chromium loads to the app’s address. Returns an empty string for the empty page that a new window shows first. */
  toApp: (url: string) => string
}

/** The page events that a PageDriver reports to its WebContents. */
export interface PageListener {
  message(message: FromPage, frameId: string | undefined, context: number): void
  navigated(frameId: string, sameDocument: boolean): void
  windowOpen(url: string, frameName: string, features: string): void
  domReady(): void
  loaded(): void
  painted(): void
  console(entry: { level: string; message: string; line: number; source: string }): void
  crashed(exitCode: number): void
  gone(): void
}

/** Controls one Chromium page for one WebContents through DevTools. Sets up the JavaScript worlds of the preload and of the page. */
export class PageDriver {
  readonly frames: FrameTree
  readonly opened: Promise<void>
  readonly #chromium: Chromium
  readonly #listener: PageListener
  readonly #codec = makeCodec()
  readonly #binding = `host_${randomBytes(8).toString('hex')}`
  readonly #inbox = `inbox_${randomBytes(8).toString('hex')}`
  /** Maps the preload’s JavaScript execution contexts to frame ids. */
  readonly #contexts = new Map<number, string>()
  readonly #mainContexts = new Map<string, number>()
  /** The execution context of each frame whose preload is ready to receive messages, by frame id. */
  readonly #greeted = new Map<string, number>()
  /** Navigations that the main process started and that Chromium has not requested yet. All other navigations count as started by the page. */
  readonly #announced: { document: string }[] = []
  /** The address of the main frame's document, without fragment. */
  #document = ''
  readonly #toApp: (url: string) => string
  #session: CdpSession | undefined
  #targetId = ''

  constructor(chromium: Chromium, options: PageOptions, browserContext: Promise<string | undefined>, listener: PageListener) {
    this.#chromium = chromium
    this.#listener = listener
    this.#toApp = options.toApp
    this.frames = new FrameTree({
      sendToFrame: (frameId, channel, parameters) =>
        this.deliver(this.#greeted.get(frameId), { type: 'event', channel, parameters: structuredClone(parameters) }),
      evaluateInFrame: (frameId, code) => this.evaluate(code, frameId),
    })
    this.frames.addMain('')
    this.opened = this.#open(options, browserContext)
  }

  get targetId(): string {
    return this.#targetId
  }

  get isOpen(): boolean {
    return this.#session !== undefined
  }

  get session(): CdpSession {
    if (this.#session === undefined) throw new Error('stand-in: the page has not opened yet')
    return this.#session
  }

  async #open(options: PageOptions, browserContext: Promise<string | undefined>): Promise<void> {
    const target = await this.#chromium.openPage({ ...options, browserContextId: await browserContext }, () => this.#listener.gone())
    const { session } = target
    this.#session = session
    this.#targetId = target.targetId
    this.frames.rename(target.targetId)
    this.#listen(session)
    const setup: PageSetup = {
      greeting: randomUUID(),
      binding: this.#binding,
      inbox: this.#inbox,
      subframes: options.subframes,
      platform: process.platform,
      arch: process.arch,
      versions: options.versions(),
      arguments: options.preloadArguments,
    }
    const preload = options.preload === undefined ? 'null' : `function(require,module,exports,process,global){${readFileSync(options.preload, 'utf8')}\n}`
    const inPage = (value: unknown) => JSON.stringify(value)
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Runtime.addBinding', { name: this.#binding, executionContextName: WORLD }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        worldName: WORLD,
        source: `(${isolatedWorld})(${makePeer},${makeCodec},${inPage(setup)},${inPage(OFFERED)},${preload})\n//# sourceURL=electron/js2c/sandbox_bundle`,
      }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: `(${mainWorld})(${makePeer},${inPage({ greeting: setup.greeting, subframes: setup.subframes })},${inPage(OFFERED)})`,
      }),
      session.send('Emulation.setEmulatedMedia', { features: options.media() }),
      ...(options.javascript ? [] : [session.send('Emulation.setScriptExecutionDisabled', { value: true })]),
      session.send('Runtime.runIfWaitingForDebugger'),
    ])
  }

  #listen(session: CdpSession): void {
    const { frames } = this
    const listener = this.#listener
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === this.#binding) this.#receive(payload, executionContextId)
    })
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = context.auxData as unknown as { frameId: string; isDefault: boolean }
      if (isDefault) this.#mainContexts.set(frameId, context.id)
      else if (context.name === WORLD) this.#contexts.set(context.id, frameId)
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#forget(executionContextId))
    session.on('Runtime.executionContextsCleared', () => {
      this.#contexts.clear()
      this.#mainContexts.clear()
      this.#greeted.clear()
    })
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => frames.add(frameId, parentFrameId))
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      // A frame that only moves to another process is not removed. Only the reason `remove` means removal.
      if (reason === 'remove') frames.remove(frameId)
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === this.#targetId) this.#document = frame.url
      const known = frames.add(frame.id, frame.parentId)
      known.navigated(this.#toApp(frame.url + (frame.urlFragment ?? '')), frame.name ?? '')
      listener.navigated(frame.id, false)
    })
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#targetId) this.#document = withoutFragment(url)
      const frame = frames.find(frameId)
      frame?.navigated(this.#toApp(url), frame.name)
      listener.navigated(frameId, true)
    })
    // If a window closes while loading, Chromium can still send load events after the window’s frames are gone.
    const hasPage = () => frames.find(frames.mainId) !== undefined
    session.on('Page.domContentEventFired', () => hasPage() && listener.domReady())
    session.on('Page.loadEventFired', () => hasPage() && listener.loaded())
    session.on('Page.lifecycleEvent', ({ frameId, name }) => {
      if (frameId === this.#targetId && name === 'firstPaint' && hasPage()) listener.painted()
    })
    session.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => listener.windowOpen(url, windowName, windowFeatures.join(',')))
    session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
      if (!hasPage()) return
      const [top] = stackTrace?.callFrames ?? []
      listener.console({
        level: type,
        message: args.map(({ value, description }) => String(value ?? description ?? '')).join(' '),
        line: (top?.lineNumber ?? -1) + 1,
        source: top?.url ?? '',
      })
    })
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      const { exception, text, lineNumber, url } = exceptionDetails
      listener.console({ level: 'error', message: `Uncaught ${exception?.description ?? text}`, line: lineNumber + 1, source: url ?? '' })
    })
    // Tests have no user to close an alert or confirm dialog, so each dialog is dismissed. Otherwise the page would wait forever.
    session.on('Page.javascriptDialogOpening', () => session.tell('Page.handleJavaScriptDialog', { accept: false }))
    session.on('Inspector.targetCrashed', () => listener.crashed(1))
  }

  #receive(payload: string, context: number): void {
    const message = this.#codec.decode(payload) as FromPage
    const frameId = this.#contexts.get(context)
    if (message.type === 'hello' && frameId !== undefined) {
      this.#greeted.set(frameId, context)
      const frame = this.frames.find(frameId)
      frame?.navigated(this.#toApp(message.url), frame.name)
    }
    this.#listener.message(message, frameId, context)
  }

  /** Sends a message to the preload of one document. As in Electron, the message is dropped if the document no longer exists. */
  deliver(context: number | undefined, message: ToPage): void {
    if (context === undefined) return
    const text = this.#codec.encode(message)
    this.session.tell('Runtime.callFunctionOn', {
      functionDeclaration: `function(text){globalThis.${this.#inbox}(text)}`,
      executionContextId: context,
      arguments: [{ value: text }],
      silent: true,
    })
  }

  /** Evaluates code in the page’s own JavaScript world. Resolves with a copy of the result; rejects with the error that the code threw. */
  async evaluate(code: string, frameId?: string): Promise<unknown> {
    await this.opened
    const contextId = frameId === undefined ? undefined : this.#mainContexts.get(frameId)
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
      ...(contextId === undefined ? {} : { contextId }),
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  /** Navigates. Resolves when the page has loaded or when Chromium reports why it could not load. */
  async navigate(url: string): Promise<{ errorText?: string; newDocument: boolean }> {
    await this.opened
    const announcement = { document: withoutFragment(url) }
    this.#announced.push(announcement)
    const { errorText, loaderId } = await this.session.send('Page.navigate', { url })
    this.#withdraw(announcement)
    return errorText === undefined ? { newDocument: loaderId !== undefined } : { errorText, newDocument: false }
  }

  reload(ignoreCache: boolean): void {
    this.session.tell('Page.reload', { ignoreCache })
  }

  /**
   * Whether the page, and not the main process, started a navigation. Chromium does not report this, so every navigation that the main process did
   * not announce counts as the page’s. Exception: loading the same address again counts as a reload, because test tools may reload, too.
   */
  isAskedByPage(frameId: string, url: string): boolean {
    if (frameId !== this.#targetId) return true
    const document = withoutFragment(url)
    const announcement = this.#announced.find((announced) => announced.document === document)
    this.#withdraw(announcement)
    return announcement === undefined && document !== this.#document
  }

  #withdraw(announcement: { document: string } | undefined): void {
    const at = announcement === undefined ? -1 : this.#announced.indexOf(announcement)
    if (at >= 0) this.#announced.splice(at, 1)
  }

  close(): void {
    void this.opened.then(() => this.#chromium.root.tell('Target.closeTarget', { targetId: this.#targetId })).catch(() => {})
  }

  #forget(context: number): void {
    const frameId = this.#contexts.get(context)
    this.#contexts.delete(context)
    if (frameId !== undefined && this.#greeted.get(frameId) === context) this.#greeted.delete(frameId)
    for (const [frame, id] of this.#mainContexts) if (id === context) this.#mainContexts.delete(frame)
  }
}

const withoutFragment = (url: string): string => url.split('#')[0] ?? url
