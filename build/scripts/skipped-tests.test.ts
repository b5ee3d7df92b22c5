import { expect, test } from 'vitest'
import { skippedTests } from './skipped-tests.ts'

const spec = (title: string, status: string, ...annotations: { type: string; description?: string }[]) => ({ title, tests: [{ status, annotations }] })

test('names every test that was left out, however deep, with its reason', () => {
  const report = {
    suites: [
      {
        specs: [spec('runs', 'expected'), spec('fails', 'unexpected'), spec('needs Electron', 'skipped', { type: 'skip', description: 'no binary' })],
        suites: [{ specs: [spec('deeper', 'skipped', { type: 'note' }, { type: 'fixme', description: 'later' }), spec('bare', 'skipped', { type: 'skip' })] }],
      },
    ],
  }
  expect(skippedTests(report)).toEqual(['needs Electron: no binary', 'deeper: later', 'bare: without a reason'])
  expect(skippedTests({})).toEqual([])
})
