import { expect, test } from 'vitest'
import type { Name } from '../../../shared/ipc/contract.ts'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { DeskCall } from '../../ipc/use-desk.ts'
import type { Signed } from '../../signing/wallet/sign.ts'
import { readChallenge, type Stage, signIn } from './sign-in-flow.ts'

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

/** A main that answers by name and remembers what it was asked. */
function fakeMain(answers: Partial<Record<Name, unknown>>) {
  const asked: [string, unknown][] = []
  // A cast at the boundary: the answers are typed by the tests that give them.
  const call = (async (name: string, input: unknown) => {
    asked.push([name, input])
    return answers[name as Name]
  }) as unknown as DeskCall
  return { call, asked }
}

async function run(answers: Partial<Record<Name, unknown>>, signed: Signed, accept = false) {
  const stages: Stage[] = []
  const main = fakeMain(answers)
  await signIn(
    {
      call: main.call,
      show: (stage) => stages.push(stage),
      sign: async (_request, choices) => {
        choices?.onAsked?.('topic', '1')
        return signed
      },
    },
    challenge,
    accept,
    new AbortController().signal,
  )
  return { stages, asked: main.asked, kinds: stages.map((stage) => stage.kind) }
}

test('brings the signature to the service and ends signed in', async () => {
  const { stages, asked, kinds } = await run({ 'session.ask': ok(request), 'session.complete': ok(status) }, ok({ signature: '0xff' }), true)
  expect(kinds).toEqual(['waiting', 'waiting', 'finishing', 'done'])
  expect(stages[1]).toMatchObject({ asked: true })
  expect(asked).toEqual([
    ['session.ask', { id: 'c1', acceptLayout: true }],
    ['session.complete', { id: 'c1', signature: '0xff' }],
  ])
})

test('asks the wallet nothing when main does not agree', async () => {
  const refused = { kind: 'challenge_refused', problem: { code: 'link_elsewhere', link: 'https://evil.example' } } as const
  const { kinds, stages, asked } = await run({ 'session.ask': fail(refused) }, ok({ signature: '0xff' }))
  expect(kinds).toEqual(['waiting', 'failed'])
  expect(stages.at(-1)).toMatchObject({ failure: refused })
  expect(asked).toHaveLength(1)
})

test('keeps the challenge on screen when the phone says no, so that it can be asked again', async () => {
  const { stages, asked } = await run({ 'session.ask': ok(request) }, fail({ kind: 'rejected', detail: '' }))
  expect(stages.at(-1)).toEqual({ kind: 'unsigned', challenge, why: { kind: 'rejected', detail: '' } })
  expect(asked).toHaveLength(1)
})

test('changes nothing on screen after it was left', async () => {
  const left = new AbortController()
  const stages: Stage[] = []
  const { call } = fakeMain({ 'session.challenge': ok(challenge) })
  const reading = readChallenge({ call, show: (stage) => stages.push(stage) }, left.signal)
  left.abort()
  await reading
  expect(stages).toEqual([{ kind: 'reading' }])
})
