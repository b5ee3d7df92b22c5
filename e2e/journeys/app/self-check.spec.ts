import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { host } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'
import { outOf, root } from '../../support/project.ts'

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'self-check-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function selfCheck(env: NodeJS.ProcessEnv = {}) {
  const report = join(folder, 'report.json')
  const child = spawn(host.executable, [join(outOf('product'), 'main/index.js'), `--user-data-dir=${join(folder, 'data')}`, '--self-check', report], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: folder, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null] // Node's own event
  return { code, report: existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as unknown) : null } // safe cast: the test checks the report’s shape
}

test('the app’s self-check opens a hidden window, calls the main process, and tries the keychain and practice mode', async () => {
  const { code, report } = await selfCheck()
  const passed = (name: string) => ({ name, passed: true, ms: expect.any(Number), detail: null })
  expect(report).toMatchObject({
    passed: true,
    host: host.kind,
    packaged: false,
    platform: process.platform,
    steps: ['window', 'page', 'call', 'keychain', 'practice_start', 'practice_stop'].map(passed),
  })
  expect(code).toBe(0)
  // The self-check put its data into a temporary folder and removed that folder at the end.
  expect(readdirSync(folder).filter((name) => name.startsWith('svc-desk-self-check-'))).toEqual([])
  expect(existsSync(join(folder, 'data/desk.db'))).toBe(false)
})

test('the app’s self-check names the step that fails, and exits with 1', async () => {
  const { code, report } = await selfCheck({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'no-bus')}` })
  expect(report).toMatchObject({ passed: false, steps: [{ name: 'window' }, { name: 'page' }, { name: 'call' }, { name: 'keychain', passed: false }] })
  expect((report as { steps: { detail: string }[] }).steps.at(-1)?.detail).toMatch(/^keychain (unavailable|failed)/) // safe cast: the line above checks the shape
  expect(code).toBe(1)
})
