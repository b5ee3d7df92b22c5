import { basename, dirname } from 'node:path'

/** A module and the modules that it imports, type imports included, as dependency-cruiser reports them. */
export interface Module {
  readonly source: string
  readonly dependencies: readonly { readonly resolved: string }[]
}

const isProduct = (file: string): boolean => /^(electron|renderer|shared)\/.*\.tsx?$/.test(file) && !/\.(test|spec)\.tsx?$/.test(file)
const topOf = (file: string): string => file.split('/')[0] ?? ''

function grouped(files: readonly string[], by: (file: string) => string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const file of files) groups.set(by(file), [...(groups.get(by(file)) ?? []), file])
  return groups
}

export const mostFilesInFolder = 25

/** Reports folders with too many files, test-only files inside the product, and files of the same name in one source tree. */
export function fileProblems(files: readonly string[]): readonly string[] {
  const inTrees = files.filter((file) => /^(electron|renderer|shared|e2e|build)\//.test(file))
  const full = [...grouped(inTrees, dirname)]
    .filter(([, inside]) => inside.length > mostFilesInFolder)
    .map(([folder, inside]) => `${folder}: ${inside.length} files; a folder holds at most ${mostFilesInFolder}`)
  const strays = files
    .filter((file) => /^(electron|renderer|shared)\/(.*\/)?testing\/|^(electron|renderer|shared)\/.*\.fixture\.tsx?$/.test(file))
    .map((file) => `${file}: what only tests need is kept in e2e/support`)
  const twice = [...grouped(files.filter(isProduct), (file) => `${topOf(file)}/**/${basename(file)}`)].filter(([, same]) => same.length > 1)
  const duplicates = twice.map(([name, same]) => `${name} occurs twice: ${same.join(', ')}`)
  return [...full, ...strays, ...duplicates]
}

/**
 * Groups of folders in electron/ whose product files import each other in a cycle. A folder counts only with its own files, not with those of its
 * subfolders.
 */
export function folderCircles(modules: readonly Module[]): readonly (readonly string[])[] {
  const within = (file: string) => file.startsWith('electron/') && isProduct(file)
  const below = new Map<string, Set<string>>()
  for (const { source, dependencies } of modules.filter((each) => within(each.source)))
    for (const { resolved } of dependencies.filter((each) => within(each.resolved)))
      if (dirname(source) !== dirname(resolved)) below.set(dirname(source), (below.get(dirname(source)) ?? new Set()).add(dirname(resolved)))
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const visit = (folder: string): void => {
      for (const next of below.get(folder) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        visit(next)
      }
    }
    visit(from)
    return seen
  }
  const reach = new Map([...below.keys()].map((folder) => [folder, reached(folder)]))
  const left = new Set([...reach].filter(([folder, seen]) => seen.has(folder)).map(([folder]) => folder))
  const circles: string[][] = []
  for (const folder of left) {
    const circle = [...left].filter((other) => reach.get(folder)?.has(other) && reach.get(other)?.has(folder)).sort()
    for (const each of circle) left.delete(each)
    circles.push(circle)
  }
  return circles
}

export const circleProblems = (modules: readonly Module[]): readonly string[] =>
  folderCircles(modules).map((circle) => `folders import each other in a circle: ${circle.join(', ')}`)

export interface Figures {
  /** Number of product files, without the practice exchange. */
  readonly productFiles: number
  /** Number of product files below `shortLines` lines that exactly one product file imports. */
  readonly shortWithOneImporter: number
}

const shortLines = 60
/** How far a count may fall below its limit before the folder check asks to lower the limit. */
const slack = 10

/** The highest allowed counts. Each equals the actual count at the time when the limit was last lowered. Never raise a limit. */
const most: Figures = { productFiles: 800, shortWithOneImporter: 12 }

export function figuresOf(files: readonly string[], modules: readonly Module[], linesOf: (file: string) => number): Figures {
  const counted = files.filter((file) => isProduct(file) && !file.startsWith('electron/practice/'))
  const importers = new Map<string, Set<string>>()
  for (const { source, dependencies } of modules.filter((each) => isProduct(each.source)))
    for (const { resolved } of dependencies) importers.set(resolved, (importers.get(resolved) ?? new Set()).add(source))
  return {
    productFiles: counted.length,
    shortWithOneImporter: counted.filter((file) => importers.get(file)?.size === 1 && linesOf(file) < shortLines).length,
  }
}

export function figureProblems(now: Figures, allowed: Figures = most): readonly string[] {
  const names = { productFiles: 'product files', shortWithOneImporter: `product files below ${shortLines} lines with one importer` }
  return (['productFiles', 'shortWithOneImporter'] as const).flatMap((figure) => {
    if (now[figure] > allowed[figure]) return [`${now[figure]} ${names[figure]}; at most ${allowed[figure]} are allowed: fold a file into its importer`]
    if (now[figure] < allowed[figure] - slack) return [`${now[figure]} ${names[figure]}: lower the ${allowed[figure]} in folder-rules.ts`]
    return []
  })
}
