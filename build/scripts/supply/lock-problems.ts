/** One entry of `packages` in npm's lock file, version 3. */
export interface LockEntry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly hasInstallScript?: boolean
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>
}

/** The parts of package.json that name dependencies. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, unknown>>
}

export interface Agreed {
  /** Packages that may have an install script, each with the reason why the script is harmless. */
  readonly installScripts: Readonly<Record<string, string>>
  /** Names of optional packages that may lack a checksum in the lock file. */
  readonly unsealed: readonly string[]
  readonly licences: readonly string[]
  /** Additional licences that only development tools may have. Value: a pattern for the names of those tools. */
  readonly toolLicences: Readonly<Record<string, RegExp>>
  readonly statedElsewhere: Readonly<Record<string, string>>
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Whether `licences` allows a licence expression. `(MIT OR WTFPL)` needs one allowed licence, `MIT AND Apache-2.0` needs both. */
export const isLicenceAmong = (expression: string, licences: readonly string[]): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => licences.includes(licence.trim())))

/** Reports packages of the lock file that have no checksum, or whose source, install script or licence is not in `agreed`. One line per package. */
export function lockProblems(lock: LockFile, manifest: Manifest, agreed: Agreed): string[] {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
  return [...specProblems(manifest), ...entries.flatMap(([path, entry]) => entryProblems(path, entry, agreed)), ...staleAgreements(entries, agreed)]
}

function entryProblems(path: string, entry: LockEntry, agreed: Agreed): string[] {
  const own = !path.startsWith('node_modules/') || path.includes('/build/stubs/')
  const problems: string[] = []
  if (entry.resolved !== undefined && /^[a-z+]+:/i.test(entry.resolved)) problems.push(`${path}: comes from a place of its own`)
  if (entry.link === true || own) return problems
  const name = nameOf(path)
  if (entry.hasInstallScript === true && agreed.installScripts[path] === undefined) problems.push(`${path}: brings a script that runs when it is installed`)
  if (entry.integrity === undefined) {
    const elsewhere = entry.optional === true && entry.os !== undefined && agreed.unsealed.includes(name)
    if (!elsewhere) problems.push(`${path}: has no checksum`)
    return problems
  }
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity)) problems.push(`${path}: its checksum is no SHA-512`)
  const licence = entry.license ?? agreed.statedElsewhere[name]
  const isTool = entry.dev === true && Object.entries(agreed.toolLicences).some(([tool, names]) => licence === tool && names.test(name))
  if (licence === undefined || !(isTool || isLicenceAmong(licence, agreed.licences))) problems.push(`${path}: its licence is ${licence ?? 'not stated'}`)
  return problems
}

/** Reports dependencies from a repository, a URL or a folder. Only the npm registry and this project’s stub folders are allowed sources. */
function specProblems({ dependencies, devDependencies, optionalDependencies, overrides }: Manifest): string[] {
  const specs = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
  return specs
    .filter(([, spec]) => typeof spec !== 'string' || !/^([\^~]?\d+(\.\d+){0,2}(-[a-z]+\.\d+)?|file:\.\/build\/stubs\/[a-z-]+)$/.test(spec))
    .map(([name, spec]) => `package.json: ${name} comes from ${JSON.stringify(spec)}`)
}

/** Exceptions in `agreed` that are no longer needed: their package was removed, or now complies with the rules. */
function staleAgreements(entries: readonly (readonly [path: string, LockEntry])[], { installScripts, unsealed, statedElsewhere }: Agreed): string[] {
  const scripts = Object.keys(installScripts).filter((wanted) => !entries.some(([path, entry]) => path === wanted && entry.hasInstallScript === true))
  const open = unsealed.filter((wanted) => !entries.some(([path, entry]) => nameOf(path) === wanted && entry.integrity === undefined))
  const stated = Object.keys(statedElsewhere).filter((wanted) => !entries.some(([path, entry]) => nameOf(path) === wanted && entry.license === undefined))
  return [...scripts, ...open, ...stated].map((name) => `build/config/agreed-packages.ts: ${name} needs no exception any more`)
}
