import { expect, test } from 'vitest'
import { leftOverOfPlaywright, leftOverOfVitest } from './left-over.ts'

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
