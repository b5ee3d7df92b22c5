import { expect, onTestFinished, test, vi } from 'vitest'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { Clock } from '../../../shared/time.ts'
import { createSign, type RequestingProvider, type Signed } from './sign.ts'
import type { WalletStatus } from './wallet-state.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const wallet = { address, chainId: 8453, peerName: 'Phone', topic: 't' }
const connected: WalletStatus = { kind: 'connected', wallet }
const clock = { now: () => 1_000_000, monotonic: () => 0 }
const message: SignRequest = { method: 'personal_sign', wallet: address, chainId: 8453, message: 'Grüße\n', expiresAtMs: 1_000_000 + 120_000 }
const typed: SignRequest = { method: 'eth_signTypedData_v4', wallet: address, chainId: 8453, typedData: '{"a": 1}', expiresAtMs: 1_000_000 + 900_000 }

type Sent = { readonly topic: string; readonly id: number; readonly method: string }

function phone(answer: () => Promise<unknown>, methods = ['personal_sign', 'eth_signTypedData_v4'], leaves: Promise<unknown> | null = null) {
  const withdrawn: number[] = []
  const late: ((answer: unknown) => void)[] = []
  const asked: { readonly method: string; readonly params: readonly unknown[]; readonly expiry: number }[] = []
  let sent: ((sent: Sent) => void) | null = null
  let gone: (() => void) | null = null
  const provider: RequestingProvider = {
    session: { topic: 't', peer: { metadata: { name: 'Phone' } }, namespaces: { eip155: { accounts: [`eip155:8453:${address}`], methods } } },
    request: (request, expiry) => {
      asked.push({ ...request, expiry })
      const leave = () => sent?.({ topic: 't', id: 7, method: request.method })
      if (leaves === null) leave()
      else void leaves.then(leave)
      return answer()
    },
    withdraw: (id, onLate) => {
      withdrawn.push(id)
      late.push(onLate)
    },
    onSent: (listener) => {
      sent = listener
      return () => {
        sent = null
      }
    },
    onGone: (listener) => {
      gone = listener
      return () => {
        gone = null
      }
    },
  }
  return { provider, asked, withdrawn, late, hangUp: () => gone?.(), listening: () => sent !== null || gone !== null }
}

function signer(end: ReturnType<typeof phone>, status: WalletStatus = connected, reachable = true, by: Clock = clock) {
  return createSign({ provider: end.provider, status: () => status, relay: { reach: async () => reachable }, clock: by })
}

const silent = () => new Promise<never>(() => undefined)

test('the app sends the wallet a message’s exact UTF-8 bytes, and unchanged typed data, for the requested account [AUTH-06]', async () => {
  const end = phone(async () => '0xab')
  const sign = signer(end)
  expect(await sign(message)).toEqual({ ok: true, value: { signature: '0xab' } })
  await sign(typed)
  expect(end.asked).toEqual([
    { method: 'personal_sign', params: ['0x4772c3bcc39f650a', address], expiry: 300 },
    { method: 'eth_signTypedData_v4', params: [address, '{"a": 1}'], expiry: 900 },
  ])
})

test('the app reports the ids of a wallet request once it has sent the request, and then stops listening for further requests', async () => {
  const end = phone(async () => '0xab')
  const ids: string[] = []
  await signer(end)(message, { onAsked: (topic, id) => ids.push(`${topic}/${id}`) })
  expect(ids).toEqual(['t/7'])
  expect(end.listening()).toBe(false)
})

test('the app sends no wallet request if the wallet is missing, uses another chain or account, or lacks the required method', async () => {
  const end = phone(async () => '0xab', ['personal_sign'])
  const cases: readonly [WalletStatus, SignRequest, string][] = [
    [{ kind: 'wrong_chain', wallet: { ...wallet, chainId: 1 }, expected: 8453 }, message, 'wrong_chain'],
    [{ kind: 'connected', wallet: { ...wallet, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } }, message, 'wrong_account'],
    [connected, typed, 'failed'],
    [{ kind: 'idle', ended: 'by_wallet' }, message, 'disconnected'],
    [connected, { ...message, expiresAtMs: 1_000_000 }, 'expired'],
  ]
  for (const [status, request, kind] of cases) expect(await signer(end, status)(request)).toMatchObject({ ok: false, failure: { kind } })
  expect(end.asked).toEqual([])
})

