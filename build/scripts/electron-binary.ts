import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, run } from './project.ts'

export interface Host {
  readonly kind: 'electron' | 'stand-in'
  readonly executable: string
  /** True if `executable` belongs to a finished package, which already contains the app. */
  readonly packaged?: true
}

const packageFolder = inRoot('node_modules/electron')
const binaries: Partial<Record<NodeJS.Platform, string>> = { linux: 'electron', win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }
const distOf = (home: string): string => process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(home, 'dist')

/**
 * The path of Electron’s program in the installed package; null if it is missing. Checks the file system, because importing `electron` in Node would
 * start the download.
 */
function installed(home: string): string | null {
  const binary = binaries[process.platform]
  if (binary === undefined) return null
  const path = join(distOf(home), binary)
  return existsSync(path) ? path : null
}

/** The folder with Electron’s own program; null if it is missing. */
export const electronDist = (): string | null => (installed(packageFolder) === null ? null : distOf(packageFolder))

const standIn: Host = { kind: 'stand-in', executable: inRoot('e2e/host/electron') }

/**
 * The program that the variable `SVC_DESK_HOST` requires: Electron or its stand-in. If the variable is unset, the app runs on Electron where it is
 * installed.
 */
type Demand = 'electron' | 'stand-in' | undefined
const demand = (): Demand => {
  const given = process.env.SVC_DESK_HOST
  if (given === undefined || given === '') return undefined
  if (given === 'electron' || given === 'stand-in') return given
  throw new Error(`SVC_DESK_HOST is ${given}; it can be electron or stand-in`)
}

/** Returns Electron if its program is installed, otherwise the project’s stand-in for Electron, which runs on Chromium (Linux only). */
export function findHost(): Host {
  const demanded = demand()
  const there = demanded === 'stand-in' ? null : installed(packageFolder)
  if (there !== null) return { kind: 'electron', executable: there }
  if (demanded === 'electron') throw new Error('SVC_DESK_HOST=electron, but Electron is not installed')
  return standIn
}

/** Like `findHost`, but first downloads Electron if it is missing and the download server responds. The download has no time limit. */
export async function ensureHost(): Promise<Host> {
  if (demand() !== 'stand-in' && installed(packageFolder) === null) await fetchElectron(packageFolder)
  return findHost()
}

/** How long to wait for the first response of the download server. Short, so that work without a network is not delayed. */
const patienceMs = 5_000

/** The server from which Electron’s installer downloads. The installer’s environment variable overrides the default. */
const mirror = (): string => process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com/electron/electron/releases/download/'

/** Runs Electron’s own installer, which caches the download for later installations. Returns whether Electron is installed now. */
export async function fetchElectron(home: string): Promise<boolean> {
  const installer = join(home, 'install.js')
  if (!existsSync(installer)) return false
  const responds = await fetch(mirror(), { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) }).then(
    () => true,
    () => false,
  )
  if (!responds) return false
  process.stderr.write('electron: downloading its program, more than 100 MB\n')
  await run(process.execPath, [installer])
  return installed(home) !== null
}
