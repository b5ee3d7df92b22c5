import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { electronPath, type Fixture, fixtureFolder, launchFixture, makeProfile } from './launch-fixture.ts'
import { argumentsOf, descendantsOf, isRunning, startedWith } from './process-tree.ts'

vi.setConfig({ testTimeout: 30_000 })
const utilityModule = join(fixtureFolder, 'utility.js')
let place: { profile: string; removeProfile: () => void }
beforeEach(() => {
  place = makeProfile()
})
afterEach(() => place.removeProfile())

const hostPid = ({ app }: Fixture): number => app.process().pid ?? 0
const allGone = (pids: number[]) => expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([])

test('on the stand-in for Electron, the app exchanges messages with a utility process, sees it exit, and ends it on quit', async () => {
  const fixture = await launchFixture(place.profile)
  const first = await fixture.app.evaluate(async ({ utilityProcess }, modulePath) => {
    const child = utilityProcess.fork(modulePath, ['--one'], { env: { UTILITY_SECRET: 'from the parent' }, serviceName: 'fixture' })
    const before = child.pid
    child.postMessage({ map: new Map([['a', 1n]]) })
    const answer = await new Promise<{ echo: { map: Map<string, bigint> }; type: string; pid: number; argv: string[]; secret: string }>((resolve) =>
      child.once('message', resolve),
    )
    const { pid } = child
    child.postMessage('exit')
    const code = await new Promise<number>((resolve) => child.once('exit', resolve))
    return {
      before,
      samePid: answer.pid === pid,
      big: String(answer.echo.map.get('a')),
      type: answer.type,
      argv: answer.argv,
      secret: answer.secret,
      code,
      after: child.pid,
      killed: child.kill(),
    }
  }, utilityModule)
  expect(first).toEqual({
    before: undefined,
    samePid: true,
    big: '1',
    type: 'utility',
    argv: ['--one'],
    secret: 'from the parent',
    code: 5,
    after: undefined,
    killed: false,
  })

  const second = await fixture.app.evaluate(async ({ app, utilityProcess }, modulePath) => {
    const child = utilityProcess.fork(modulePath, [], { stdio: 'pipe' })
    await new Promise((resolve) => child.once('spawn', () => resolve(undefined)))
    const gone = new Promise<{ type: string; reason: string }>((resolve) => app.once('child-process-gone', (_event, details) => resolve(details)))
    const sent = child.kill()
    const { type, reason } = await gone
    return { sent, type, reason, hasStdout: child.stdout !== null }
  }, utilityModule)
  expect(second).toEqual({ sent: true, type: 'Utility', reason: 'killed', hasStdout: true })

  await fixture.app.evaluate(
    ({ utilityProcess }, modulePath) => new Promise((resolve) => utilityProcess.fork(modulePath).once('spawn', () => resolve(undefined))),
    utilityModule,
  )
  const running = descendantsOf(hostPid(fixture))
  expect(running.length).toBeGreaterThan(3)
  await fixture.app.close()
  expect(await fixture.ended).toBe(0)
  await allGone(running)
})

test('on the stand-in for Electron, a second app instance gets no lock and notifies the first; once the first is killed, a new one starts', async () => {
  const fixture = await launchFixture(place.profile)
  const second = spawn(electronPath, [fixtureFolder, `--user-data-dir=${place.profile}`, '--and=more'], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SVC_DESK_HEADED: '0' },
  })
  const [code] = await once(second, 'exit')
  expect(code).toBe(7)
  await expect
    .poll(() => fixture.app.evaluate(() => globalThis.seen.second))
    .toEqual([{ argv: expect.arrayContaining([fixtureFolder, '--and=more']), cwd: '/', data: { from: 'fixture' } }])
  await fixture.app.evaluate(
    ({ utilityProcess }, modulePath) => new Promise((resolve) => utilityProcess.fork(modulePath).once('spawn', () => resolve(undefined))),
    utilityModule,
  )
  const running = descendantsOf(hostPid(fixture))
  expect(running.length).toBeGreaterThan(3)
  process.kill(hostPid(fixture), 'SIGKILL')
  await fixture.ended
  const third = await launchFixture(place.profile)
  await allGone(running)
  expect(await third.app.evaluate(({ app }) => app.hasSingleInstanceLock())).toBe(true)
  await third.app.close()
})

test('on the stand-in for Electron, a signal makes the app quit with the same events in the same order as in Electron', async () => {
  const host = spawn(electronPath, [fixtureFolder, `--user-data-dir=${place.profile}`, '--tell-end'], {
    stdio: 'pipe',
    env: { ...process.env, SVC_DESK_HEADED: '0' },
  })
  const output = collect(host)
  await expect.poll(() => output.text, { timeout: 20_000 }).toContain('shown')
  const running = descendantsOf(host.pid ?? 0)
  host.kill('SIGTERM')
  const [code] = await once(host, 'exit')
  expect(code).toBe(0)
  expect(output.text.trim().split('\n')).toEqual(['shown', 'before-quit', 'close', 'closed', 'will-quit', 'quit'])
  await allGone(running)
})

test.each([
  ['exits', ['--again=1'], 3],
  ['quits', undefined, 0],
] as const)('the stand-in for Electron restarts the app when it %s, but only after the old process has ended', async (how, more, code) => {
  const own = `--user-data-dir=${place.profile}`
  const fixture = await launchFixture(place.profile)
  const first = hostPid(fixture)
  const given = argumentsOf(first).slice(argumentsOf(first).indexOf(fixtureFolder))
  const args = more === undefined ? undefined : [...given, ...more]
  await fixture.app.evaluate(({ app }, wanted) => app.relaunch(wanted === undefined ? undefined : { args: wanted }), args)
  expect(await fixture.app.evaluate(({ app }) => app.hasSingleInstanceLock())).toBe(true)
  expect(startedWith(own)).toEqual([first])
  void fixture.app.evaluate(({ app }, [exits, status]) => (exits ? app.exit(status) : app.quit()), [how === 'exits', code] as const).catch(() => undefined)
  expect(await fixture.ended).toBe(code)
  await expect.poll(() => startedWith(own), { timeout: 20_000 }).toHaveLength(1)
  const [second = 0] = startedWith(own)
  onTestFinished(() => {
    if (isRunning(second)) process.kill(second, 'SIGKILL')
  })
  expect(second).not.toBe(first)
  expect(argumentsOf(second).slice(-1)).toEqual([more?.[0] ?? own])
  // The second instance now has the single-instance lock. The test waits until it runs its own Chromium.
  await expect.poll(() => descendantsOf(second).length, { timeout: 20_000 }).toBeGreaterThan(2)
  const below = descendantsOf(second)
  process.kill(second, 'SIGTERM')
  await allGone([second, ...below])
})

function collect(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output.text += String(chunk)
    })
  }
  return output
}
