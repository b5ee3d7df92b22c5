import { expect, test } from 'vitest'
import { pageProblems } from './page-imports.ts'

const problemsOf = (files: Readonly<Record<string, string>>) => pageProblems(Object.keys(files), (file) => files[file] ?? '')
const schema = { 'shared/ipc/keys.ts': "import { z } from 'zod'\nexport const most = 5\n" }

test.each([
  ["import { most } from '../shared/ipc/keys.ts'"],
  ["import { type Key, most } from '../shared/ipc/keys.ts'"],
  ["import {\n  type Key,\n  most,\n} from '../shared/ipc/keys.ts'"],
  ["import '../shared/ipc/keys.ts'"],
  ["export * from '../shared/ipc/keys.ts'"],
  ["const later = () => import('../shared/ipc/keys.ts')"],
])('the check of a page’s imports finds the way to the validation library: %s', (line) => {
  expect(problemsOf({ 'renderer/page.tsx': `${line}\n`, ...schema })).toEqual(['a page loads zod: renderer/page.tsx → shared/ipc/keys.ts'])
})

test('the check of a page’s imports finds the validation library behind other files', () => {
  const between = { 'shared/between.ts': "import { most } from './ipc/keys.ts'\n" }
  expect(problemsOf({ 'renderer/page.tsx': "import { a } from '../shared/between.ts'\n", ...between, ...schema })).toEqual([
    'a page loads zod: renderer/page.tsx → shared/between.ts → shared/ipc/keys.ts',
  ])
})

test.each([
  ["import type { Key } from '../shared/ipc/keys.ts'"],
  ["import { type Key } from '../shared/ipc/keys.ts'"],
  ["type Keys = typeof import('../shared/ipc/keys.ts')"],
])('the check of a page’s imports allows types: %s', (line) => {
  expect(problemsOf({ 'renderer/page.tsx': `${line}\n`, ...schema })).toEqual([])
})
