import type { InputEvent, Session, WebContents } from 'electron'
import { fail } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

export interface RequestGate {
  /** The relay’s address `ws://127.0.0.1:<port>`; null while practice mode is not open. */
  readonly practiceRelay: () => string | null
  /** In development, the server that serves the pages and the developer tools; null in the product. */
  readonly devServer: string | null
}

/**
 * Blocks all requests of pages except those for the app’s own files and the WalletConnect relay. This works even if a page’s content security policy
 * fails.
 */
export function gateRequests(session: Pick<Session, 'webRequest'>, { practiceRelay, devServer }: RequestGate): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !mayRequest(url, practiceRelay(), devServer) }))
}

/** Whether a page may request this address. Compares scheme, host and port exactly. */
export function mayRequest(wanted: string, practiceRelay: string | null, devServer: string | null): boolean {
  const url = URL.parse(wanted)
  if (url === null || url.username !== '' || url.password !== '') return false
  // A data: address contains its own content, so no request leaves the computer.
  if (url.protocol === 'app:' || url.protocol === 'data:') return true
  if (relaysOf(practiceRelay).includes(`${url.protocol}//${url.host}`)) return true
  if (devServer === null) return false
  return url.protocol === 'devtools:' || (/^(http|ws):$/.test(url.protocol) && url.host === URL.parse(devServer)?.host)
}

const walletConnectRelay = 'wss://relay.walletconnect.org'

/** The relays that a page may connect to. Ignores a `practiceRelay` that is not of the form `ws://127.0.0.1:<port>`. */
const relaysOf = (practiceRelay: string | null): readonly string[] =>
  practiceRelay !== null && /^ws:\/\/127\.0\.0\.1:\d{1,5}$/.test(practiceRelay) ? [walletConnectRelay, practiceRelay] : [walletConnectRelay]

/**
 * The content security policy of every page. Allows connections only to the public WalletConnect relay, and in practice mode to the relay on
 * loopback. Never allows the service, because only the main process may call it (GEN-04).
 */
export function contentSecurityPolicy(practiceRelay: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src ${relaysOf(practiceRelay).join(' ')}`,
    "frame-src 'none'",
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Scripts could turn text into markup or code only through a Trusted Types policy. These rules allow no such policy.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The user’s input in the app’s windows as reported by Chromium’s browser process. Scripts of a page cannot fake these events. */
export interface Gestures {
  /** Watches the input of a window. */
  follow(contents: Pick<WebContents, 'on'>): void
  /** Whether the user clicked, tapped or pressed a key a moment ago. Each gesture returns true only once. */
  take(): boolean
}

const lifeMs = 2 * second
/** The event types that count as a gesture, one per click, tap or key press. */
const counted: ReadonlySet<InputEvent['type']> = new Set(['mouseUp', 'gestureTap', 'rawKeyDown'])

export function createGestures(clock: Pick<Clock, 'monotonic'>): Gestures {
  let lastMs: number | null = null
  return {
    follow(contents) {
      contents.on('input-event', (_event, { type, modifiers = [] }) => {
        if (counted.has(type) && !modifiers.includes('isautorepeat')) lastMs = clock.monotonic()
      })
    },
    take() {
      const fresh = lastMs !== null && clock.monotonic() - lastMs <= lifeMs
      lastMs = null
      return fresh
    },
  }
}

/** Calls that copy a secret to the clipboard, where every program can read it, or show a system prompt. */
const ofTheUser: ReadonlySet<unknown> = new Set(['keys.copySecret', 'webhooks.copySecret', 'lock.unlockWithTouchId'])

/** Wraps a window’s calls. Refuses some of them unless the user clicked or pressed a key just before. */
export const guardGestures =
  (answerCall: AnswerCall, take: Gestures['take']): AnswerCall =>
  async (name, input) =>
    ofTheUser.has(name) && !take() ? { result: fail({ kind: 'gesture_required' }), invalidates: [] } : answerCall(name, input)
