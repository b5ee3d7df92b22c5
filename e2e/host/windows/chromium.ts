import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from '../session/settings.ts'
import { CdpClient, type CdpSession } from './cdp.ts'
import type { Protocol } from './devtools-protocol.ts'

export interface Target {
  session: CdpSession
  sessionId: string
  targetId: string
}

export interface TargetOptions {
  title: string
  backgroundColor: string
  width: number
  height: number
  browserContextId: string | undefined
}

const CLOSE_TIMEOUT_MS = 3_000
const LOCK_POLL_MS = 20

// Each of these flags is a difference from Electron’s Chromium, so each has a comment with the reason.
const FLAGS = [
  // Turns off the profile wizard, bubbles, the question about the default browser and the bar “controlled by automation”.
  ...['--no-first-run', '--no-default-browser-check', '--hide-crash-restore-bubble', '--disable-search-engine-choice-screen', '--test-type'],
  // Turns off Chromium’s background services, which must not use the network.
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-domain-reliability', '--disable-breakpad'],
  ...['--disable-default-apps', '--disable-extensions', '--metrics-recording-only', '--disable-field-trial-config', '--disable-quic', '--no-pings'],
  // The app stores its secrets in its own keychain entries; Chromium must not open the user’s keychain.
  ...['--password-store=basic', '--use-mock-keychain'],
  // Same effect as Electron’s `backgroundThrottling: false`: timers and sockets of a hidden window keep running.
  ...['--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows', '--disable-background-timer-throttling'],
  // Prevents WebRTC from using UDP without a proxy, because it could reach hosts whose names Chromium must not resolve.
  ...['--force-webrtc-ip-handling-policy', '--webrtc-ip-handling-policy=disable_non_proxied_udp'],
  // Makes Chromium load a page again when the history goes back. A page restored from memory would bypass the app’s request handlers.
  '--disable-back-forward-cache',
  // The app’s window-open handler must decide about every new window, so Chromium must not block popups first.
  '--disable-popup-blocking',
  // Draws in the browser’s own process, because each further process makes the start slower.
  ...['--disable-gpu', '--in-process-gpu'],
  ...['--force-color-profile=srgb', '--disable-dev-shm-usage', '--lang=en-US', '--proxy-server=direct://', '--no-startup-window'],
  // Turns off two browser features: asking for local network access before an https page connects to ws://127.0.0.1, and trying https first.
  `--disable-features=${[
    ...[
      'LocalNetworkAccessChecks',
      'LocalNetworkAccessChecksWebSockets',
      'LocalNetworkAccessChecksWebRTC',
      'HttpsUpgrades',
      'HttpsFirstBalancedModeAutoEnable',
    ],
    ...['MediaRouter', 'DialMediaRouteProvider', 'OptimizationHints', 'Translate', 'AutofillServerCommunication', 'CertificateTransparencyComponentUpdater'],
    // Turns off two UI pages that Chromium loads for each window in the background. Electron does not have them.
    ...['PreloadTopChromeWebUI', 'WebUIOmniboxPopup'],
    ...['NetworkTimeServiceQuerying', 'PreconnectToSearch', 'AimEnabled', 'PaintHolding'],
  ].join(',')}`,
]

/** The one Chromium process of the app, controlled through a pipe. If the app’s process ends, the pipe closes and Chromium ends too. */
export class Chromium {
  readonly #settings: Settings
  readonly #nonce = randomBytes(6).toString('hex')
  /** For each mark in a new window’s address: the function to call once Chromium has opened that window. */
  readonly #waiting = new Map<string, (target: Target) => void>()
  /** Pages that Chromium opened before it answered `Target.createTarget`, by target id. One of them is the requested page. */
  readonly #unclaimed = new Map<string, Target>()
  #creating = 0
  readonly #doomed = new Set<string>()
  readonly #onDetached = new Map<string, () => void>()
  #client: CdpClient | undefined
  #process: ChildProcess | undefined
  #profile = ''
  #lastPage = 0

