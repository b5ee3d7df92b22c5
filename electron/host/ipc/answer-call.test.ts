import { expect, test } from 'vitest'
import { z } from 'zod'
import { appContract, phoneContract } from '../../../shared/ipc/contract.ts'
import { command, type Definition, query } from '../../../shared/ipc/define.ts'
import { fail, ok } from '../../../shared/result.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { type AnyHandler, createAnswerCall } from './answer-call.ts'

function setUp(definitions: Record<string, Definition>, handlers: Record<string, AnyHandler>) {
  const logged: { reference: string; what: string; error: unknown }[] = []
  const answer = createAnswerCall({
    definitions,
    handlers: () => handlers,
    log: { error: (reference, what, error) => logged.push({ reference, what, error }) },
  })
  return { answer, logged }
}
const double = query(z.object({ n: z.number() }), z.object({ twice: z.number() }), 'app')

test('the main process’s answer to a window’s call contains no field that the IPC contract does not list', async () => {
  const { answer } = setUp({ double }, { double: (input) => ok({ twice: (input as { n: number }).n * 2, apiKey: 'SVCsecret0123456789' }) })
  expect(await answer('double', { n: 4, more: true })).toEqual({ result: { ok: true, value: { twice: 8 } }, invalidates: [] })
})

test('after a window’s command succeeds or fails, the main process names the queries whose data the command made outdated', async () => {
  const act = command(z.object({ work: z.boolean() }), z.object({}), { invalidates: ['list'] })
  const { answer } = setUp({ act }, { act: (input) => ((input as { work: boolean }).work ? ok({}) : fail({ kind: 'no_wallet' })) })
  expect(await answer('act', { work: true })).toEqual({ result: { ok: true, value: {} }, invalidates: ['list'] })
  expect(await answer('act', { work: false })).toEqual({ result: { ok: false, failure: { kind: 'no_wallet' } }, invalidates: ['list'] })
})

test.each(['nothing', 'toString', 'constructor', '__proto__', 'hasOwnProperty', '', 7, null, undefined, { toString: () => 'double' }, ['double']])(
  'the main process reports that there is no IPC call named %s',
  async (name) => {
    const { answer } = setUp({ double }, { double: () => ok({ twice: 0 }) })
    expect(await answer(name, { n: 1 })).toEqual({ result: { ok: false, failure: { kind: 'not_found', what: 'call' } }, invalidates: [] })
  },
)

test.each([
  [{ n: '4' }, 'n'],
  [{}, 'n'],
  [null, null],
  [undefined, null],
  ['x', null],
])('the main process refuses the invalid input %o of an IPC call without running the call’s handler', async (input, field) => {
  let called = false
  const { answer } = setUp(
    { double },
    {
      double: () => {
        called = true
        return ok({ twice: 0 })
      },
    },
  )
  expect((await answer('double', input)).result).toMatchObject({ ok: false, failure: { kind: 'bad_input', field } })
  expect(called).toBe(false)
})

test('if the main process’s answer to a window violates the IPC contract, the app logs a bug, and the window gets only a reference id', async () => {
  const { answer, logged } = setUp({ double }, { double: () => ok({ twice: 'SVCsecret0123456789' }) })
  const { result } = await answer('double', { n: 1 })
  expect(result).toEqual({ ok: false, failure: { kind: 'internal', reference: expect.stringMatching(/^e-[0-9a-f]{8}$/) } })
  expect(JSON.stringify(result)).not.toContain('SVCsecret')
  expect(logged).toMatchObject([{ what: 'double', reference: !result.ok && result.failure.kind === 'internal' && result.failure.reference }])
})

test('the main process’s answer to a window hides the details of a thrown error, unless it is an expected failure', async () => {
  const { answer, logged } = setUp(
    { broken: double, expected: double },
    {
      broken: () => {
        throw new Error('at /home/user/secret-place')
      },
      expected: () => Promise.reject(new ExpectedFailure({ kind: 'journal', issue: 'disk_full' })),
    },
  )
  expect(JSON.stringify(await answer('broken', { n: 1 }))).not.toContain('secret-place')
  expect(logged).toHaveLength(1)
  expect((await answer('expected', { n: 1 })).result).toEqual({ ok: false, failure: { kind: 'journal', issue: 'disk_full' } })
  expect(logged).toHaveLength(1)
})

test('if the main process has no handler for a window’s call, it answers that no profile is open', async () => {
  const { answer } = setUp({ double }, {})
  expect((await answer('double', { n: 1 })).result).toEqual({ ok: false, failure: { kind: 'no_profile' } })
})

test('no IPC call is available to both the main window and the window of the practice phone', () => {
  expect(Object.keys(appContract).filter((name) => Object.hasOwn(phoneContract, name))).toEqual([])
})
