import type { CommandLine } from 'electron'
import type { Records } from '../../store/records/registry.ts'

/** Chromium's own ways to send or load data that the app's pages do not need. Disabling a feature also removes its names from the pages. */
export const featuresOff = [
  ...['FencedFrames', 'SharedWorker', 'WebSocketStream', 'FetchLaterAPI', 'BackgroundFetch', 'PushMessaging', 'XSLT'],
  ...['Presentation', 'WebUSB', 'WebHID', 'Serial', 'TopicsAPI', 'AdInterestGroupAPI', 'Fledge'],
  // Otherwise a page could open a new window and get back the APIs that were removed from the page itself.
  'DocumentPictureInPictureAPI',
]

/** Applies to all pages of the app. Call before Electron is ready: Chromium reads its command line only once. */
export function hardenChromium(commandLine: Pick<CommandLine, 'appendSwitch'>): void {
  commandLine.appendSwitch('disable-blink-features', featuresOff.join(','))
  // No policy covers <link rel="dns-prefetch">, whose names could carry data to a name server.
  commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
}

/** Returns a profile’s trusted router. Remembers the open profile’s router, so that it can also be shown while another profile is open. */
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
