import { join } from 'node:path'
import { flipFuses } from '@electron/fuses'
import type { Configuration } from 'electron-builder'
import { fuses } from './fuses.ts'
import { commandName, commandPlace, programName, release, type Target } from './release.ts'

export interface PackagingParts {
  /** The folder whose contents become the app’s archive (`app.asar`). */
  readonly app: string
  readonly output: string
  /** The folder with the packages’ icons, entitlements and scripts. */
  readonly resources: string
  readonly electronVersion: string
  /** The folder with Electron’s own program. null: electron-builder downloads Electron. */
  readonly electronDist: string | null
  /** Files that the package contains outside the archive. Key: the file’s name in the package. Value: the file’s path on this computer. */
  readonly beside: Readonly<Record<string, string>>
  /** Path of the program `svc-desk`; null if the package contains none, because Node’s program for the target is missing. */
  readonly command: string | null
}

/** The name of a package’s file on the update server, without spaces. electron-builder fills in the parts in braces. */
const fileName = (end: string): string => `Svc-Desk-{version}-{arch}${end}{ext}`.replaceAll('{', '${')
/** Puts `svc-desk` beside the app’s program. Adds nothing if `command` is null. */
const extraFiles = (command: string | null, to: string) => (command === null ? [] : [{ from: command, to }])

/**
 * The configuration of electron-builder, the tool that makes the packages. The folder `app` contains exactly what ships, so electron-builder needs no
 * file filters.
 */
export const configuration = ({ app, output, resources, electronVersion, electronDist, beside, command }: PackagingParts): Configuration => ({
  appId: release.appId,
  productName: 'Svc Desk',
  copyright: 'MIT',
  electronVersion,
  ...(electronDist !== null && { electronDist }),
  directories: { app, output, buildResources: resources },
  files: ['**/*'],
  asar: true,
  asarUnpack: ['**/*.node'],
  npmRebuild: false,
  nodeGypRebuild: false,
  removePackageScripts: true,
  electronLanguages: ['en-US', 'de', 'ja'],
  compression: 'normal',
  extraResources: Object.entries(beside).map(([to, from]) => ({ from, to })),
  protocols: [{ name: 'Svc Desk', schemes: ['svcdesk'] }],
  // The app updates without electron-updater. This setting makes electron-builder write the file `package-type`, from which the app reads its package
  // kind.
  publish: [{ provider: 'generic', url: release.updates }],
  toolsets: { appimage: '1.0.3' },
  afterPack: async ({ appOutDir, electronPlatformName }) => {
    const platform = electronPlatformName as Target['platform'] // the platforms of `Target`
    await flipFuses(join(appOutDir, programName(platform)), {
      ...fuses(platform),
      // Without a certificate, a program for macOS needs at least an ad hoc signature to start.
      resetAdHocDarwinSignature: process.platform === 'darwin' && platform === 'darwin' && process.env.CSC_LINK === undefined,
    })
  },
  linux: {
    extraFiles: extraFiles(command, commandName('linux')),
    executableName: programName('linux'),
    icon: join(resources, 'icons'),
    category: 'Office;Finance',
    synopsis: 'Keys, agents and orders for a perpetual-futures exchange',
    maintainer: `${release.maintainer.name} <${release.maintainer.email}>`,
    desktop: { entry: { StartupWMClass: 'Svc Desk', Keywords: 'exchange;keys;trading;' } },
  },
  appImage: { artifactName: fileName('.') },
  deb: {
    packageCategory: 'misc',
    depends: [
      // Practice mode’s local blockchain does not run on older versions of libc.
      'libc6 (>= 2.35)',
      ...['libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0', 'libuuid1', 'libsecret-1-0'],
    ],
    // The package only recommends gnome-keyring and does not require it, because a user may have KWallet instead.
    recommends: ['gnome-keyring | kwalletmanager'],
  },
  mac: {
    artifactName: fileName('.'),
    extraFiles: extraFiles(command, `MacOS/${commandName('darwin')}`),
    icon: join(resources, 'icon.icns'),
    category: 'public.app-category.finance',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    minimumSystemVersion: '12.0',
    entitlements: join(resources, 'entitlements.mac.plist'),
    entitlementsInherit: join(resources, 'entitlements.mac.plist'),
    // On macOS the helper program creates the app’s keychain entries. This id must never change: a helper with another id could not read the entries.
    helperBundleId: `${release.appId}.helper`,
    extendInfo: { NSMicrophoneUsageDescription: undefined, NSCameraUsageDescription: undefined },
    notarize: process.env.APPLE_API_KEY !== undefined,
  },
  win: {
    extraFiles: extraFiles(command, commandPlace('win32')),
    icon: join(resources, 'icon.ico'),
    ...(process.env.WIN_PUBLISHER !== undefined && { signtoolOptions: { publisherName: process.env.WIN_PUBLISHER } }),
  },
  nsis: {
    artifactName: fileName('-setup.'),
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
    // Puts `svc-desk` on the user’s PATH. Without the program, there is nothing to put there.
    ...(command !== null && { include: join(resources, 'installer.nsh') }),
  },
})
