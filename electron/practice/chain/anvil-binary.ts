import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../../shared/result.ts'

export interface AnvilMissing {
  readonly kind: 'unsupported_platform' | 'anvil_missing' | 'no_glibc'
  /** Platform and architecture, for example `darwin-arm64`. */
  readonly system: string
  /** The npm package that contains the program; null if there is none for this system. */
  readonly npmPackage: string | null
  /** An English sentence for the terminal. */
  readonly detail: string
}

/** The npm packages that contain anvil, by platform. */
const builds: Readonly<Record<string, string>> = {
  'linux-x64': 'anvil-linux-amd64',
  'linux-arm64': 'anvil-linux-arm64',
  'darwin-x64': 'anvil-darwin-amd64',
  'darwin-arm64': 'anvil-darwin-arm64',
  'win32-x64': 'anvil-win32-amd64',
}

/** The loaders of glibc, by architecture. Linux starts the chain's program with them, so a system with another libc (Alpine's musl) cannot start it. */
const loaders: Readonly<Record<string, string>> = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }

interface AnvilPlace {
  readonly platform: string
  readonly arch: string
  /** The packaged app's resources folder; null if there is none. */
  readonly resources: string | null
  readonly exists?: (path: string) => boolean
}

/** Finds the local chain's program: next to a packaged app, otherwise in the npm package for this platform. Starts nothing. */
export function findAnvil({ platform, arch, resources, exists = existsSync }: AnvilPlace): Result<string, AnvilMissing> {
  const system = `${platform}-${arch}`
  const build = builds[system]
  if (build === undefined) {
    return fail({ kind: 'unsupported_platform', system, npmPackage: null, detail: `Practice mode has no local chain for ${platform} on ${arch}.` })
  }
  const npmPackage = `@foundry-rs/${build}`
  const loader = platform === 'linux' ? loaders[arch] : undefined
  if (loader !== undefined && !exists(loader)) {
    return fail({ kind: 'no_glibc', system, npmPackage, detail: `Practice mode's local chain needs glibc, which this system lacks (${loader}).` })
  }
  const program = platform === 'win32' ? 'anvil.exe' : 'anvil'
  const candidates = [...(resources === null ? [] : [join(resources, 'anvil', program)]), ...packaged(build, program)]
  const found = candidates.find(isExecutable)
  if (found !== undefined) return ok(found)
  return fail({
    kind: 'anvil_missing',
    system,
    npmPackage,
    detail: `Practice mode needs the local chain's program, the npm package ${npmPackage}, which is not installed.`,
  })
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

/** The resources folder of a packaged app; null in other programs than Electron. */
export function packagedResources(): string | null {
  const { resourcesPath } = process as { resourcesPath?: unknown }
  return typeof resourcesPath === 'string' ? resourcesPath : null
}
