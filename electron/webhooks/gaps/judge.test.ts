import { array, assert, boolean, constantFrom, integer, property, record, shuffledSubarray } from 'fast-check'
import { expect, test } from 'vitest'
import { judge } from './corrections.ts'
import { type Captured, dataOf, type ExpectedEvent, type Mark, marksIn } from './expected.ts'
import { graceMs, merged, type Span } from './explained-events.ts'

const t0 = 1_800_000_000_000
const nowMs = t0 + 10 * 3_600_000
const allTime: readonly Span[] = [{ fromMs: t0 - 3_600_000, toMs: nowMs }]
const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

const about = { title: null, symbol: null, side: null, size: null, unit: null, txHash: null, orderId: null, intentRef: null }
const expectedAt = (key: string, atMs: number, marks: readonly Mark[], change: Partial<ExpectedEvent> = {}): ExpectedEvent => ({
  ...{ key, types: ['order.filled'], fromMs: atMs, toMs: atMs, marks, doubt: null, vague: false, about },
  ...change,
})
const sentAt = (id: string, atMs: number, data: unknown, change: Partial<Captured> = {}): Captured => ({
  ...{ id, type: 'order.filled', atMs: Math.floor(atMs / 1_000) * 1_000, isRevoked: false, isCorrection: false, revokedId: null },
  ...marksIn(data),
  ...change,
})
const judged = (expected: readonly ExpectedEvent[], captured: readonly Captured[], change: Partial<Parameters<typeof judge>[0]> = {}) =>
  judge({
    ...{ expected, captured, listened: allTime, nowMs, subscribedMs: null, keptFromMs: null, eventsUnknown: false, isDisabled: false },
    ...{ takenBack: [], goneSince: () => [], isSubscribed: () => true },
    ...change,
  })
const missing = (of: ReturnType<typeof judge>) => of.rows.filter(({ result }) => result === 'missing').map(({ expected }) => expected.key)

interface Fill {
  readonly order: number
  readonly says: 'hash' | 'both' | 'order'
  readonly isDropped: boolean
  readonly times: number
}

const fills = array(
  record<Fill>({ order: integer({ min: 0, max: 8 }), says: constantFrom('hash', 'both', 'order'), isDropped: boolean(), times: integer({ min: 1, max: 3 }) }),
  { maxLength: 40 },
)

test('the gap check reports exactly as many events missing as the service dropped, in any arrival order of the other events [HOOK-07] [HOOK-08]', () => {
  assert(
    property(
      fills.chain((all) => shuffledSubarray([...all.keys()], { minLength: all.length }).map((order) => ({ all, order }))),
      ({ all, order }) => {
        const atMs = (n: number) => t0 + n * 600_000
        const expected = all.map((fill, n) =>
          expectedAt(`fill ${n}`, atMs(n), [
            { kind: 'transaction', value: hashOf(n).toUpperCase().replace('0X', '0x') },
            { kind: 'order', value: `order-${fill.order}` },
          ]),
        )
        const captured = order.flatMap((n) => {
          const fill = all[n]
          if (fill === undefined || fill.isDropped) return []
          const [hash, id] = [{ deep: [{ transactionHash: hashOf(n) }] }, { order: { ref: `ORDER-${fill.order}` } }]
          // The service may deliver an event twice, but the lab counts duplicates once. So the test delivers each event once.
          return [sentAt(`evt_${n}`, atMs(n) + 3_000, { hash, both: { ...hash, ...id }, order: id }[fill.says])]
        })
        const result = judged(expected, captured)
        const [dropped, kept] = [all.filter(({ isDropped }) => isDropped), all.filter(({ isDropped }) => !isDropped)]
        // If every event names its transaction, the check reports exactly the events that the test dropped as missing.
        expect(missing(result)).toHaveLength(dropped.length)
        expect(result.rows.filter((one) => one.result === 'captured')).toHaveLength(kept.length)
        expect(result.extra).toEqual([])
        if (all.every(({ says }) => says !== 'order')) expect(missing(result)).toEqual(all.flatMap(({ isDropped }, n) => (isDropped ? [`fill ${n}`] : [])))
      },
    ),
  )
})