  constructor(settings: Settings) {
    this.#settings = settings
  }

  get root(): CdpSession {
    if (this.#client === undefined) throw new Error('stand-in: Chromium has not been started')
    return this.#client.root
  }

  /**
   * @param profile folder for Chromium’s own data, inside the app’s user data
   * @param onEnd called when Chromium ends, with its last output on stderr
   * @returns Chromium’s version
   */
  async launch({ profile, switches, onEnd }: { profile: string; switches: readonly string[]; onEnd: (lastWords: string) => void }): Promise<string> {
    this.#profile = profile
    await previousEnded(profile)
    predictNothing(profile)
    const hosts = ['localhost', '127.0.0.1', ...this.#settings.reachableHosts].map((host) => `, EXCLUDE ${host}`).join('')
    const parameters = [
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      ...FLAGS,
      ...this.#platformFlags(),
      ...switches,
      `--host-resolver-rules=MAP * ~NOTFOUND${hosts}`,
    ]
    const child = spawn(this.#settings.chromium, parameters, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // Chromium gets its own process group. Ctrl+C in a terminal then reaches only the app, which ends Chromium itself.
      detached: true,
    })
    this.#process = child
    let lastWords = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + String(chunk)).slice(-4_000)
      // Prints Chromium’s line with the DevTools address. Playwright waits for this line, which Electron prints too.
      const listening = /^DevTools listening on ws:\S+$/m.exec(String(chunk))
      if (listening) process.stderr.write(`${listening[0]}\n`)
    })
    // With --remote-debugging-pipe, Chromium reads commands from file descriptor 3 and writes responses to descriptor 4.
    const trace = (line: string) => process.stderr.write(`${line.slice(0, 400)}\n`)
    const client = new CdpClient({ write: child.stdio[3] as Writable, read: child.stdio[4] as Readable, ...(this.#settings.trace ? { trace } : {}) })
    this.#client = client
    const ended = (words: string) => {
      client.close()
      onEnd(words)
    }
    child.once('error', (cause) => ended(String(cause)))
    child.once('exit', () => ended(lastWords))
    client.root.on('Target.attachedToTarget', (event) => this.#attached(event))
    client.root.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#client?.forget(sessionId)
      this.#onDetached.get(sessionId)?.()
      this.#onDetached.delete(sessionId)
    })
    const [{ product }] = await Promise.all([
      client.root.send('Browser.getVersion'),
      client.root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'page' }, { exclude: true }],
      }),
    ])
    return product.slice(product.indexOf('/') + 1)
  }

  /** Opens an empty page in its own window. The page is paused until a command resumes it, so that everything can be set up before it loads. */
  async openPage(options: TargetOptions, onGone: () => void): Promise<Target> {
    this.#lastPage += 1
    const mark = `stand-in-${this.#nonce}-${this.#lastPage}`
    const body = `<title>${escapeHtml(options.title)}</title><body style="background:${escapeHtml(options.backgroundColor)}">`
    const url = `data:text/html,${encodeURIComponent(body)}#${mark}`
    // Only a new start of Chromium’s program can open a window without tabs and address bar. The new process passes the request to the Chromium that
    // already uses the profile, then exits.
    const target =
      this.#settings.headed && options.browserContextId === undefined
        ? await new Promise<Target>((resolve) => {
            this.#waiting.set(mark, resolve)
            this.#openAppWindow(url, options)
          })
        : await this.#createPage(url, options)
    this.#onDetached.set(target.sessionId, onGone)
    return target
  }

  /** Whether Chromium opened this page as a popup that the app did not request. Such a page is closed and must not load anything. */
  isDoomed(targetId: string): boolean {
    return this.#doomed.has(targetId)
  }

  /** Closes Chromium, and kills it if it does not end in time. */
  async close(): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS)
    this.root.tell('Browser.close')
    await ended
    clearTimeout(timer)
  }

  #platformFlags(): string[] {
    const asRoot = process.getuid?.() === 0 || process.argv.includes('--no-sandbox')
    // With a display, Chromium would end when its last window closes. The flag keeps it running, because only the app decides when to end.
    return [...(this.#settings.headed ? ['--keep-alive-for-test'] : ['--headless']), ...(asRoot ? ['--no-sandbox'] : [])]
  }

  #openAppWindow(url: string, { width, height }: TargetOptions): void {
    const parameters = [`--user-data-dir=${this.#profile}`, `--app=${url}`, `--window-size=${width},${height}`, ...this.#platformFlags()]
    spawn(this.#settings.chromium, parameters, { stdio: 'ignore' }).once('error', () => {})
  }

  /** Creates a page and finds it by its target id. Its address cannot be used, because the headless shell opens the address later. */
  async #createPage(url: string, { width, height, browserContextId }: TargetOptions): Promise<Target> {
    this.#creating += 1
    try {
      const context = browserContextId === undefined ? {} : { browserContextId }
      const { targetId } = await this.root.send('Target.createTarget', { url, newWindow: true, width, height, ...context })
      const target = this.#unclaimed.get(targetId)
      if (target === undefined) throw new Error('stand-in: Chromium created a page that did not attach')
      this.#unclaimed.delete(targetId)
      return target
    } finally {
      this.#creating -= 1
      if (this.#creating === 0) {
        for (const popup of this.#unclaimed.values()) this.#refuse(popup)
        this.#unclaimed.clear()
      }
    }
  }

  #attached({ sessionId, targetInfo }: Protocol.Target.attachedToTargetPayload): void {
    const session = this.#client?.session(sessionId)
    if (session === undefined) return
    const target = { session, sessionId, targetId: targetInfo.targetId }
    const mark = /#(stand-in-[0-9a-f]+-\d+)$/.exec(targetInfo.url)?.[1] ?? ''
    const waiting = this.#waiting.get(mark)
    if (waiting !== undefined) {
      this.#waiting.delete(mark)
      waiting(target)
    } else if (this.#creating > 0 && targetInfo.openerId === undefined) this.#unclaimed.set(target.targetId, target)
    else this.#refuse(target)
  }

  /** Closes a popup. A paused page must not be closed, because that would freeze its opener. So the popup is resumed, and its first request is refused. */
  #refuse({ session, targetId }: Target): void {
    this.#doomed.add(targetId)
    session.tell('Runtime.runIfWaitingForDebugger')
    this.root.tell('Target.closeTarget', { targetId })
  }
}