test('the app sends the wallet no request while the relay is unreachable, because the request could reach the phone late', async () => {
  const end = phone(async () => '0xab')
  expect(await signer(end, connected, false)(message)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
  expect(end.asked).toEqual([])
})

test('the app stops waiting for the phone’s answer at the deadline, even after a clock change or sleep', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let now = 1_000_000
  const moving = { now: () => now, monotonic: () => 0 }
  const answers: Signed[] = []
  void signer(phone(silent), connected, true, moving)({ ...message, expiresAtMs: now + 120_000 }).then((answer) => answers.push(answer))
  now += 119_000
  await vi.advanceTimersByTimeAsync(5_000)
  expect(answers).toEqual([])
  now += 1_000
  await vi.advanceTimersByTimeAsync(1_000)
  expect(answers).toMatchObject([{ ok: false, failure: { kind: 'expired' } }])
  expect(vi.getTimerCount()).toBe(0)
})

test('the app stops waiting for the phone when the user leaves the signing sheet or the wallet disconnects', async () => {
  const left = new AbortController()
  const waiting = signer(phone(silent))(message, { signal: left.signal })
  left.abort()
  expect(await waiting).toMatchObject({ ok: false, failure: { kind: 'failed' } })

  const end = phone(silent)
  const ending = signer(end)(message, { onAsked: () => end.hangUp() })
  expect(await ending).toMatchObject({ ok: false, failure: { kind: 'disconnected' } })
})

test('the app withdraws only the wallet requests that it gave up, including one that was still being sent at that moment', async () => {
  const left = new AbortController()
  const end = phone(silent)
  const waiting = signer(end)(message, { signal: left.signal, onAsked: () => left.abort() })
  expect(await waiting).toMatchObject({ ok: false })
  expect(end.withdrawn).toEqual([7])

  const leaves = Promise.withResolvers<null>()
  const slow = phone(silent, undefined, leaves.promise)
  const asked: string[] = []
  const given = new AbortController()
  const giving = signer(slow)(message, { signal: given.signal, onAsked: (_topic, id) => asked.push(id) })
  await expect.poll(() => slow.asked.length).toBe(1)
  given.abort()
  expect(await giving).toMatchObject({ ok: false })
  expect(slow.withdrawn).toEqual([])
  leaves.resolve(null)
  await expect.poll(() => slow.withdrawn).toEqual([7])
  expect(asked).toEqual([])

  const signed = phone(async () => '0xab')
  expect(await signer(signed)(message)).toMatchObject({ ok: true })
  expect(signed.withdrawn).toEqual([])
})

test('the app reports a wallet’s late answer only if the answer has a valid format', async () => {
  const left = new AbortController()
  const end = phone(silent)
  const late: string[] = []
  const waiting = signer(end)(message, { signal: left.signal, onAsked: () => left.abort(), onLate: (signature) => late.push(signature) })
  expect(await waiting).toMatchObject({ ok: false })
  end.late[0]?.('yes')
  end.late[0]?.('0xab')
  expect(late).toEqual(['0xab'])
})

test('the app sends no wallet request to an account that the open profile does not accept', async () => {
  const end = phone(async () => '0xab')
  const refused: WalletStatus = { kind: 'refused', wallet: { address, chainId: 8453, peerName: 'Phone', topic: 't' }, expected: '0xA' }
  expect(await signer(end, refused)(message)).toMatchObject({ ok: false, failure: { kind: 'wrong_account' } })
  expect(end.asked).toEqual([])
})

test('the app refuses an invalid signature from the wallet', async () => {
  for (const answer of [null, '', 'yes', '0x', { signature: '0xab' }]) {
    expect(await signer(phone(async () => answer))(message)).toMatchObject({ ok: false, failure: { kind: 'failed' } })
  }
})

const transaction: SignRequest = {
  method: 'eth_sendTransaction',
  wallet: address,
  chainId: 8453,
  transaction: { from: address, to: '0x8ba1f109551bD432803012645Ac136ddd64DBA72', data: '0x095ea7b3', value: '0x0' },
  expiresAtMs: 1_000_000 + 180_000,
}

test('the app requests a transaction exactly as the main process prepared it, without gas or nonce, and returns the transaction’s hash [FLOW-03]', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const end = phone(async () => hash, ['eth_sendTransaction'])
  expect(await signer(end)(transaction)).toEqual({ ok: true, value: { signature: hash } })
  expect(end.asked).toEqual([{ method: 'eth_sendTransaction', params: [transaction.transaction], expiry: 300 }])
})

test('the app accepts only a transaction hash as the wallet’s answer to a transaction request', async () => {
  for (const answer of [`0x${'ab'.repeat(65)}`, '0xab', 'sent', null]) {
    const end = phone(async () => answer, ['eth_sendTransaction'])
    expect(await signer(end)(transaction)).toMatchObject({ ok: false, failure: { kind: 'failed', detail: expect.stringMatching(/no transaction hash/) } })
  }
})
