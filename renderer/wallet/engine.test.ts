import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, openCodes, orderSessionEvents, type SessionEvent, withdrawRequest } from './engine.ts'

/** An engine as the library's: it works on everything at once, and looks an event up in the session without waiting for the answer. */
class FakeEngine implements Engine {
  readonly events = new EventEmitter()
  readonly taken: string[] = []
  chains = ['eip155:8453']
  published = Promise.resolve()

  onSessionUpdateRequest = async (_topic: string, payload: unknown) => {
    // A cast at the boundary: what the tests below send.
    const { chains } = payload as { readonly chains: string[] }
    await this.published
    this.chains = chains
    this.taken.push(`session ${chains.join(' ')}`)
  }
  onSessionEventRequest = async (_topic: string, { params }: SessionEvent) => {
    void this.isValidEmit(params)
    this.taken.push(`event ${params.chainId}`)
  }
  isValidEmit = async (event: object) => {
    const chain = 'chainId' in event ? String(event.chainId) : ''
    if (!this.chains.includes(chain)) throw new Error(`emit() chainId: ${chain}`)
  }
}

const changed = (chainId: string, name = 'chainChanged'): SessionEvent => ({ params: { event: { name }, chainId } })

/** Rejections that nobody caught while the test ran. */
function uncaught(): unknown[] {
  const found: unknown[] = []
  const note = (reason: unknown) => found.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return found
}
const everythingRan = () => new Promise((resolve) => setTimeout(resolve))

test('an event waits for the session that came before it, and breaks nothing', async () => {
  const found = uncaught()
  const engine = new FakeEngine()
  const sent = Promise.withResolvers<void>()
  engine.published = sent.promise
  orderSessionEvents(engine)
  const updating = engine.onSessionUpdateRequest('t', { chains: ['eip155:8453', 'eip155:1'] })
  // The session of before would allow this one too: it is about the session that it followed all the same.
  const chosen = engine.onSessionEventRequest('t', changed('eip155:8453', 'accountsChanged'))
  const moved = engine.onSessionEventRequest('t', changed('eip155:1'))
  await everythingRan()
  expect(engine.taken).toEqual([])
  sent.resolve()
  await Promise.all([updating, chosen, moved])
  await everythingRan()
  expect(engine.taken).toEqual(['session eip155:8453 eip155:1', 'event eip155:8453', 'event eip155:1'])
  expect(found).toEqual([])
})

test('an event that comes before its session waits for it, and only the newest of a name is taken', async () => {
  const found = uncaught()
  const engine = new FakeEngine()
  orderSessionEvents(engine)
  await engine.onSessionEventRequest('t', changed('eip155:10'))
  await engine.onSessionEventRequest('t', changed('eip155:1'))
  await engine.onSessionEventRequest('t', changed('eip155:7', 'accountsChanged'))
  expect(engine.taken).toEqual([])
  await engine.onSessionUpdateRequest('t', { chains: ['eip155:8453', 'eip155:1', 'eip155:10'] })
  await everythingRan()
  expect(engine.taken).toEqual(['session eip155:8453 eip155:1 eip155:10', 'event eip155:1'])
  await engine.onSessionUpdateRequest('t', { chains: ['eip155:7'] })
  await everythingRan()
  expect(engine.taken.at(-1)).toBe('event eip155:7')
  expect(found).toEqual([])
})

test('a session that could not be changed holds up no event', async () => {
  const found = uncaught()
  const engine = new FakeEngine()
  orderSessionEvents(engine)
  engine.published = Promise.reject(new Error('not published'))
  const failing = engine.onSessionUpdateRequest('t', { chains: [] })
  await engine.onSessionEventRequest('t', changed('eip155:8453'))
  await expect(failing).rejects.toThrow('not published')
  expect(engine.taken).toEqual(['event eip155:8453'])
  expect(found).toEqual([])
})

test('a withdrawn request ends for the library, and a late answer of the wallet still finds a listener', () => {
  const { events } = new FakeEngine()
  const ends: unknown[] = []
  events.once('session_request:7', ({ error }) => ends.push(error))
  withdrawRequest({ events }, 7)
  expect(ends).toEqual([{ code: 4001, message: 'No longer waited for' }])
  expect(events.listenerCount('session_request:7')).toBe(1)
  events.emit('session_request:7', { result: '0xab' })
  expect(ends).toHaveLength(1)
})

test('every code that was shown is taken back once, also one that the library has forgotten meanwhile', () => {
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
