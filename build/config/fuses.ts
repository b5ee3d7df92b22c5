import { FuseV1Options, FuseVersion } from '@electron/fuses'
import type { Target } from './release.ts'

/**
 * Electron’s fuses: switches in its program that are fixed when the app is packaged (ADR 5). All are listed, so that an Electron with a new fuse
 * fails to package until somebody decides about it.
 */
export const fuses = (platform: Target['platform']) =>
  ({
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    // Electron checks the archive on macOS and Windows only.
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: platform !== 'linux',
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    [FuseV1Options.WasmTrapHandlers]: true,
  }) as const