test('the gap check matches events without ids to history rows by type and time, and marks them as matched only by count [HOOK-07]', () => {
  assert(
    property(array(boolean(), { maxLength: 30 }), (dropped) => {
      const atMs = (n: number) => t0 + n * 600_000
      const expected = dropped.map((_, n) => expectedAt(`fill ${n}`, atMs(n), [{ kind: 'transaction', value: hashOf(n) }]))
      const captured = dropped.flatMap((isDropped, n) => (isDropped ? [] : [sentAt(`evt_${n}`, atMs(n) + 2_000, { price: '100.5', pair_id: n })])).toReversed()
      const result = judged(expected, captured)
      expect(missing(result)).toEqual(dropped.flatMap((isDropped, n) => (isDropped ? [`fill ${n}`] : [])))
      expect(result.rows.filter(({ by }) => by === 'count')).toHaveLength(captured.length)
    }),
  )
})

test('the gap check calls an event missing only if the lab listened long enough; otherwise the gap check says why it cannot tell [HOOK-08]', () => {
  const span = record({ fromMs: integer({ min: t0, max: nowMs }), length: integer({ min: 1, max: 3_600_000 }) })
  assert(
    property(array(span, { maxLength: 6 }), array(integer({ min: t0, max: nowMs }), { maxLength: 20 }), (given, times) => {
      const listened = given.map(({ fromMs, length }) => ({ fromMs, toMs: Math.min(nowMs, fromMs + length) }))
      const { rows } = judged(
        times.map((atMs, n) => expectedAt(`fill ${n}`, atMs, [{ kind: 'transaction', value: hashOf(n) }])),
        [],
        { listened },
      )
      for (const { expected, result, why } of rows) {
        const throughout = (toMs: number) => merged(listened).some((one) => one.fromMs <= expected.fromMs && toMs <= one.toMs)
        const untilMs = expected.toMs + graceMs
        expect([result, why]).toEqual(
          untilMs > nowMs && throughout(nowMs) ? ['due', null] : throughout(untilMs) ? ['missing', null] : ['unjudged', 'not_listened'],
        )
      }
    }),
  )
  expect(
    merged([
      { fromMs: 5, toMs: 9 },
      { fromMs: 0, toMs: 3 },
      { fromMs: 3, toMs: 4 },
      { fromMs: 6, toMs: 7 },
    ]),
  ).toEqual([
    { fromMs: 0, toMs: 4 },
    { fromMs: 5, toMs: 9 },
  ])
})

test('the gap check calls an event missing only after the time for four delivery attempts, the pauses between them, and indexing [HOOK-08]', () => {
  expect(graceMs).toBe(60_000)
  const one = [expectedAt('fill', nowMs - 59_000, [{ kind: 'order', value: 'order-1' }])]
  expect(judged(one, []).rows).toMatchObject([{ result: 'due', dueMs: nowMs + 1_000 }])
  expect(judged(one, [], { nowMs: nowMs + 1_000, listened: [{ fromMs: t0, toMs: nowMs + 1_000 }] }).rows).toMatchObject([{ result: 'missing', dueMs: null }])
})

test('the gap check ignores an event that a correction took back, counts the event that replaces it, and lists no correction as extra [HOOK-07]', () => {
  const marks: Mark[] = [{ kind: 'transaction', value: hashOf(7) }]
  const one = expectedAt('final', t0, marks, { types: ['transaction.confirmed'] })
  const final = [one]
  const told = (id: string, change: Partial<Captured> = {}) => sentAt(id, t0, { tx_hash: hashOf(7) }, { type: 'transaction.confirmed', ...change })
  const pending = told('evt_3', { type: 'transaction.pending', isCorrection: true })
  expect(judged(final, [told('evt_1', { isRevoked: true }), pending])).toMatchObject({ rows: [{ result: 'missing', revokedId: 'evt_1' }], extra: [] })
  expect(judged(final, [told('evt_1', { isRevoked: true }), pending, told('evt_2')]).rows).toMatchObject([{ result: 'captured', eventId: 'evt_2' }])
  const revoking = { ...pending, revokedId: 'evt_1' }
  const by = (seenMs: number) => judged([{ ...one, seenMs }], [told('evt_1', { isRevoked: true }), revoking]).rows[0]
  expect(by(t0 - 5_000)).toMatchObject({ result: 'unjudged', why: 'taken_back', revokedId: 'evt_1' })
  expect(by(t0 + 5_000)).toMatchObject({ result: 'missing', revokedId: 'evt_1' })
  expect(judged([], [told('evt_1', { isRevoked: true }), pending])).toMatchObject({ rows: [], extra: [] })
})

