import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWindowsChoice } from './windows-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-desk-choice-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
const reason = (text: string) => {
  put('electron/a.test.ts', text)
  return createWindowsChoice(root)('electron/a.test.ts')
}

test('a test file runs on Windows’ Node if it and all that it imports need nothing that wine lacks', () => {
  put('shared/b.ts', "import { readFileSync } from 'node:fs'\nexport const b = readFileSync\n")
  put('electron/net.ts', "import { connect } from 'node:net'\nexport type Connect = typeof connect\n")
  put('electron/terminal/channel/line.ts', "import { connect } from 'node:net'\nexport const c = connect\n")
  expect(reason("import { b } from '../shared/b.ts'\n")).toBeNull()
  expect(reason("import type { Connect } from './net.ts'\n")).toBeNull()
  expect(reason("import { c } from './terminal/channel/line.ts'\n")).toBeNull()
})

test.each([
  ['uses the network', "import { deep } from './deep.ts'\n"],
  ['uses the network', "const deep = await import('./deep.ts')\n"],
  ['uses the network', "export { deep } from './deep.ts'\n"],
  ['uses the network', "import 'undici'\n"],
  ['starts git, which wine does not have', "execFileSync('git', ['init'])\n"],
  ['starts shell scripts', "writeFileSync(file, '#!/bin/sh', { mode: 0o755 })\n"],
  ['replaces modules, which only Vite can', "vi.mock('./deep.ts')\n"],
  ['compares with snapshots, which only Vite can', 'expect(1).toMatchSnapshot()\n'],
  ['imports ./a.css, which only Vite can load', "import './a.css'\n"],
  ['imports electron/none.ts, which only Vite makes', "import './none.ts'\n"],
] as const)('a test file does not run on Windows’ Node if it %s: %s', (why, text) => {
  put('electron/deep.ts', "import { more } from './more.ts'\nexport const deep = more\n")
  put('electron/more.ts', "import { request } from 'node:https'\nexport const more = request\n")
  expect(reason(text)).toBe(why)
})
