import type { Session } from 'electron'

export interface RequestGate {
  /** `ws://127.0.0.1:<port>` while practice is open. */
  readonly practiceRelay: () => string | null
  /** Where the pages come from in development, with the tools that are open there; null in what users run. */
  readonly devServer: string | null
}

/** Refuses every request of a page but for the app's own files and the wallet's relay, whatever the page's policy says. */
export function gateRequests(session: Pick<Session, 'webRequest'>, { practiceRelay, devServer }: RequestGate): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !mayRequest(url, practiceRelay(), devServer) }))
}

/** Whether a page may ask for this address: by exact scheme, host and port. */
export function mayRequest(wanted: string, practiceRelay: string | null, devServer: string | null): boolean {
  const url = URL.parse(wanted)
  if (url === null || url.username !== '' || url.password !== '') return false
  // A data: address carries its own answer; nothing is sent.
  if (url.protocol === 'app:' || url.protocol === 'data:') return true
  if (relaysOf(practiceRelay).includes(`${url.protocol}//${url.host}`)) return true
  if (devServer === null) return false
  return url.protocol === 'devtools:' || (/^(http|ws):$/.test(url.protocol) && url.host === URL.parse(devServer)?.host)
}

const walletConnectRelay = 'wss://relay.walletconnect.org'

/** The relays that a page may reach. `practiceRelay` is `ws://127.0.0.1:<port>`; anything else is left out. */
const relaysOf = (practiceRelay: string | null): readonly string[] =>
  practiceRelay !== null && /^ws:\/\/127\.0\.0\.1:\d{1,5}$/.test(practiceRelay) ? [walletConnectRelay, practiceRelay] : [walletConnectRelay]

/**
 * The content security policy of every page. The one remote host is WalletConnect's public relay; practice talks to its
 * own relay on loopback besides. The service is never among them: only the main process talks to it (GEN-04).
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
    // No text becomes markup or code, and no script can make a policy that would let it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
