import type { CommandLine } from 'electron'

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
