import { existsSync, readFileSync } from 'node:fs'
import { builtinModules, stripTypeScriptTypes } from 'node:module'
import { dirname, join, normalize } from 'node:path'

const isOfTests = (file: string): boolean => file.endsWith('.test.ts') || file.startsWith('e2e/support/')

/** What a test file needs although Windows’ Node under wine does not have it. The first reason that applies counts. */
const reasons: readonly { readonly why: string; readonly needs: (file: string, source: string) => boolean }[] = [
  { why: 'draws with React, which Node cannot load without Vite', needs: (file) => file.endsWith('.tsx') },
  { why: 'replaces modules, which only Vite can', needs: (_file, source) => /\bvi\.(mock|hoisted)\(/.test(source) },
  { why: 'compares with snapshots, which only Vite can', needs: (_file, source) => /\.toMatch(File|Inline)?Snapshot\(/.test(source) },
  { why: 'starts a tool for this system alone', needs: (file, source) => /^build\/scripts\/prove\//.test(file) || source.includes("runTool('vitest'") },
  { why: 'starts git, which wine does not have', needs: (file, source) => isOfTests(file) && /\('git',/.test(source) },
  { why: 'starts prlimit or openssl, which wine does not have', needs: (file, source) => isOfTests(file) && /\('(?:prlimit|openssl)',/.test(source) },
  { why: 'starts shell scripts', needs: (file, source) => isOfTests(file) && source.includes('#!/bin/sh') && source.includes('0o7') },
  {
    why: 'measures times, which wine makes longer',
    needs: (file, source) => file.endsWith('.test.ts') && /(?:performance\.now|monitorEventLoopDelay)\(.*toBe(?:Less|Greater)Than/s.test(source),
  },
  { why: 'needs a keychain', needs: (file) => /^e2e\/support\/keyring/.test(file) },
  { why: 'starts the practice chain', needs: (file) => /^electron\/practice\/(?:chain\/anvil|sandbox\.test)\.ts$/.test(file) },
]

/** Modules of Node and packages that a test file cannot use there. `net`: only for named pipes, which `pipeFiles` use. */
const modules: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['http', 'https', 'http2', 'tls', 'dgram', 'net', 'undici', 'ws'].map((name) => [name, 'uses the network'])),
  electron: 'needs Electron',
  keytar: 'needs a keychain',
  ...Object.fromEntries(['vite', 'rolldown', '@swc/core'].map((name) => [name, 'uses a tool for this system alone'])),
  'playwright-core': 'drives a browser',
  '@playwright/test': 'drives a browser',
  react: 'draws with React, which Node cannot load without Vite',
}
/** Files whose sockets are named pipes on Windows. */
const pipeFiles = /^electron\/terminal\/channel\/line(-server)?(\.test)?\.ts$/

interface Source {
  readonly text: string
  readonly imports: readonly string[]
}

const specifier = /(?:^|[\n;])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

/** Chooses the test files that can run on Windows’ Node under wine: those that, with all that they import, need none of what it lacks. */
export function createWindowsChoice(root: string): (file: string) => string | null {
  const sources = new Map<string, Source>()
  const read = (file: string): Source => {
    const known = sources.get(file)
    if (known !== undefined) return known
    const text = readFileSync(join(root, file), 'utf8')
    // A type of another module is not an import at run time.
    const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
    const source = { text, imports: [...code.matchAll(specifier)].map(([, from, loaded]) => from ?? loaded ?? '') }
    sources.set(file, source)
    return source
  }
  return (test) => {
    const seen = new Set([test])
    for (const file of seen) {
      if (!existsSync(join(root, file))) return `imports ${file}, which only Vite makes`
      const reason = reasons.find(({ needs }) => needs(file, read(file).text))
      if (reason !== undefined) return reason.why
      // A test may start a file of its own in another process.
      for (const [started] of read(file).text.matchAll(/e2e\/support\/[\w/-]+\.ts/g)) if (isOfTests(file) && existsSync(join(root, started))) seen.add(started)
      for (const name of read(file).imports) {
        const plain = name.replace(/^node:/, '')
        if (name.startsWith('.')) {
          const path = normalize(join(dirname(file), name)).replaceAll('\\', '/')
          if (!/\.(tsx?|mjs|js|json)$/.test(path)) return `imports ${name}, which only Vite can load`
          if (!path.endsWith('.json')) seen.add(path)
        } else if (!(plain === 'net' && pipeFiles.test(file))) {
          const why = modules[builtinModules.includes(plain) ? plain : name]
          if (why !== undefined) return why
        }
      }
    }
    return null
  }
}
