import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditLogRow } from '../../store/journal/journal.ts'
import { judgeUse, keptDeliveries, readRange, type UseQuestion } from './fleet-walk.ts'

const own = '198.51.100.1'
const bots = '203.0.113.7'
const row = (over: Partial<AuditLogRow>): AuditLogRow => ({
  ...{ id: 'service:1', source: 'service', atMs: 2_000, timed: true, kind: 'call', event: 'key.call', title: 'GET /status', keyId: 'new', label: 'bot 2' },
  ...{ ip: bots, requestId: 'bot-request-1', outcome: 'done', detail: null, origin: 'elsewhere', ...over },
})
const made = row({ id: 'service:0', atMs: 900, kind: 'key_created', event: 'key.created', ip: own, requestId: 'dsk-000000000001', origin: 'here' })
const logged = new Set(['dsk-000000000001', 'dsk-000000000002', 'gateway-call-1'])
const judge = (calls: readonly Partial<AuditLogRow>[], over: Partial<UseQuestion> = {}) =>
  judgeUse({
    ...{ newKeyId: 'new', sinceMs: 1_000, allowed: [bots], calls: calls.map(row), others: [made], madeHere: (id) => logged.has(id) },
    ...{ allowlist: [], isOfGateway: false },
    ...over,
  }).verdict

test('a call of the new key from an allowed address, with a request id that is not the app’s, proves that the bot uses the key', () => {
  expect(judge([{}])).toBe('used')
  expect(judge([{}], { allowed: ['203.0.113.0/24'] })).toBe('used')
  expect(judge([{ ip: '::ffff:203.0.113.7' }])).toBe('used')
})

test.each([
  ['no call', [], 'none'],
  ['a call before the delivery', [{ atMs: 999 }], 'none'],
  ['a call of another key', [{ keyId: 'old' }], 'none'],
  ['a call that the service refused', [{ outcome: 'failed' }], 'none'],
  ['a call of the app', [{ requestId: 'dsk-000000000002', ip: own }], 'none'],
  ['a call of the app from an allowed address', [{ requestId: 'dsk-000000000002' }], 'none'],
  ['a call of a bot of this app’s gateway with an id of its own', [{ requestId: 'gateway-call-1' }], 'none'],
  ['a call of the app that its log lost', [{ requestId: 'dsk-00000000000f', ip: own }], 'none'],
  ['a call of the app that its log lost, from an address of before', [{ requestId: 'dsk-00000000000f', ip: '192.0.2.9' }], 'none'],
  ['a call of any Svc Desk from an allowed address', [{ requestId: 'dsk-00000000000f' }], 'cannot_tell'],
  ['a call from the app’s own address', [{ ip: own }], 'cannot_tell'],
  ['a call without a request id', [{ requestId: null }], 'cannot_tell'],
  ['a call without an address', [{ ip: null }], 'cannot_tell'],
  ['a call without a time', [{ timed: false }], 'cannot_tell'],
  ['a call from an address that is not allowed', [{ ip: '192.0.2.9' }], 'other_address'],
] as const)('%s does not prove that the bot uses the new key', (_, calls, verdict) => {
  expect(judge(calls)).toBe(verdict)
})

test('the app cannot tell the bot’s calls from its own if its log of requests is lost or the service keeps no request ids', () => {
  expect(judge([{}], { madeHere: () => false })).toBe('cannot_tell')
  expect(judge([{}], { others: [{ ...made, requestId: 'service-7' }] })).toBe('cannot_tell')
  expect(judge([{}], { others: [{ ...made, ip: null }] })).toBe('cannot_tell')
  expect(judge([{}], { allowed: [] })).toBe('cannot_tell')
  expect(judge([{}], { allowed: [], allowlist: [bots] })).toBe('used')
  expect(judge([{ ip: own }], { allowed: [own] })).toBe('cannot_tell')
})

test('no call of the app counts as the bot’s, regardless of what else the service’s audit contains', () => {
  const some = <T>(...of: readonly T[]) => fc.constantFrom(...of)
  const call = fc.record({
    ip: some(own, bots, '192.0.2.9', null),
    requestId: some('dsk-000000000002', 'dsk-00000000000f', 'gateway-call-1'),
    atMs: some(999, 1_000, 5_000),
    outcome: some('done' as const, 'failed' as const),
  })
  fc.assert(
    fc.property(fc.array(call), fc.boolean(), (calls, isCut) => {
      // Only a bot of the gateway makes a call with an id of its own, and only while it has the key.
      const isOfGateway = calls.some(({ requestId }) => requestId === 'gateway-call-1')
      const madeHere = (id: string) => id === 'dsk-000000000001'
      return judge(calls, { isOfGateway, ...(isCut && { madeHere }) }) !== 'used'
    }),
  )
})

test('the addresses of a plan never widen those of the key', () => {
  expect(judge([{}], { allowed: ['203.0.113.0/24'], allowlist: ['203.0.113.8'] })).toBe('other_address')
  expect(judge([{ ip: '203.0.113.8' }], { allowed: ['203.0.113.0/24'], allowlist: ['203.0.113.8'] })).toBe('used')
  expect(judge([{ ip: '203.0.113.8' }], { allowed: [bots], allowlist: ['203.0.113.0/24'] })).toBe('other_address')
})

test('a call proves nothing while a bot of this app’s gateway has the new key, and the user decides', () => {
  expect(judge([{}], { isOfGateway: true })).toBe('cannot_tell')
})

test('an address of a plan is one address or a range, and nothing else', () => {
  for (const text of ['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32']) expect(readRange(text), text).not.toBeNull()
  for (const text of ['', 'host', '203.0.113.7/33', '203.0.113', '203.0.113.7/', '203.0.113.7/-1', '0x7f.1']) expect(readRange(text), text).toBeNull()
})

test('of many attempts the last ones are kept, and of each key and outcome the last one', () => {
  const delivery = (newKeyId: string, outcome: 'failed' | 'unknown' | 'missing', startedAtMs: number) =>
    ({ ...{ newKeyId, outcome, startedAtMs, endedAtMs: null }, ...{ exitCode: null, signal: null, output: '' } }) as const
  const early = [delivery('a', 'failed', 1), delivery('a', 'unknown', 2), delivery('b', 'failed', 3), delivery('b', 'failed', 4)]
  const late = Array.from({ length: 20 }, (_, at) => delivery('b', 'missing', 10 + at))
  expect(keptDeliveries([...early, ...late]).map(({ startedAtMs }) => startedAtMs)).toEqual([1, 2, 4, ...late.map(({ startedAtMs }) => startedAtMs)])
  expect(keptDeliveries(early)).toEqual(early)
})
