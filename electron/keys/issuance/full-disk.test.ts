import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../e2e/support/journal/create-on-full-disk.ts')

test('on a full disk, the app creates no key, or creates it once and stores its secret in the keychain [KEY-05, KEY-16]', () => {
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], { encoding: 'utf8' }))
  expect(said).toEqual({
    'before it is asked for': { refused: { ok: false, failure: { kind: 'journal', issue: 'disk_full' } }, journal: 'memory_only', made: 0 },
    'asked for when there is space': { journal: 'ready', made: 1, keys: ['first keychain'] },
    'stored, and not written down': {
      journal: 'memory_only',
      made: 2,
      keys: ['second keychain', 'first keychain'],
      operations: ['create VERIFIED', 'create VERIFIED', 'create FAILED'],
    },
    'written down when there is space': { journal: 'ready', operations: ['create VERIFIED', 'create VERIFIED', 'create FAILED'] },
    'killed before it was written down': {
      journal: 'memory_only',
      unmatched: [],
      made: 3,
      keys: ['third keychain', 'second keychain', 'first keychain'],
    },
    'in the end': { journal: 'ready', operations: ['create VERIFIED', 'create VERIFIED', 'create VERIFIED', 'create FAILED'] },
    'after one more start': { keys: ['third keychain', 'second keychain', 'first keychain'], draft: null },
  })
})
