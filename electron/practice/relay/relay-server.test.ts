import { once } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Claims, createIdentity, type Identity, openRelayClient, type RelayClient } from '../../../e2e/support/practice/relay-client.ts'
import { minute, systemClock } from '../../../shared/time.ts'
import { createPracticeClock, type PracticeClock } from '../base/practice-clock.ts'
import { type Relay, startRelay } from './relay-server.ts'

const patience = { timeout: 8_000 }

const phone = createIdentity()
const app = createIdentity()
let clock: PracticeClock
let relay: Relay

beforeEach(async () => {
  clock = createPracticeClock(systemClock)
  relay = await startRelay({ clock, peerClock: systemClock })
  relay.admitWallet(phone.id)
})
afterEach(() => relay.stop())

async function open(identity: Identity, options?: { confirms: boolean }): Promise<RelayClient> {
  const client = await openRelayClient(relay.url, identity, options)
  onTestFinished(() => client.close())
  return client
}

const settled = (client: RelayClient) => client.call('irn_unsubscribe', { topic: 'none' })

test('the practice relay listens on loopback only', () => {
  expect(relay.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/)
})

test('the practice relay accepts a client that signed a valid token for it, regardless of the project id that the client names', async () => {
  const client = await open(app)
  expect(await client.subscribe('topic')).toMatchObject({ result: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

const now = () => Math.floor(Date.now() / 1_000)
const broken: [string, (claims: Claims) => string, RegExp][] = [
  ['no token', () => '', /malformed/],
  ['a token of another issuer', (claims) => app.token(claims).replace(/[^.]*$/, phone.token(claims).split('.')[2] ?? ''), /wrong signature/],
  ['a token for another relay', () => app.token({ aud: 'wss://relay.walletconnect.org' }), /another relay/],
  ['an expired token', ({ aud }) => app.token({ aud, iat: now() - 100, exp: now() - 10 }), /expired/],
]
test.for(broken)('the practice relay refuses %s with close code 3000', async ([_name, token, reason]) => {
  const socket = new WebSocket(`${relay.url}/?auth=${token({ aud: relay.url })}&projectId=any`)
  const [code, why] = await once(socket, 'close')
  expect(code).toBe(3000)
  expect(String(why)).toMatch(reason)
})

test('the practice relay delivers messages exactly once to a client that was disconnected when the messages were published', async () => {
  const sender = await open(app)
  await sender.publish('topic', 'one')
  await sender.publish('topic', 'two')
  await sender.publish('topic', 'two')
  const receiver = await open(phone)
  await receiver.subscribe('topic')
  await expect.poll(() => receiver.got, patience).toEqual(['one', 'two'])
  await receiver.close()
  const again = await open(phone)
  await again.subscribe('topic')
  await sender.publish('topic', 'three')
  await expect.poll(() => again.got, patience).toEqual(['three'])
})

test('the practice relay delivers a message again on the client’s next connection if the client did not confirm the message', async () => {
  const sender = await open(app)
  const silent = await open(phone, { confirms: false })
  await silent.subscribe('topic')
  await sender.publish('topic', 'one')
  await expect.poll(() => silent.got, patience).toEqual(['one'])
  relay.dropSockets()
  await expect.poll(() => silent.socket.readyState, patience).toBe(WebSocket.CLOSED)
  const next = await open(phone)
  await next.subscribe('topic')
  await expect.poll(() => next.got, patience).toEqual(['one'])
})

test('the practice relay drops a message when its lifetime ends', async () => {
  const sender = await open(app)
  await sender.publish('topic', 'short', 60)
  await sender.publish('topic', 'long', 600)
  clock.advance(2 * minute)
  const receiver = await open(phone)
  expect(await receiver.call('irn_fetchMessages', { topic: 'topic' })).toMatchObject({ result: { messages: [{ message: 'long', tag: 1108 }], hasMore: false } })
})

test('while a test holds messages back, the practice relay delivers none; after the release, it delivers all of them', async () => {
  const sender = await open(app)
  const receiver = await open(phone)
  await receiver.subscribe('topic')
  relay.hold(true)
  await sender.publish('topic', 'one')
  await settled(receiver)
  expect(receiver.got).toEqual([])
  relay.hold(false)
  await expect.poll(() => receiver.got, patience).toEqual(['one'])
})

test('the practice relay restarts at the same address after a shutdown, and still has its undelivered messages', async () => {
  const { url } = relay
  const sender = await open(app)
  await sender.publish('topic', 'one')
  await relay.setUp(false)
  await expect.poll(() => sender.socket.readyState, patience).toBe(WebSocket.CLOSED)
  await expect(open(phone)).rejects.toThrow(/ECONNREFUSED/)
  await relay.setUp(true)
  expect(relay.url).toBe(url)
  const receiver = await open(phone)
  await receiver.subscribe('topic')
  await expect.poll(() => receiver.got, patience).toEqual(['one'])
})

test('the practice relay subscribes the callers of wc_proposeSession and wc_approveSession to the topics that those calls name', async () => {
  const proposer = await open(app)
  const wallet = await open(phone)
  await wallet.subscribe('pairing')
  await proposer.call('wc_proposeSession', { pairingTopic: 'pairing', sessionProposal: 'proposal' })
  await expect.poll(() => wallet.got, patience).toEqual(['proposal'])
  await proposer.subscribe('session')
  const approval = { pairingTopic: 'pairing', sessionTopic: 'session', sessionProposalResponse: 'response', sessionSettlementRequest: 'settlement' }
  expect(await wallet.call('wc_approveSession', approval)).toMatchObject({ result: true })
  await expect.poll(() => proposer.got, patience).toEqual(['response', 'settlement'])
  await proposer.publish('session', 'request')
  await expect.poll(() => wallet.got, patience).toEqual(['proposal', 'request'])
})

test('the practice relay passes messages only to or from the practice wallet, and none between two other clients', async () => {
  const foreign = await open(createIdentity())
  const proposer = await open(app)
  await foreign.subscribe('topic')
  await proposer.subscribe('topic')
  await proposer.publish('topic', 'proposal')
  await foreign.publish('topic', 'settlement')
  const wallet = await open(phone)
  await wallet.subscribe('topic')
  await expect.poll(() => wallet.got, patience).toEqual(['proposal', 'settlement'])
  await Promise.all([settled(foreign), settled(proposer)])
  expect([foreign.got, proposer.got]).toEqual([[], []])
  expect(await foreign.call('irn_fetchMessages', { topic: 'topic' })).toMatchObject({ result: { messages: [] } })
  const approval = { pairingTopic: 'topic', sessionTopic: 'session', sessionProposalResponse: 'response', sessionSettlementRequest: 'settlement' }
  expect(await foreign.call('wc_approveSession', approval)).toMatchObject({ error: { message: 'Practice pairs only its own wallet' } })
})

test('the practice relay answers an unknown method with an error', async () => {
  const client = await open(app)
  expect(await client.call('irn_unknown', {})).toMatchObject({ error: { code: -32601 } })
})

test('the practice relay pings each client at least every 34 s, because clients drop a connection after 35 s without a ping', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const pinging = await startRelay({ clock, peerClock: systemClock })
  onTestFinished(() => pinging.stop())
  const client = await openRelayClient(pinging.url, app)
  onTestFinished(() => client.close())
  const pinged = once(client.socket, 'ping')
  vi.advanceTimersByTime(34_000)
  await pinged
})
