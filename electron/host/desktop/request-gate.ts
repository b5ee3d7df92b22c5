import type { Session } from 'electron'

export interface RequestGate {
  /** `ws://127.0.0.1:<port>` while practice is open. */
  readonly practiceRelay: () => string | null
  /** The server of the pages and of the open developer tools in development; null in released builds. */
  readonly devServer: string | null
}

/** Refuses every request of a page except for the app's own files and the wallet's relay, regardless of the page's policy. */
export function gateRequests(session: Pick<Session, 'webRequest'>, { practiceRelay, devServer }: RequestGate): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !mayRequest(url, practiceRelay(), devServer) }))
}

/** True if a page may request this address, compared by exact scheme, host and port. */
export function mayRequest(wanted: string, practiceRelay: string | null, devServer: string | null): boolean {
  const url = URL.parse(wanted)
  if (url === null || url.username !== '' || url.password !== '') return false
  // A data: address contains its own answer, so nothing is sent.
  if (url.protocol === 'app:' || url.protocol === 'data:') return true
  if (relaysOf(practiceRelay).includes(`${url.protocol}//${url.host}`)) return true
  if (devServer === null) return false
  return url.protocol === 'devtools:' || (/^(http|ws):$/.test(url.protocol) && url.host === URL.parse(devServer)?.host)
}

const walletConnectRelay = 'wss://relay.walletconnect.org'

/** The relays that a page may reach. Accepts a `practiceRelay` only in the form `ws://127.0.0.1:<port>`. */
const relaysOf = (practiceRelay: string | null): readonly string[] =>
  practiceRelay !== null && /^ws:\/\/127\.0\.0\.1:\d{1,5}$/.test(practiceRelay) ? [walletConnectRelay, practiceRelay] : [walletConnectRelay]

/**
 * The content security policy of every page. Allows one remote host, WalletConnect's public relay, and in practice its own relay on loopback. Never
 * allows the service: only the main process talks to it (GEN-04).
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
    // Text never becomes markup or code, and no script can create a policy that would allow it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
