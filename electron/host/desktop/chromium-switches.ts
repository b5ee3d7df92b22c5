import type { CommandLine } from 'electron'
import type { Records } from '../../store/records/registry.ts'

/**
 * Chromium features with which a page could send or load data and which the app’s pages do not need. Disabling a feature also removes its JavaScript
 * API.
 */
export const featuresOff = [
  ...['FencedFrames', 'SharedWorker', 'WebSocketStream', 'FetchLaterAPI', 'BackgroundFetch', 'PushMessaging', 'XSLT'],
  ...['Presentation', 'WebUSB', 'WebHID', 'Serial', 'TopicsAPI', 'AdInterestGroupAPI', 'Fledge'],
  // In a picture-in-picture window, a page could get the APIs that `seal.js` removed from the page itself.
  'DocumentPictureInPictureAPI',
]

/** Sets Chromium’s switches for all pages. Call before Electron is ready, because Chromium reads its command line only once. */
export function hardenChromium(commandLine: Pick<CommandLine, 'appendSwitch'>): void {
  commandLine.appendSwitch('disable-blink-features', featuresOff.join(','))
  // The content security policy does not cover `<link rel="dns-prefetch">`, and a host name could carry data to a name server.
  commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
}

/** Returns a function that reads a profile’s trusted router. It remembers routers, so that the router is known even while another profile is open. */
export function createPinMemory(
  { shownRouters }: Records,
  open: () => { readonly profileId: string; readonly pinnedRouter: () => string | null } | null,
): (profileId: string) => string | null {
  return (profileId) => {
    const workspace = open()
    if (workspace?.profileId !== profileId) return shownRouters.read({ profile: profileId })
    const router = workspace.pinnedRouter()
    if (router === null) shownRouters.delete({ profile: profileId })
    else shownRouters.write({ profile: profileId }, router)
    return router
  }
}
