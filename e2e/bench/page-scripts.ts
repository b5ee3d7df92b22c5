import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseAst } from 'vite'

/** Protocol strings that occur only in the WalletConnect library. A script that contains one of them contains the library. */
const walletConnectMarks = ['irn_publish', 'wc_sessionPropose']

export interface Script {
  /** The script’s path, relative to the page’s folder. */
  readonly file: string
  /** The script’s size in bytes after gzip compression. */
  readonly gzipBytes: number
  readonly holdsWalletConnect: boolean
}

export function readScript(folder: string, file: string): Script {
  const code = readFileSync(join(folder, file))
  return { file, gzipBytes: gzipSync(code).length, holdsWalletConnect: walletConnectMarks.some((mark) => code.includes(mark)) }
}

export const gzipKilobytes = (scripts: readonly Script[]): number => scripts.reduce((sum, script) => sum + script.gzipBytes, 0) / 1_024

export const allScripts = (folder: string): Script[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readScript(folder, file))

/** The scripts that a page must load before it can run: the scripts that it names, and all scripts that those import statically. */
export function firstLoad(folder: string, page = 'index.html'): Script[] {
  const html = readFileSync(join(folder, page), 'utf8')
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? []
  const named = tags.filter((tag) => tag.startsWith('<script') || /\brel="?modulepreload\b/.test(tag)).map((tag) => /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1])
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const imported of staticImports(readFileSync(join(folder, file), 'utf8'))) add(relative(folder, resolve(folder, dirname(file), imported)))
  }
  for (const source of named) if (source !== undefined) add(source.replace(/^\.?\//, ''))
  return [...files].map((file) => readScript(folder, file))
}

function staticImports(code: string): string[] {
  const found: string[] = []
  for (const statement of parseAst(code).body) {
    if (statement.type !== 'ImportDeclaration' && statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportAllDeclaration') continue
    if (typeof statement.source?.value === 'string') found.push(statement.source.value)
  }
  return found
}
