import { expect, test } from 'vitest'
import type { Name } from '../../../shared/ipc/contract.ts'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'
import { createAsking, nextFlow, type SigningFlow, startFlow } from '../../signing/sheet/signing-flow.ts'
import type { Signed } from '../../signing/wallet/sign.ts'
import { isWithPhone } from './sign-in-decision.tsx'
import { signInSigning } from './sign-in-sheet.tsx'

const challenge: ChallengeView = {
  id: 'c1',
  wallet: '0xA',
  message: 'm',
  bytes: 1,
  checks: [],
  passed: 0,
  verdict: 'pass',
  problem: null,
  expiresAtMs: 10,
  issuedAtMs: 0,
}
const request = { method: 'personal_sign', wallet: '0xA', chainId: 8453, message: 'm', expiresAtMs: 10 } as const
const status = { state: 'active', wallet: '0xA', expiresAtMs: 99 } as const

function fakeMain(answers: Partial<Record<Name, unknown>>) {
  const asked: [string, unknown][] = []
  // The cast is needed: the compiler cannot check which answer belongs to which call. Each test provides answers of the right types.
  const call = (async (name: string, input: unknown) => {
    asked.push([name, input])
    return answers[name as Name]
  }) as unknown as IpcCall
  return { call, asked }
}

const clock = { now: () => 1, monotonic: () => 1 }

async function run(answers: Partial<Record<Name, unknown>>, signed: Signed, accept = false) {
  const flows: SigningFlow[] = [startFlow(0, 0)]
  const done: unknown[] = []
  const main = fakeMain(answers)
  const asking = createAsking(signInSigning, challenge, {
    call: main.call,
    clock,
    sign: async (_request, choices) => {
      choices?.onAsked?.('topic', '1')
      return signed
    },
    onDone: (status) => done.push(status),
    dispatch: (event) => flows.push(nextFlow(flows.at(-1) ?? startFlow(0, 0), event)),
  })
  await asking.send(accept)
  return { phase: flows.at(-1)?.phase, asked: main.asked, done, flows, asking }
}

test('the sign-in sheet sends the wallet’s signature to the service, after which the user is signed in', async () => {
  const { flows, asked, done } = await run({ 'session.ask': ok(request), 'session.complete': ok(status) }, ok({ signature: '0xff' }), true)
  expect(flows.map(isWithPhone)).toEqual([false, true, true, true, true])
  expect(flows[2]?.phase).toEqual({ kind: 'waiting', onPhone: false })
  expect(flows[3]?.phase).toEqual({ kind: 'waiting', onPhone: true })
  expect(flows[4]?.times.signedAtMs).toBe(1)
  expect(done).toEqual([status])
  expect(asked).toEqual([
    ['session.ask', { id: 'c1', acceptFormat: true }],
    ['session.complete', { id: 'c1', signature: '0xff' }],
  ])
})

test('the sign-in sheet sends nothing to the wallet when the main process refuses the challenge', async () => {
  const refused = { kind: 'challenge_refused', problem: { code: 'link_elsewhere', link: 'https://evil.example' } } as const
  const { phase, asked, flows } = await run({ 'session.ask': fail(refused) }, ok({ signature: '0xff' }))
  expect(flows.some((flow) => flow.phase.kind === 'waiting')).toBe(false)
  expect(phase).toMatchObject({ kind: 'review', failure: refused })
  expect(asked).toHaveLength(1)
})

test('the sign-in sheet keeps the challenge on screen after the wallet rejects it, so that the user can try again', async () => {
  const { phase, asked, done } = await run({ 'session.ask': ok(request) }, fail({ kind: 'rejected', detail: '' }))
  expect(phase).toEqual({ kind: 'stopped', stop: { kind: 'rejected' }, again: 'send' })
  expect(asked).toHaveLength(1)
  expect(done).toEqual([])
})

test('the sign-in sheet stops with the service’s reason if the service refuses the sign-in', async () => {
  const refused = { kind: 'sign_in_required' } as const
  const { phase } = await run({ 'session.ask': ok(request), 'session.complete': fail(refused) }, ok({ signature: '0xff' }))
  expect(phase).toMatchObject({ kind: 'stopped', stop: { kind: 'refused', failure: refused, signed: true } })
})

test('after the user closes it, the sign-in sheet sends nothing and changes nothing', async () => {
  const { asking, asked, flows } = await run({ 'session.ask': ok(request) }, fail({ kind: 'rejected', detail: '' }))
  await asking.cancel()
  const count = flows.length
  await asking.send(false)
  expect(flows.slice(count).every((flow) => flow.phase.kind === 'stopped')).toBe(true)
  expect(asked.some(([name]) => name === 'session.complete')).toBe(false)
})