test('the gap check says why it cannot call an event missing, marks late events as captured, and lists unexpected events as extra', () => {
  const marks: Mark[] = [{ kind: 'order', value: '12' }]
  const one = (change: Partial<ExpectedEvent>) => [expectedAt('fill', t0, marks, change)]
  const why = (change: Partial<ExpectedEvent>, input: Parameters<typeof judged>[2] = {}) => judged(one(change), [], input).rows[0]?.why ?? null
  expect(why({ doubt: 'not_reported' })).toBe('not_reported')
  expect(why({ doubt: 'elsewhere' })).toBe('elsewhere')
  expect(why({}, { subscribedMs: t0 + 1 })).toBe('before_subscription')
  expect(why({}, { keptFromMs: t0 + 1 })).toBe('made_room')
  expect(why({}, { eventsUnknown: true })).toBe('events_not_said')
  expect(why({}, { isDisabled: true })).toBe('disabled')
  expect(why({ toMs: t0 + 60_000 }, { listened: [{ fromMs: t0 + 1_000, toMs: nowMs }] })).toBe('time_unknown')
  expect(judged(one({ vague: true }), []).rows).toEqual([])
  // A short number is often equal by chance, so it matches only if the name of its field fits too.
  const came = judged(one({ doubt: 'not_reported' }), [sentAt('evt_1', t0, { pair_id: 12 }), sentAt('evt_2', t0 + 900_000, { pair_id: 3, order_id: 12 })])
  expect(came).toMatchObject({ rows: [{ result: 'captured', eventId: 'evt_2', by: 'order' }], extra: [{ id: 'evt_1' }] })
})

test('the gap check matches a fill’s event by its transaction, and does not match position changes that are far apart in time', () => {
  const both = [1, 2].map((n) =>
    expectedAt(`fill ${n}`, t0 + n * 1_000, [
      { kind: 'transaction', value: hashOf(n) },
      { kind: 'order', value: 'order-1' },
    ]),
  )
  expect(missing(judged(both, [sentAt('evt_2', t0, { tx_hash: hashOf(2), order_id: 'order-1' })]))).toEqual(['fill 1'])
  const changed = [expectedAt('change', t0, [{ kind: 'position', value: 'position-1' }])]
  expect(missing(judged(changed, [sentAt('evt_1', t0 + 1_800_000, { position_id: 'position-1' })]))).toEqual(['change'])
  expect(missing(judged(changed, [sentAt('evt_1', t0 + 2_000, { position_id: 'position-1' })]))).toEqual([])
})

test('the gap check compares large numbers in events with all digits, without rounding', () => {
  const body = Buffer.from('{"id":"evt_1","data":{"order_id":90071992547409931234}}')
  expect(marksIn(dataOf(body)).terms).toContain('90071992547409931234')
  expect(dataOf(Buffer.from('no JSON'))).toBeNull()
})

test('the gap check quickly matches ten thousand events with ten thousand history rows', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => n)
  const expected = many.map((n) =>
    expectedAt(`change ${n}`, t0 + n * 1_000, [
      { kind: 'transaction', value: hashOf(n) },
      { kind: 'position', value: `position-${n % 3}` },
    ]),
  )
  const captured = many.filter((n) => n % 100 !== 0).map((n) => sentAt(`evt_${n}`, t0 + n * 1_000, { tx_hash: hashOf(n), position_id: `position-${n % 3}` }))
  const from = performance.now()
  expect(missing(judged(expected, captured))).toHaveLength(100)
  // The limit is far above the usual time, so that the test also passes on slow machines.
  expect(performance.now() - from).toBeLessThan(20_000)
})
