import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, hearRequest, heedChecks, openCodes, type SessionMessage, withdrawRequest } from './engine.ts'

/** A fake of WalletConnect's engine. Like the real engine, it handles a message without waiting for the validation of that message. */
class FakeEngine implements Engine {
  readonly events = new EventEmitter()
  readonly taken: string[] = []
  readonly sessions = new Map([['t', ['eip155:8453']]])

  isValidUpdate = async (params: object) => this.checkPairing(params)
  isValidExtend = async (params: object) => this.checkPairing(params)
  isValidPing = async (params: object) => this.checkPairing(params)
  isValidDisconnect = async (params: object) => this.checkPairing(params)
  isValidEmit = async (params: object) => {
    this.checkPairing(params)
    const { topic, chainId } = params as { readonly topic: string; readonly chainId: string }
    if (this.sessions.get(topic)?.includes(chainId) !== true) throw new Error(`emit() chainId: ${chainId}`)
  }

  onSessionUpdateRequest = async (topic: string, { params }: SessionMessage) => {
    void this.isValidUpdate({ ...params, topic })
    // The casts here and above are safe: the tests below send only these parameters.
    const { chains } = params as { readonly chains: string[] }
    this.sessions.set(topic, chains)
    this.taken.push(`session ${chains.join(' ')}`)
  }
  onSessionExtendRequest = async (topic: string, _message: SessionMessage) => {
    void this.isValidExtend({ topic })
    this.taken.push('extend')
  }
  onSessionPingRequest = async (topic: string, _message: SessionMessage) => {
    void this.isValidPing({ topic })
    this.taken.push('ping')
  }
  onSessionDeleteRequest = async (topic: string, _message: SessionMessage) => {
    void this.isValidDisconnect({ topic })
    this.sessions.delete(topic)
    this.taken.push('delete')
  }
  onSessionEventRequest = async (topic: string, { params }: SessionMessage) => {
    void this.isValidEmit({ ...params, topic })
    this.taken.push(`event ${'chainId' in params ? params.chainId : ''}`)
  }

  private checkPairing(params: object): void {
    const topic = 'topic' in params ? String(params.topic) : ''
    if (!this.sessions.has(topic)) throw new Error(`Record was recently deleted - session: ${topic}`)
  }
}

const event = (chainId: string, name = 'chainChanged') => ({ params: { event: { name }, chainId } })
const session = (...chains: string[]) => ({ params: { chains } })
const empty = { params: {} }

function uncaught(): () => Promise<unknown[]> {
  const found: unknown[] = []
  const note = (reason: unknown) => found.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return found
  }
}

test('the app accepts messages from the wallet that an existing WalletConnect session allows', async () => {
  const found = uncaught()
  const engine = new FakeEngine()
  heedChecks(engine)
  await engine.onSessionPingRequest('t', empty)
  await engine.onSessionExtendRequest('t', empty)
  await engine.onSessionEventRequest('t', event('eip155:8453'))
  await engine.onSessionUpdateRequest('t', session('eip155:1'))
  await engine.onSessionDeleteRequest('t', empty)
  expect(engine.taken).toEqual(['ping', 'extend', 'event eip155:8453', 'session eip155:1', 'delete'])
  expect(await found()).toEqual([])
})

test('the app ignores messages from the wallet after the wallet disconnected', async () => {
  const found = uncaught()
  const engine = new FakeEngine()
  heedChecks(engine)
  await engine.onSessionDeleteRequest('t', empty)
  await engine.onSessionUpdateRequest('t', session('eip155:1'))
  await engine.onSessionEventRequest('t', event('eip155:1'))
  await engine.onSessionPingRequest('t', empty)
  await engine.onSessionExtendRequest('t', empty)
  await engine.onSessionDeleteRequest('t', empty)
  expect(engine.taken).toEqual(['delete'])
  expect(engine.sessions.size).toBe(0)
  expect(await found()).toEqual([])
})

test('the app queues a wallet event until its WalletConnect session allows the event’s chain, and keeps only the newest event of each name', async () => {
  const found = uncaught()
  const engine = new FakeEngine()
  heedChecks(engine)
  await engine.onSessionEventRequest('t', event('eip155:10'))
  await engine.onSessionEventRequest('t', event('eip155:1'))
  await engine.onSessionEventRequest('t', event('eip155:7', 'accountsChanged'))
  expect(engine.taken).toEqual([])
  await engine.onSessionUpdateRequest('t', session('eip155:8453', 'eip155:1', 'eip155:10'))
  expect(engine.taken).toEqual(['session eip155:8453 eip155:1 eip155:10', 'event eip155:1'])
  await engine.onSessionUpdateRequest('t', session('eip155:7'))
  expect(engine.taken.at(-1)).toBe('event eip155:7')
  expect(await found()).toEqual([])
})

test('the app refuses a wallet message that names another WalletConnect session than the session that delivered it', async () => {
  const engine = new FakeEngine()
  engine.sessions.set('other', ['eip155:8453'])
  engine.sessions.delete('t')
  heedChecks(engine)
  const elsewhere = { ...event('eip155:8453').params, topic: 'other' }
  await engine.onSessionEventRequest('t', { params: elsewhere })
  expect(engine.taken).toEqual([])
})

test('the app ends a withdrawn wallet request in the WalletConnect library, and reports a later result as a late answer', () => {
  const { events } = new FakeEngine()
  const ends: unknown[] = []
  events.once('session_request:7', ({ error }) => ends.push(error))
  const late: unknown[] = []
  withdrawRequest({ events }, 7, (answer) => late.push(answer))
  expect(ends).toEqual([{ code: 4001, message: 'The app no longer waits for this request' }])
  expect(events.listenerCount('session_request:7')).toBe(1)
  events.emit('session_request:7', { result: '0xab' })
  expect(ends).toHaveLength(1)
  expect(late).toEqual(['0xab'])
  withdrawRequest({ events }, 8, (answer) => late.push(answer))
  events.emit('session_request:8', { error: { code: 5000, message: 'no' } })
  expect(late).toEqual(['0xab'])
})

test('the app notices a wallet request once, as soon as the WalletConnect library records it, and ignores other messages', () => {
  const messages = new EventEmitter()
  const told: unknown[] = []
  const stop = hearRequest(messages, (sent) => told.push(sent))
  const write = (id: number, method: string, params: unknown) => messages.emit('history_created', { id, topic: 't', request: { method, params } })
  write(1, 'wc_sessionPing', {})
  write(2, 'wc_sessionRequest', { chainId: 'eip155:8453' })
  expect(told).toEqual([])
  write(3, 'wc_sessionRequest', { chainId: 'eip155:8453', request: { method: 'eth_sendTransaction', params: [] } })
  write(4, 'wc_sessionRequest', { chainId: 'eip155:8453', request: { method: 'personal_sign', params: [] } })
  expect(told).toEqual([{ topic: 't', id: 3, method: 'eth_sendTransaction' }])
  expect(messages.listenerCount('history_created')).toBe(0)
  stop()
})

test('the app withdraws every pairing code that was on screen exactly once, even if the WalletConnect library has already dropped the code', () => {
  const events = new EventEmitter()
  const expired: number[] = []
  events.on('proposal_expire', ({ id }) => expired.push(id))
  let known = [{ id: 1 }]
  const codes = openCodes({ proposal: { getAll: () => known }, events })
  codes.note()
  known = [{ id: 2 }]
  codes.note()
  known = []
  codes.withdraw()
  codes.withdraw()
  expect(expired).toEqual([1, 2])
})
