import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../../shared/result.ts'

export type AnvilMissing = { readonly kind: 'unsupported_platform' | 'anvil_missing'; readonly detail: string }

/** The npm packages that contain anvil, by platform. */
const builds: Readonly<Record<string, string>> = {
  'linux-x64': 'anvil-linux-amd64',
  'linux-arm64': 'anvil-linux-arm64',
  'darwin-x64': 'anvil-darwin-amd64',
  'darwin-arm64': 'anvil-darwin-arm64',
  'win32-x64': 'anvil-win32-amd64',
}

/**
 * Finds the local chain's program: next to a packaged app, otherwise in the npm package for this platform.
 * @param resources the packaged app's resources folder; null if there is none.
 */
export function findAnvil(platform: string, arch: string, resources: string | null): Result<string, AnvilMissing> {
  const build = builds[`${platform}-${arch}`]
  if (build === undefined) {
    return fail({ kind: 'unsupported_platform', detail: `Practice mode has no local chain for ${platform} on ${arch}.` })
  }
  const program = platform === 'win32' ? 'anvil.exe' : 'anvil'
  const candidates = [...(resources === null ? [] : [join(resources, 'anvil', program)]), ...packaged(build, program)]
  const found = candidates.find(isExecutable)
  if (found !== undefined) return ok(found)
  return fail({ kind: 'anvil_missing', detail: `Practice mode needs the local chain's program, the npm package @foundry-rs/${build}, which is not installed.` })
}

function packaged(build: string, program: string): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@foundry-rs/${build}/package.json`)
    return [join(dirname(manifest), 'bin', program)]
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
