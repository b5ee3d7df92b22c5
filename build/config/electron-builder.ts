import { join } from 'node:path'
import { flipFuses } from '@electron/fuses'
import type { Configuration } from 'electron-builder'
import { fuses } from './fuses.ts'
import { programName, release, type Target } from './release.ts'

export interface PackagingParts {
  /** The folder with what the archive will contain. */
  readonly app: string
  readonly output: string
  /** Icons, entitlements and scripts of the packages. */
  readonly resources: string
  readonly electronVersion: string
  /** A folder with Electron’s own program; `null`: electron-builder fetches it. */
  readonly electronDist: string | null
  /** Files that lie beside the archive, by their name in the package. */
  readonly beside: Readonly<Record<string, string>>
}

/** The configuration of electron-builder. It packages a folder that holds exactly what ships, so it never chooses files itself. */
export const configuration = ({ app, output, resources, electronVersion, electronDist, beside }: PackagingParts): Configuration => ({
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
    executableName: programName('linux'),
    icon: join(resources, 'icons'),
    category: 'Office;Finance',
    synopsis: 'Keys, agents and orders for a perpetual-futures exchange',
    maintainer: `${release.maintainer.name} <${release.maintainer.email}>`,
    desktop: { entry: { StartupWMClass: 'Svc Desk', Keywords: 'exchange;keys;trading;' } },
  },
  deb: {
    packageCategory: 'misc',
    depends: [
      // The version that practice mode’s chain needs.
      'libc6 (>= 2.35)',
      ...['libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0', 'libuuid1', 'libsecret-1-0'],
    ],
    // Recommends, because KWallet also works.
    recommends: ['gnome-keyring | kwalletmanager'],
  },
  mac: {
    icon: join(resources, 'icon.icns'),
    category: 'public.app-category.finance',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    minimumSystemVersion: '12.0',
    entitlements: join(resources, 'entitlements.mac.plist'),
    entitlementsInherit: join(resources, 'entitlements.mac.plist'),
    // The keychain’s entries belong to the helper that made them, so its identifier must never change.
    helperBundleId: `${release.appId}.helper`,
    extendInfo: { NSMicrophoneUsageDescription: undefined, NSCameraUsageDescription: undefined },
    notarize: process.env.APPLE_API_KEY !== undefined,
  },
  win: {
    icon: join(resources, 'icon.ico'),
    ...(process.env.WIN_PUBLISHER !== undefined && { signtoolOptions: { publisherName: process.env.WIN_PUBLISHER } }),
  },
  nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },
})
