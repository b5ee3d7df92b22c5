import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { startCommand } from '../../../e2e/support/terminal/command.ts'
import { type OpenApp, startOpenApp } from '../../../e2e/support/terminal/open-app.ts'

let app: OpenApp
let workspace: Trader
beforeEach(async () => {
  app = await startOpenApp()
  workspace = await startTrader()
  app.access.runCheck = workspace.runCheck
})
afterEach(async () => {
  await app.stop()
  await workspace.stop()
})

const check = (...words: string[]) => startCommand(['check', '--data', app.userData, ...words])
const answering = async (answer: 'once' | 'deny') => {
  const request = await app.asked()
  await app.answer(request.id, answer)
  return request
}
const renamed = () =>
  workspace.rewriteAnswers((route, answer) => {
    if (!/\/account$/.test(route)) return answer
    const { unrealised_pnl_usdc, ...rest } = answer as Record<string, unknown> // The cast is safe: the answer comes from the practice exchange.
    return { ...rest, pnl_so_far_usdc: unrealised_pnl_usdc }
  })

test('svc-desk check checks all of the service’s answers once the user agrees, prints one line per step, and exits with code 0', async () => {
  const started = check()
  expect(await answering('once')).toMatchObject({ kind: 'check', words: ['svc-desk', 'check'], key: null, webhook: null, program: null })
  const { code, stdout, stderr } = await started.ended
  expect(stderr).toContain('Waiting for your answer in Svc Desk.')
  expect(stdout).toMatch(/^read +GET \/account {2}\d+ of \d+$/m)
  expect(stdout).toMatch(/^no scope +prepare add_collateral {2}collateral:manage$/m)
  expect(stdout).toMatch(/\n\d+ read, \d+ partly read, \d+ not read\.\n$/)
  expect({ code, partly: stdout.match(/^(?:partly|not|failed) .*$/gm) }).toEqual({ code: 0, partly: null })
  expect(workspace.sent.filter(({ path }) => path.endsWith('/orders/execute'))).toEqual([])
})

test('svc-desk check lists each missing field with its likely place; --accept-top reads the fields there and shows both results', async () => {
  await renamed()
  const first = check()
  await answering('once')
  const told = await first.ended
  expect(told.code).toBe(1)
  expect(told.stdout).toMatch(/^partly +GET \/account .*\n +account\.unrealisedPnl missing; pnl_so_far_usdc \(0[.0]*\)\?$/m)
  expect(told.stdout).toContain('account unknown: pnl_so_far_usdc')

  const second = check('--accept-top')
  expect(await answering('once')).toMatchObject({ words: ['svc-desk', 'check', '--accept-top'] })
  const { code, stdout } = await second.ended
  expect(stdout).toMatch(/Before: \d+ read, 2 partly read, 0 not read\.\n/)
  expect(stdout).toMatch(/Accepted \(undo in Settings → Field map\):\n {2}account\.unrealisedPnl at pnl_so_far_usdc /)
  expect(stdout).toMatch(/After: \d+ read, 0 partly read, 0 not read\.\n$/)
  expect(code).toBe(0)
})

test('svc-desk check prints a JSON report that contains no secrets and no wallet [AUTH-09]', async () => {
  const started = check('--json')
  await answering('once')
  const { code, stdout } = await started.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, startedAt: expect.any(String), endedAt: expect.any(String), steps: expect.any(Array) })
  expect(stdout.toLowerCase()).not.toContain(workspace.account.address.slice(2).toLowerCase())
  expect(stdout).not.toMatch(/SVC[A-Z0-9]{13,}|svcds1\./)
})

test('on Ctrl-C, svc-desk check prints the results so far and stops the check in the app', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  app.access.runCheck = (wish, told, gone) => {
    let steps = 0
    return workspace.runCheck(
      wish,
      (what) => {
        steps += 1
        if (steps <= 3) told(what)
        if (steps === 3) release()
      },
      gone,
    )
  }
  const started = check()
  await answering('once')
  await held
  started.process.kill('SIGINT')
  const { code, stdout } = await started.ended
  expect(stdout).toMatch(/Stopped early: \d read, 0 partly read, 0 not read\.\n$/)
  expect(code).toBe(130)
  await workspace.settled()
})

test('svc-desk check does not start if the user refuses or the profile is not open', async () => {
  const denied = check()
  await answering('deny')
  expect(await denied.ended).toMatchObject({ code: 77, stdout: '' })
  app.access.runCheck = null
  expect(await check().ended).toMatchObject({ code: 69, stderr: expect.stringContaining('Open Main in Svc Desk') })
  expect(workspace.sent.filter(({ path }) => path.endsWith('/orders/prepare'))).toEqual([])
})
