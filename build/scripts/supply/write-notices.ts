import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agreed } from '../../config/agreed-packages.ts'
import { isLicenceAmong } from './lock-problems.ts'
import { billOfMaterials, distinct, noticesText, pageLicences, readShipped, type Shipped } from './notices.ts'

const beside = ['node_modules/keytar', 'node_modules/electron']

/**
 * The folder into which the app’s build writes lists of the packages in its bundles. The notices and the bill of materials are made from these lists.
 */
export const bundledFolder = (out: string): string => join(out, 'bundled')
export const noticesFile = (out: string): string => join(out, 'licences', 'THIRD-PARTY-NOTICES.txt')
export const billFile = (out: string): string => join(out, 'licences', 'sbom.cdx.json')

/** The script with the licence list. The app’s page loads this script when the user opens About. */
export const pageLicencesFile = (out: string): string => join(out, 'renderer', 'licences.js')

/**
 * Returns the packages that ship with the build in `out`: those in its bundles, and those that ship beside the bundles. Throws if a licence is not
 * allowed.
 */
export function shippedPackages(root: string, out: string): readonly Shipped[] {
  const lists = readdirSync(bundledFolder(out)).map((file) => JSON.parse(readFileSync(join(bundledFolder(out), file), 'utf8')) as string[]) // written by `bundledPackages`
  const folders = new Set([...lists.flat(), ...beside, ...playChain(root)])
  const packages = distinct([...folders].map((folder) => readShipped(root, folder)))
  const strange = packages.filter(({ licence }) => !isLicenceAmong(licence, agreed.licences))
  if (strange.length > 0) throw new Error(`not among the agreed licences: ${strange.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`)
  return packages
}

const fontsOf = (root: string) => ({ title: 'Inter and JetBrains Mono', text: readFileSync(join(root, 'renderer/kit/fonts/LICENSE.txt'), 'utf8') })

/** Writes the notices and the bill of materials of `packages` into a folder. Returns the paths of both files. */
export function writeDocuments(root: string, folder: string, packages: readonly Shipped[]): { readonly notices: string; readonly bill: string } {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<Record<'version', string>> // npm's own file
  const [notices, bill] = [join(folder, 'THIRD-PARTY-NOTICES.txt'), join(folder, 'sbom.cdx.json')]
  mkdirSync(folder, { recursive: true })
  writeFileSync(notices, `${noticesText(packages, [fontsOf(root)])}\n`)
  writeFileSync(bill, billOfMaterials(version, packages))
  return { notices, bill }
}

/** Writes the notices, the bill of materials and the licences of the About page for the build in `out`. Throws if a licence is not allowed. */
export function writeNotices(root: string, out: string): void {
  const packages = shippedPackages(root, out)
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<Record<'name' | 'version' | 'license', string>> // npm's own file
  const own = { name, version, licence: license, text: readFileSync(join(root, 'LICENSE'), 'utf8').trim() }
  writeDocuments(root, dirname(noticesFile(out)), packages)
  mkdirSync(dirname(pageLicencesFile(out)), { recursive: true })
  writeFileSync(pageLicencesFile(out), pageLicences(own, packages, [{ ...fontsOf(root), licence: 'OFL-1.1' }]))
}

/** The folders of the packages that contain practice mode’s local blockchain for this system; empty if npm installed none. */
function playChain(root: string): string[] {
  try {
    return readdirSync(join(root, 'node_modules/@foundry-rs')).map((name) => `node_modules/@foundry-rs/${name}`)
  } catch {
    return []
  }
}
