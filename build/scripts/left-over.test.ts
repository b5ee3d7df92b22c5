import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ErrorReport } from './error-report.ts'
import { leftOverOfPlaywright, leftOverOfVitest, leftOverOutside } from './left-over.ts'
import { inRoot, runTool } from './project.ts'

const spec = (title: string, status: string, ...annotations: { type: string; description?: string }[]) => ({ title, tests: [{ status, annotations }] })

const withError = (title: string, message: string) => ({ title, tests: [{ status: 'unexpected', annotations: [], results: [{ error: { message } }] }] })

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
              withError('waits in vain', 'Error: \u001b[2mexpect(\u001b[22mlocator) failed\n\nTimeout: 15000ms'),
            ],
          },
        ],
      },
    ],
  }
  expect(leftOverOfPlaywright(report)).toEqual({
    failed: ['fails', 'passes at the second try', 'waits in vain: Error: expect(locator) failed Timeout: 15000ms'],
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

test('the test report names errors that no test caught, and what a failed test expected and received', async () => {
  mkdirSync(inRoot('out'), { recursive: true })
  const folder = mkdtempSync(inRoot('out/errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const late = "test('passes', () => {\n  void Promise.reject(new Error('too late'))\n})\n"
  const differs = "test('differs', () => {\n  expect({ place: 'harbour', count: 1 }).toEqual({ place: 'airport', count: 1 })\n})\n"
  writeFileSync(join(folder, 'late.test.ts'), `import { expect, test } from 'vitest'\n${late}${differs}`)
  const [report, errors] = [join(folder, 'report.json'), join(folder, 'errors.json')]
  const reporters = ['--reporter=json', `--outputFile.json=${report}`, `--reporter=${inRoot('build/scripts/error-report.ts')}`]
  const ran = await runTool('vitest', ['run', '--root', folder, ...reporters], { quiet: true, env: { ...process.env, SVC_DESK_ERRORS: errors } })
  expect(ran.code).not.toBe(0)
  const found = JSON.parse(readFileSync(errors, 'utf8')) as ErrorReport // safe cast: the reporter writes this shape
  expect(leftOverOutside(found)).toEqual([expect.stringMatching(/^outside of all tests: Error: too late .*late\.test\.ts/)])
  expect(leftOverOfVitest(JSON.parse(readFileSync(report, 'utf8')), found.differences).failed).toEqual([
    expect.stringMatching(/late\.test\.ts > differs: - Expected \+ Received .*- "place": "airport", \+ "place": "harbour",/),
  ])
})
