import { posix } from 'node:path'

const imported = /^(?:import|export) (?!type\b)([^'"]*?)\bfrom '([^']+)'|^import '([^']+)'|(?<!typeof )\bimport\('([^']+)'\)/gms

/** The modules of which a file needs more than types when it runs. */
function neededBy(source: string): readonly string[] {
  const found = [...source.matchAll(imported)].filter(([, names]) => {
    const listed = /^\{(.*)\}\s*$/s.exec(names ?? '')?.[1]?.split(',')
    return listed === undefined || listed.some((name) => name.trim() !== '' && !name.trim().startsWith('type '))
  })
  return found.map(([, , from, bare, later]) => from ?? bare ?? later ?? '')
}

/**
 * Reports how a page would load zod: it is large, and creates code from text as it loads, which the pages’ policy forbids. Only the main process checks
 * with schemas; a page uses their types.
 */
export function pageProblems(files: readonly string[], read: (file: string) => string): readonly string[] {
  const chains = new Map(files.filter((file) => /^renderer\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)).map((file) => [file, [file]]))
  const problems: string[] = []
  for (const [file, chain] of chains)
    for (const needed of neededBy(read(file))) {
      const path = posix.join(posix.dirname(file), needed)
      if (needed === 'zod') problems.push(`a page loads zod: ${chain.join(' → ')}`)
      else if (needed.startsWith('.') && /\.tsx?$/.test(path) && !chains.has(path)) chains.set(path, [...chain, path])
    }
  return problems
}
