import type { Session } from 'electron'
import { relaysOf } from './csp.ts'

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
