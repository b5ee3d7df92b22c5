import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A shipped package, as described by its own files. */
export interface Shipped {
  readonly name: string
  readonly version: string
  /** The package’s licence as an SPDX expression. */
  readonly licence: string
  /** The package’s licence and notice texts; null if it contains neither. */
  readonly text: string | null
}

/** Reads the name, version and licence of the package in `root/folder`. Throws if one of them is missing. */
export function readShipped(root: string, folder: string): Shipped {
  const at = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>> // npm's own file
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string') throw new Error(`${folder} states no name, version or licence`)
  const texts = readdirSync(at)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(at, file), 'utf8').trim())
  return { name, version, licence: license, text: texts.length === 0 ? null : texts.join('\n\n') }
}

const byName = (one: Shipped, other: Shipped): number => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1)

/** Lists each package once. Two packages with the same name and version are duplicates. */
export const distinct = (all: readonly Shipped[]): Shipped[] => [...new Map(all.map((one) => [`${one.name}@${one.version}`, one])).values()].sort(byName)

const line = '-'.repeat(80)

/**
 * The text of the notices file that ships with the app. Contains each package with its licence, then `more`: parts that are not packages, such as
 * fonts.
 */
export const noticesText = (packages: readonly Shipped[], more: readonly { readonly title: string; readonly text: string }[]): string =>
  [
    'Svc Desk contains the following works of others.',
    ...packages.map(({ name, version, licence, text }) => `${name} ${version}\n${licence}\n\n${text ?? `It brings no text of its licence.`}`),
    ...more.map(({ title, text }) => `${title}\n\n${text.trim()}`),
  ].join(`\n\n${line}\n\n`)

interface Other {
  readonly title: string
  readonly licence: string
  readonly text: string
}

/**
 * A JavaScript module with the licences that the About page shows: the app’s own, those of the packages, then `more` (parts that are not packages,
 * such as fonts).
 */
export function pageLicences(own: Shipped, packages: readonly Shipped[], more: readonly Other[]): string {
  const others = more.map(({ title, licence, text }) => ({ name: title, version: null, licence, text: text.trim() }))
  return `export const licences = ${JSON.stringify([own, ...packages, ...others])}\n`
}

/** A bill of materials in CycloneDX 1.6 (JSON). Contains no time and no serial number, so that the same packages always produce the same bytes. */
export const billOfMaterials = (version: string, packages: readonly Shipped[]): string =>
  `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', 'bom-ref': 'svc-desk', name: 'svc-desk', version } },
      components: packages.map(({ name, version: theirs, licence }) => {
        const purl = `pkg:npm/${name.replace('@', '%40')}@${theirs}`
        return { type: 'library', 'bom-ref': purl, name, version: theirs, purl, licenses: [{ expression: licence }] }
      }),
    },
    null,
    1,
  )}\n`
