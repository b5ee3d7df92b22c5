import { expect, test } from 'vitest'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Signed } from '../wallet/sign.ts'
import { createAsking, nextFlow, type SigningEvent, type SigningFlow, type SigningKind, startFlow } from './signing-flow.ts'

const intent = (state: Intent['state'], updatedAtMs: number, confirmations: number | null = null): Intent => ({
  ref: 'r1',
  intentId: 'dx_1',
  action: 'open_position',
  wallet: '0x7A3f000000000000000000000000000000000c91',
  title: { code: 'open', side: 'long', orderType: 'market', orderValueUsdc: '250', price: null, symbol: null },
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  way: null,
  state,
  reason: null,
  commandId: null,
  txHash: null,
  confirmations,
  finality: null,
  createdAtMs: 0,
  updatedAtMs,
  deadlineMs: null,
  unsentSignature: false,
})

const play = (...events: SigningEvent[]): SigningFlow => events.reduce(nextFlow, startFlow(1, 2))

test('the signing sheet keeps the time at which each step was first reached, even if later updates arrive', () => {
  const flow = play(
    { type: 'sending' },
    { type: 'asked', atMs: 2, onPhone: true },
    { type: 'signed', atMs: 3 },
    { type: 'followed', intent: intent('SUBMITTED', 4) },
    { type: 'followed', intent: intent('CONFIRMING', 5, 3) },
    { type: 'followed', intent: intent('FINAL', 6, 8) },
    { type: 'followed', intent: intent('FINAL', 9, 9) },
  )
  expect(flow.phase).toMatchObject({ kind: 'followed', intent: { state: 'FINAL' } })
  expect(flow.times).toEqual({ preparedAtMs: 1, askedAtMs: 2, signedAtMs: 3, afterMs: [4, 6] })
})

test('the signing sheet keeps the comparison on screen if the main process requires another confirmation before it asks the wallet [FLOW-02]', () => {
  const flow = play({ type: 'sending' }, { type: 'ask_failed', failure: { kind: 'confirmation_required', what: 'layout', expected: 'sign this layout' } })
  expect(flow.phase).toMatchObject({ kind: 'review', busy: false, failure: { what: 'layout' } })
})

test('after the deadline passes, the signing sheet offers to prepare the order again instead of sending the expired request again [ORD-12]', () => {
  const flow = play({ type: 'sending' }, { type: 'ask_failed', failure: { kind: 'expired', what: 'intent', atMs: 5 } })
  expect(flow.phase).toEqual({ kind: 'stopped', stop: { kind: 'too_late' }, again: 'prepare' })
})

test('the signing sheet accepts the wallet’s approval of an earlier request after that request expired in the wallet', () => {
  const flow = play(
    { type: 'asked', atMs: 2, onPhone: true },
    { type: 'stopped', stop: { kind: 'request_expired' }, again: 'send' },
    { type: 'signed', atMs: 7 },
  )
  expect(flow.phase.kind).toBe('waiting')
  expect(flow.times.signedAtMs).toBe(7)
})

test('the signing sheet shows a final intent as in progress again when the chain drops the intent’s block [FLOW-06]', () => {
  const flow = play({ type: 'followed', intent: intent('FINAL', 6, 8) }, { type: 'followed', intent: intent('CONFIRMING', 7, 1) })
  expect(flow.phase).toMatchObject({ kind: 'followed', intent: { state: 'CONFIRMING' } })
  expect(flow.times.afterMs[1]).toBeNull()
})

test('the signing sheet ignores a wallet rejection that arrives after the relay accepted the signature', () => {
  const flow = play({ type: 'followed', intent: intent('SUBMITTED', 4) }, { type: 'stopped', stop: { kind: 'rejected' }, again: 'send' })
  expect(flow.phase.kind).toBe('followed')
})

type Kind = SigningKind<null, string>

const request: SignRequest = { method: 'eth_signTypedData_v4', wallet: '0x7A3f', chainId: 8453, typedData: '{}', expiresAtMs: 1_000 }
const confirmation = { typedPhrase: null, typedRouter: null }
const signature = ok({ signature: '0x01' })

function table(overrides: Partial<Kind> = {}) {
  const events: SigningEvent[] = []
  const calls: string[] = []
  const answers: ((answer: Signed) => void)[] = []
  const late: ((signature: string) => void)[] = []
  let now = 0
  const kind: Kind = {
    stepsAfter: 2,
    preparedAtMs: () => 0,
    ask: async () => ok(request),
    asked: (_call, _subject, topic, id) => calls.push(`asked ${topic} ${id}`),
    answered: async (_call, _subject, given): Promise<Result<string, Failure>> => {
      calls.push(`signed ${given}`)
      return ok('submitted')
    },
    declined: async (_call, _subject, why) => {
      calls.push(`declined ${why}`)
      return 'send'
    },
    ...overrides,
  }
  const asking = createAsking(kind, null, {
    call: () => Promise.reject(new Error('not part of this')),
    sign: (_, { onAsked = () => {}, onLate = () => {} } = {}) =>
      new Promise((resolve) => {
        late.push(onLate)
        onAsked('topic', String(answers.length))
        answers.push(resolve)
      }),
    onDone: (value) => calls.push(`done ${value}`),
    dispatch: (event) => events.push(event),
    clock: { now: () => now, monotonic: () => now },
  })
  const at = (ms: number) => {
    now = ms
  }
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  return { asking, events, calls, answers, late, settle, at }
}

