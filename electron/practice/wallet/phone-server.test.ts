import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Dapp, startDapp } from '../../../e2e/support/practice/dapp.ts'
import { PhoneAnswer } from '../../../shared/practice.ts'
import { systemClock } from '../../../shared/time.ts'
import type { LoopbackServer } from '../base/loopback-server.ts'
import { createPracticeClock } from '../base/practice-clock.ts'
import { servePhone } from '../practice.ts'
import { type Relay, startRelay } from '../relay/relay-server.ts'
import { type Phone, type PhoneOptions, startPhone, walletKeys } from './phone.ts'

const patience = { timeout: 8_000 }

const token = 'a-token-of-the-test'
const clock = createPracticeClock(systemClock)
let balance = 5_000_000_000n
let newBlock: (head: bigint) => void = () => {}
const chain: PhoneOptions['chain'] = {
  rpcUrl: 'http://127.0.0.1:9',
  usdc: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  svc: '0x4B1c000000000000000000000000000000000083',
  router: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  usdcOf: async () => balance,
  onBlock: (listener) => {
    newBlock = listener
    return () => {}
  },
}
let relay: Relay
let phone: Phone
let server: LoopbackServer
let dapp: Dapp

const call = (method: string, path: string, { body, auth = `Bearer ${token}` }: { body?: unknown; auth?: string } = {}) =>
  fetch(`${server.url}${path}`, { method, headers: { authorization: auth }, ...(body !== undefined && { body: JSON.stringify(body) }) })

const state = async (since?: number): Promise<PhoneAnswer> =>
  PhoneAnswer.parse(await (await call('GET', `/state${since === undefined ? '' : `?since=${since}`}`)).json())

async function shown(): Promise<PhoneAnswer['state']['requests'][number]> {
  let answer = await state()
  while (answer.state.requests.length === 0) answer = await state(answer.revision)
  const [request] = answer.state.requests
  if (request === undefined) throw new Error('There is a request')
  return request
}

beforeAll(async () => {
  relay = await startRelay({ clock, peerClock: systemClock })
  phone = await startPhone({ clock, peerClock: systemClock, chain, relay, dataDir: null, keys: walletKeys(null), marketOf: () => null })
  server = await servePhone(phone, token)
  dapp = await startDapp(relay.url)
})
afterAll(async () => {
  await dapp.stop()
  await server.stop()
  await phone.stop()
  await relay.stop()
})

test('a program can pair, approve and reject through the practice phone’s HTTP interface', async () => {
  const { uri, connected } = await dapp.connect()
  expect((await call('POST', '/pair', { body: { uri } })).status).toBe(200)
  const pairing = await shown()
  expect(pairing.kind).toBe('pairing')
  const approved = await call('POST', `/requests/${pairing.id}/approve`)
  expect([approved.status, await approved.json()]).toEqual([200, {}])
  expect(await connected).toEqual([phone.address])

  const signature = dapp.request('personal_sign', ['0x2a', phone.address])
  await call('POST', `/requests/${(await shown()).id}/approve`)
  expect(await recoverMessageAddress({ message: { raw: '0x2a' }, signature: (await signature) as `0x${string}` })).toBe(phone.address)

  const refused = dapp.request('personal_sign', ['0x2b', phone.address])
  refused.catch(() => undefined)
  const { id } = await shown()
  expect((await call('POST', `/requests/${id}/reject`)).status).toBe(200)
  await expect(refused).rejects.toMatchObject({ code: 5000 })
  expect((await call('POST', `/requests/${id}/approve`)).status).toBe(410)
})

test('the practice phone’s HTTP interface returns its state at once, but waits for the next change if the caller already knows the current revision', async () => {
  const first = await state()
  expect(first.state).toMatchObject({ address: phone.address, chainId: 8453, usdc: '5000', relay: 'up' })
  let answered = false
  const next = state(first.revision).then((answer) => {
    answered = true
    return answer
  })
  expect((await state(first.revision - 1)).revision).toBe(first.revision)
  expect(answered).toBe(false)
  balance = 4_999_500_000n
  newBlock(2n)
  expect((await next).state.usdc).toBe('4999.5')
  expect((await next).revision).toBe(first.revision + 1)
})

test('the practice phone’s HTTP interface requires its access token, and sends no CORS header to web pages', async () => {
  for (const auth of ['', 'Bearer ', `Bearer ${token}x`, `Basic ${token}`, `bearer ${token}`]) expect((await call('GET', '/state', { auth })).status).toBe(401)
  const answer = await fetch(`${server.url}/state`, { headers: { authorization: `Bearer ${token}`, origin: 'https://evil.invalid' } })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  const preflight = await fetch(`${server.url}/pair`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.invalid', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(401)
})

test('the practice phone’s HTTP interface refuses unknown routes, unknown requests and invalid input', async () => {
  expect((await call('GET', '/')).status).toBe(404)
  expect((await call('GET', '/requests/1/approve')).status).toBe(404)
  expect((await call('POST', '/requests/unknown/approve')).status).toBe(410)
  expect((await call('POST', '/pair', { body: { uri: 'https://evil.invalid' } })).status).toBe(400)
  expect((await call('POST', '/pair', { body: { uri: 'x'.repeat(70_000) } })).status).toBe(400)
})

test('the practice phone’s HTTP interface stops waiting for a state change when the caller disconnects', async () => {
  let waiting = 0
  const onChange: Phone['onChange'] = (listener) => {
    waiting += 1
    const stop = phone.onChange(listener)
    return () => {
      waiting -= 1
      stop()
    }
  }
  const watched = await servePhone({ ...phone, onChange }, token)
  onTestFinished(() => watched.stop())
  const caller = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const answer = fetch(`${watched.url}/state?since=${phone.revision()}`, { headers, signal: caller.signal })
  answer.catch(() => undefined)
  await expect.poll(() => waiting, patience).toBe(1)
  caller.abort()
  await expect.poll(() => waiting, patience).toBe(0)
})
