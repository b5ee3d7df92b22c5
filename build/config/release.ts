import { readPublicKey } from '../../electron/host/updates/release-statement.ts'

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
  /**
   * The public keys that may sign a release (ADR 20): Ed25519, SPKI in base64. `npm run package -- --sign` prints the public key that belongs to a
   * private key. Without a key, or with a placeholder as the address, the app has no updates and says so.
   */
  updateKeys: [] as readonly string[],
  /** The oldest supported version; null: all versions are supported. An older app says that it is no longer supported when it offers an update. */
  minimumVersion: null as string | null,
} as const

/**
 * Returns where a build gets its updates: the folder of the update server, and the public keys. null if the build has no updates. Throws if a key or
 * the address is unusable.
 */
export function updateSource({ updates: address, updateKeys: keys }: Pick<typeof release, 'updateKeys'> & { readonly updates: string } = release): {
  readonly address: string
  readonly keys: readonly string[]
} | null {
  const url = new URL(address)
  if (url.protocol !== 'https:' || !url.pathname.endsWith('/') || url.search !== '' || /['"\\]/.test(address))
    throw new Error(`${address} is no folder of an update server`)
  for (const key of keys) readPublicKey(key)
  return keys.length === 0 || url.hostname.endsWith('.invalid') ? null : { address, keys }
}

/** An operating system and a processor architecture for which packages are made. */
export interface Target {
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly arch: 'x64' | 'arm64'
}

export const programName = (platform: Target['platform']): string =>
  platform === 'darwin' ? 'Svc Desk.app' : platform === 'win32' ? 'Svc Desk.exe' : 'svc-desk-app'

/** The name of the command `svc-desk` in a package. */
export const commandName = (platform: Target['platform']): string => (platform === 'win32' ? 'svc-desk.exe' : 'svc-desk')

/**
 * The command’s place in an unpacked package. On Windows it has a folder of its own, because the installer puts that folder on the user’s PATH, and
 * other programs must not find the app’s libraries there.
 */
export const commandPlace = (platform: Target['platform']): string =>
  `${platform === 'darwin' ? 'Contents/MacOS/' : platform === 'win32' ? 'bin/' : ''}${commandName(platform)}`