/**
 * Turns off preconnects in Chromium’s profile. When a page requests a preconnect, Electron only notifies the app, but this Chromium would connect to
 * the host.
 */
function predictNothing(profile: string): void {
  const file = join(profile, 'Default', 'Preferences')
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ net: { network_prediction_options: 2 } }))
}

/** Waits until the previous Chromium with this profile has ended. Until then, a new Chromium would pass its windows to the previous one and exit. */
async function previousEnded(profile: string): Promise<void> {
  const deadline = performance.now() + CLOSE_TIMEOUT_MS
  for (let pid = ownerOf(profile); pid !== undefined; pid = ownerOf(profile)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGKILL')
    await delay(LOCK_POLL_MS)
  }
}

/**
 * The id of the process that has Chromium’s profile lock, which is a link named `<host>-<pid>`. Undefined if that process is not a Chromium with this
 * profile.
 */
function ownerOf(profile: string): number | undefined {
  try {
    const pid = Number(/-(\d+)$/.exec(readlinkSync(join(profile, 'SingletonLock')))?.[1])
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--user-data-dir=${profile}`) ? pid : undefined
  } catch {
    return undefined
  }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Whether this is the address of the empty page that every new window shows first. The app never sees that page. */
export const isBirthPage = (url: string): boolean => url.startsWith('data:text/html,') && url.includes('#stand-in-')
