import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { release, type Target } from '../../config/release.ts'
import { inRoot } from '../project.ts'

/** The folders of the build that are part of a package. */
export const shippedParts = ['main', 'preload', 'renderer'] as const
export const addonFile = 'node_modules/keytar/build/Release/keytar.node'

interface Manifest {
  readonly name: string
  readonly productName: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly main: string
}

export const readManifest = (): Manifest => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as Manifest // npm's own file

/**
 * The path of the keychain addon for a target; null if there is none. Looks in the folder `SVC_DESK_ADDONS`, then takes the addon that npm built for
 * this computer.
 */
export function addonFor({ platform, arch }: Target): string | null {
  const given = process.env.SVC_DESK_ADDONS
  const file =
    given !== undefined ? join(given, `${platform}-${arch}`, 'keytar.node') : platform === process.platform && arch === process.arch ? inRoot(addonFile) : null
  return file !== null && existsSync(file) ? file : null
}

/**
 * Fills a folder with exactly what a package’s archive contains: the build without source maps, a short manifest, and keytar with its native addon.
 * All files get the same time, because archives store file times and packages must be reproducible.
 */
export function stage(folder: string, { addon, madeAt }: { readonly addon: string | null; readonly madeAt: Date }): void {
  rmSync(folder, { recursive: true, force: true })
  for (const part of shippedParts) cpSync(inRoot('out', part), join(folder, 'out', part), { recursive: true, filter: (from) => !from.endsWith('.map') })
  const { name, productName, version, description, license, type, main } = readManifest()
  if (!existsSync(join(folder, main))) throw new Error(`${main} is not built`)
  const keytar = dirname(createRequire(import.meta.url).resolve('keytar/package.json'))
  const its = JSON.parse(readFileSync(join(keytar, 'package.json'), 'utf8')) as Readonly<Record<'name' | 'version' | 'main' | 'license', string>> // npm's own file
  const put = (file: string, content: object): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`)
  }
  put('package.json', {
    ...{ name, productName, version, description, license, type, main, homepage: release.homepage, author: release.maintainer },
    // With an empty list, electron-builder would search the parent folders for dependencies and add them to the package.
    dependencies: { [its.name]: its.version },
  })
  put('node_modules/keytar/package.json', { name: its.name, version: its.version, main: its.main, license: its.license })
  for (const file of ['lib/keytar.js', 'LICENSE.md']) cpSync(join(keytar, file), join(folder, 'node_modules/keytar', file))
  if (addon !== null) cpSync(addon, join(folder, addonFile))
  setTimes(folder, madeAt)
}

function setTimes(folder: string, time: Date): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) setTimes(path, time)
    utimesSync(path, time, time)
  }
}
