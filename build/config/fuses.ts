import { FuseV1Options, FuseVersion } from '@electron/fuses'
import type { Target } from './release.ts'

/**
 * Electron’s fuses: switches inside Electron’s program that are fixed when the app is packaged (ADR 5). This list contains every fuse. If a new
 * Electron version adds a fuse, packaging fails until the list contains it.
 */
export const fuses = (platform: Target['platform']) =>
  ({
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    // Electron verifies the app’s archive on macOS and Windows. It cannot do so on Linux.
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: platform !== 'linux',
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    [FuseV1Options.WasmTrapHandlers]: true,
  }) as const
