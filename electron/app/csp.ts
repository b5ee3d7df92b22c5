const walletConnectRelay = 'wss://relay.walletconnect.org'

/**
 * The content security policy of every page. The one remote host is WalletConnect's public relay; practice talks to its
 * own relay on loopback besides. The service is never among them: only the main process talks to it (GEN-04).
 *
 * `practiceRelay` is `ws://127.0.0.1:<port>`; anything else is left out.
 */
export function contentSecurityPolicy(practiceRelay: string | null): string {
  const relays = practiceRelay !== null && /^ws:\/\/127\.0\.0\.1:\d{1,5}$/.test(practiceRelay) ? `${walletConnectRelay} ${practiceRelay}` : walletConnectRelay
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src ${relays}`,
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
