const walletConnectRelay = 'wss://relay.walletconnect.org'

/** The relays that a page may reach. `practiceRelay` is `ws://127.0.0.1:<port>`; anything else is left out. */
export const relaysOf = (practiceRelay: string | null): readonly string[] =>
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