test('the signing sheet submits only one signature, even when the user approves two requests for one order [FLOW-07]', async () => {
  const { asking, calls, answers, settle } = table()
  void asking.send(confirmation)
  await settle()
  void asking.send(confirmation)
  await settle()
  answers[0]?.(signature)
  await settle()
  answers[1]?.(ok({ signature: '0x02' }))
  await settle()
  expect(calls.filter((call) => call.startsWith('signed'))).toEqual(['signed 0x01'])
  expect(calls).toContain('done submitted')
})

test('after “Send again”, the signing sheet keeps waiting for the second request, even if the user rejects the first on the phone', async () => {
  const { asking, calls, events, answers, settle } = table()
  void asking.send(confirmation)
  await settle()
  void asking.send(confirmation)
  await settle()
  answers[0]?.(fail({ kind: 'rejected', detail: '' }))
  await settle()
  expect(events.some((event) => event.type === 'stopped')).toBe(false)
  expect(calls.some((call) => call.startsWith('declined'))).toBe(false)
})

test('the signing sheet sends nothing to the wallet when the main process refuses the order [GEN-06]', async () => {
  const { asking, answers, events, settle } = table({
    ask: async () => fail({ kind: 'signing_refused', why: { code: 'blocked', by: { code: 'not_the_order' } } }),
  })
  void asking.send(confirmation)
  await settle()
  expect(answers).toHaveLength(0)
  expect(events.at(-1)).toMatchObject({ type: 'ask_failed' })
})

test('the signing sheet reports a withdrawn wallet request to the main process once, and ignores a late approval of the request', async () => {
  const { asking, calls, answers, settle } = table()
  void asking.send(confirmation)
  await settle()
  await asking.cancel()
  await asking.cancel()
  answers[0]?.(signature)
  await settle()
  expect(calls).toEqual(['asked topic 0', 'declined cancelled'])
})

test('when a new wallet request replaces one, the signing sheet does not report the replaced request as cancelled, and ignores its approval [ORD-02]', async () => {
  const { asking, calls, answers, settle } = table()
  void asking.send(confirmation)
  await settle()
  asking.replace()
  answers[0]?.(signature)
  await settle()
  await asking.cancel()
  expect(calls).toEqual(['asked topic 0'])
})

test('the signing sheet lets the user prepare the order again if the wallet request expires after the order’s deadline [ORD-12]', async () => {
  const { asking, events, answers, settle, at } = table()
  void asking.send(confirmation)
  await settle()
  at(1_000)
  answers[0]?.(fail({ kind: 'expired', detail: '' }))
  await settle()
  expect(events.at(-1)).toEqual({ type: 'stopped', stop: { kind: 'too_late' }, again: 'prepare' })
})

const tooLate: Failure = { kind: 'expired', what: 'signature', atMs: 1_000 }

test('the signing sheet passes a late signature to the main process, and shows the user that the signature was not used [ORD-12]', async () => {
  const { asking, events, answers, late, settle, at } = table({ answered: async () => fail(tooLate) })
  void asking.send(confirmation)
  await settle()
  at(2_000)
  answers[0]?.(fail({ kind: 'expired', detail: '' }))
  await settle()
  late[0]?.('0x01')
  await settle()
  expect(events.at(-1)).toEqual({ type: 'stopped', stop: { kind: 'late_answer', atMs: 2_000, answer: '0x01' }, again: 'prepare' })
})

test('the signing sheet ignores a signature for a withdrawn request before the deadline, and passes a later signature to the main process', async () => {
  const { asking, calls, late, settle, at } = table()
  void asking.send(confirmation)
  await settle()
  await asking.cancel()
  late[0]?.('0x01')
  await settle()
  expect(calls).toEqual(['asked topic 0', 'declined cancelled'])
  at(2_000)
  late[0]?.('0x01')
  await settle()
  expect(calls.slice(2)).toEqual(['signed 0x01'])
})

test('the signing sheet reports a sent transaction to the main process even if its hash arrives late, and follows the transaction', async () => {
  const transaction = { from: '0x7A3f', to: '0x01', data: '0x', value: '0x0' } as const
  const { asking, calls, answers, late, settle } = table({ ask: async () => ok({ ...request, method: 'eth_sendTransaction', transaction }) })
  void asking.send(confirmation)
  await settle()
  answers[0]?.(fail({ kind: 'disconnected', detail: '' }))
  await settle()
  late[0]?.('0x02')
  await settle()
  expect(calls.slice(1)).toEqual(['declined failed', 'signed 0x02', 'done submitted'])
})

test('the signing sheet refuses a signature by another account, and lets the user send the request again', async () => {
  const { asking, events, answers, settle } = table({ answered: async () => fail({ kind: 'signature_invalid', expected: '0x7A3f', recovered: '0x1111' }) })
  void asking.send(confirmation)
  await settle()
  answers[0]?.(signature)
  await settle()
  expect(events.at(-1)).toMatchObject({ type: 'stopped', stop: { kind: 'refused', signed: true }, again: 'send' })
})
