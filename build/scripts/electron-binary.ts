import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { inRoot, root } from './project.ts'

export interface Host {
  readonly kind: 'electron' | 'stand-in'
  readonly executable: string
}

const home = inRoot('node_modules/electron')
const binaries: Partial<Record<NodeJS.Platform, string>> = { linux: 'electron', win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }

/** The path of Electron’s binary; null if it is missing. Looks for the file, because importing `electron` in Node would start its download. */
function installed(): string | null {
  const binary = binaries[process.platform]
  if (!binary) return null
  const path = `${process.env.ELECTRON_OVERRIDE_DIST_PATH ?? `${home}/dist`}/${binary}`
  return existsSync(path) ? path : null
}

/** Runs Electron’s own installer once, for at most `seconds`. */
function download(seconds: number): void {
  if (!existsSync(`${home}/install.js`)) return
  spawnSync(process.execPath, [`${home}/install.js`], { cwd: root, stdio: 'ignore', timeout: seconds * 1_000, killSignal: 'SIGKILL' })
}

/**
 * Returns real Electron if its binary is installed or downloads within a few seconds. Otherwise returns the project’s stand-in for Electron, which
 * runs on Chromium (Linux only).
 */
export function findHost(options: { readonly mayDownload: boolean }): Host {
  if (process.env.SVC_DESK_HOST === 'stand-in') return standIn
  const there = installed()
  if (there) return { kind: 'electron', executable: there }
  if (options.mayDownload) {
    download(8)
    const fetched = installed()
    if (fetched) return { kind: 'electron', executable: fetched }
  }
  return standIn
}

const standIn: Host = { kind: 'stand-in', executable: inRoot('e2e/host/electron') }
