/**
 * The settings that a publisher of Svc Desk chooses. Values that end in `.invalid` are placeholder addresses, which do not exist. Packages can be
 * made with them, but a publisher must replace them.
 */
export const release = {
  /** The app’s id for macOS, Windows and the desktop. It must never change: the system ties the app’s keychain entries and notifications to it. */
  appId: 'org.svcdesk.desktop',
  homepage: 'https://svc-desk.invalid',
  maintainer: { name: 'Svc Desk', email: 'release@svc-desk.invalid' },
  /** The folder of the update server, with a slash at its end. */
  updates: 'https://updates.svc-desk.invalid/',
} as const

/** An operating system and a processor architecture for which packages are made. */
export interface Target {
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly arch: 'x64' | 'arm64'
}

/** The name of the app’s program in a package. */
export const programName = (platform: Target['platform']): string =>
  platform === 'darwin' ? 'Svc Desk.app' : platform === 'win32' ? 'Svc Desk.exe' : 'svc-desk-app'
