import type { CommandLine } from 'electron'
import type { Records } from '../../store/records/registry.ts'

/** Chromium's own ways to send or to load that no page of the app needs. Each one is gone from the pages with its name. */
export const featuresOff = [
  ...['FencedFrames', 'SharedWorker', 'WebSocketStream', 'FetchLaterAPI', 'BackgroundFetch', 'PushMessaging', 'XSLT'],
  ...['Presentation', 'WebUSB', 'WebHID', 'Serial', 'TopicsAPI', 'AdInterestGroupAPI', 'Fledge'],
  // A window of the page's own would bring what was taken from the page.
  'DocumentPictureInPictureAPI',
]

/** For all pages of the app. Only before Electron is ready: Chromium reads its command line once. */
export function hardenChromium(commandLine: Pick<CommandLine, 'appendSwitch'>): void {
  commandLine.appendSwitch('disable-blink-features', featuresOff.join(','))
  // No policy covers <link rel="dns-prefetch">, whose names could carry data to a name server.
  commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
}

/** What is shown of pinned routers: the open profile knows its own, the others are as they were last seen. */
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
