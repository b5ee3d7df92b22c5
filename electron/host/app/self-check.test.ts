import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { type CheckedParts, createSelfCheck, selfCheckFile } from './self-check.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'self-check-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the app’s self-check takes the path of its report from the command line, but ignores arguments after the separator --', () => {
  const read = (...words: string[]) => selfCheckFile(['/opt/svc-desk-app', ...words], '/home/me')
  expect(read('--self-check', 'report.json')).toBe(resolve('/home/me', 'report.json'))
  expect(read('--user-data-dir=/x', '--self-check=/tmp/report.json')).toBe(resolve('/tmp/report.json'))
  expect(read('--hidden')).toBeNull()
  expect(read('--self-check')).toBeNull()
  expect(read('--', 'svcdesk://open/keys', '--self-check', 'report.json')).toBeNull()
})

function checked(change: Partial<CheckedParts> = {}) {
  const file = join(folder, 'report.json')
  const exits: number[] = []
  const paths: string[] = []
  const ended: string[] = []
  const check = createSelfCheck({
    file,
    app: { isPackaged: true, setPath: (_name, path) => void paths.push(path), exit: (code) => void exits.push(code ?? 0) },
    clock: systemClock,
  })
  for (const path of paths) rmSync(path, { recursive: true, force: true })
  const answers: unknown[] = [true, { result: { ok: true, value: { version: '1.2.3' } }, invalidates: [] }]
  const parts: CheckedParts = {
    version: '1.2.3',
    host: 'electron',
    open: () => {
      const page = {
        once(event: string, listener: () => void) {
          if (event === 'did-finish-load') listener()
          return page
        },
        executeJavaScript: async () => answers.shift(),
      }
      return page as unknown as ReturnType<CheckedParts['open']> // safe cast: the self-check calls only these two functions
    },
    probeKeychain: async () => ok(undefined),
    practice: { start: async () => ok(undefined), stop: async () => void ended.push('practice') },
    end: async () => void ended.push('all'),
    ...change,
  }
  const report = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null) // safe cast: the tests check the report’s shape
  return { check, parts, exits, ended, report }
}

test('the app’s self-check reports each step, shuts down the app’s parts, and then exits with 0', async () => {
  const { check, parts, exits, ended, report } = checked()
  await check.run(parts)
  expect(exits).toEqual([0])
  expect(ended).toEqual(['practice', 'all'])
  expect(report()).toMatchObject({ passed: true, version: '1.2.3', packaged: true, steps: Array(6).fill({ passed: true, detail: null }) })
})

test.each<[string, Partial<CheckedParts>, string, string]>([
  ['another version answers', { version: '9.9.9' }, 'call', 'version 1.2.3'],
  ['the keychain is locked', { probeKeychain: async () => fail({ kind: 'keychain', code: 'locked', detail: null }) }, 'keychain', 'keychain locked null'],
  [
    'practice cannot start',
    { practice: { start: async () => fail({ kind: 'practice_failed', part: 'chain', detail: 'no anvil' }), stop: async () => undefined } },
    'practice_start',
    'practice_failed chain no anvil',
  ],
  ['a step throws', { probeKeychain: () => Promise.reject(new Error('no worker')) }, 'keychain', 'Error: no worker'],
])('the app’s self-check exits with 1 and names the failed step if %s', async (_what, change, name, detail) => {
  const { check, parts, exits, report } = checked(change)
  await check.run(parts)
  expect(exits).toEqual([1])
  const { passed, steps } = report() as { passed: boolean; steps: unknown[] } // safe cast: the next line checks the shape
  expect({ passed, last: steps.at(-1) }).toMatchObject({ passed: false, last: { name, passed: false, detail } })
})

test('the app’s self-check reports why the app did not start', async () => {
  const { check, exits, report } = checked()
  await check.failed(new Error('no display'))
  expect(exits).toEqual([1])
  expect(report()).toMatchObject({ passed: false, steps: [{ name: 'start', detail: 'Error: no display' }] })
})
