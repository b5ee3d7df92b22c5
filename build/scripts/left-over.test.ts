import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { leftOverOfPlaywright, leftOverOfUnhandled, leftOverOfVitest } from './left-over.ts'
import { inRoot, runTool } from './project.ts'

const spec = (title: string, status: string, ...annotations: { type: string; description?: string }[]) => ({ title, tests: [{ status, annotations }] })

test('the test report lists every failed or skipped end-to-end test with its reason, however deeply the report nests it', () => {
  const report = {
    suites: [
      {
        specs: [spec('runs', 'expected'), spec('fails', 'unexpected'), spec('needs Electron', 'skipped', { type: 'skip', description: 'no binary' })],
        suites: [
          {
            specs: [
              spec('deeper', 'skipped', { type: 'note' }, { type: 'fixme', description: 'later' }),
              spec('bare', 'skipped', { type: 'skip' }),
              spec('passes at the second try', 'flaky'),
            ],
          },
        ],
      },
    ],
  }
  expect(leftOverOfPlaywright(report)).toEqual({
    failed: ['fails', 'passes at the second try'],
    skipped: ['needs Electron: no binary', 'deeper: later', 'bare: without a reason'],
  })
  expect(leftOverOfPlaywright({})).toEqual({ failed: [], skipped: [] })
})

test('the test report lists every failed or skipped unit test, and every test file that could not be loaded', () => {
  const one = (title: string, status: string, ...failureMessages: string[]) => ({ title, status, failureMessages })
  const report = {
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [one('holds', 'passed'), one('breaks', 'failed', 'expected 1\nto be 2\n- 1\n+ 2\nat a'), one('waits', 'pending')],
      },
      { name: 'b.test.ts', status: 'failed', message: 'no such file', assertionResults: [] },
    ],
  }
  expect(leftOverOfVitest(report)).toEqual({
    failed: ['b.test.ts: no such file', 'a.test.ts > breaks: expected 1 to be 2 - 1 + 2'],
    skipped: ['a.test.ts > waits'],
  })
  expect(leftOverOfVitest({})).toEqual({ failed: [], skipped: [] })
})

test('the test report names an error that no test caught, although vitest counts no failed test', async () => {
  mkdirSync(inRoot('out'), { recursive: true })
  const folder = mkdtempSync(inRoot('out/unhandled-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const late = "import { test } from 'vitest'\ntest('passes', () => {\n  void Promise.reject(new Error('too late'))\n})\n"
  writeFileSync(join(folder, 'late.test.ts'), late)
  const unhandled = join(folder, 'unhandled.json')
  const ran = await runTool('vitest', ['run', '--root', folder, `--reporter=${inRoot('build/scripts/unhandled-errors.ts')}`], {
    quiet: true,
    env: { ...process.env, SVC_DESK_UNHANDLED: unhandled },
  })
  expect(ran.code).not.toBe(0)
  expect(leftOverOfUnhandled(JSON.parse(readFileSync(unhandled, 'utf8')))).toEqual([
    expect.stringMatching(/^outside of all tests: Error: too late .*late\.test\.ts/),
  ])
})
