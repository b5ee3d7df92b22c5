import { expect, test } from 'vitest'
import { eventNames } from '../../../shared/webhooks/events.ts'
import { judge } from './corrections.ts'
import { type Captured, type ExpectedEvent, type Mark, marksIn } from './expected.ts'
import { createExplainedEvents } from './explained-events.ts'

const t0 = 1_800_000_000_000
const hash = `0x${'ab'.repeat(32)}`
const about = { title: null, symbol: 'BTC-PERP', side: 'long', size: null, unit: null, txHash: hash, orderId: 'ord_000001', intentRef: null }
const byHash: readonly Mark[] = [{ kind: 'transaction', value: hash }]
const expectedOf = (key: string, marks = byHash): ExpectedEvent => {
  const types = eventNames.filter((name) => key.startsWith(`${name}/`))
  return { ...{ key, types, fromMs: t0, toMs: t0, marks, doubt: null, vague: false }, about }
}
const event = (id: string, type: string, data: unknown, change: Partial<Captured> = {}): Captured => ({
  ...{ id, type, atMs: t0, isRevoked: false, isCorrection: false, revokedId: null },
  ...marksIn(data),
  ...change,
})
const filled = event('evt_f', 'order.filled', { tx_hash: hash })
const changed = event('evt_p', 'position.changed', { tx_hash: hash })
const both = [filled, changed]
const trade = [expectedOf('order.filled/T1'), expectedOf('position.changed/T1')]

/** Returns a function that simulates readings of the history, 100 s apart. A bot made all the trades, so the app's journal contains none of them. */
function readings() {
  const explained = createExplainedEvents()
  let [count, atMs] = [0, t0]
  return (expected: readonly ExpectedEvent[], captured: readonly Captured[] = both, { of = 'wallet', sinceMs = t0 - 1_000 } = {}) => {
    count += 1
    atMs = t0 + count * 100_000
    const revoked = new Set(captured.map(({ revokedId }) => revokedId))
    const known = captured.map((one) => ({ ...one, isRevoked: revoked.has(one.id) }))
    const { rows, extra, overtaken } = judge({
      ...{ expected, takenBack: [], captured: known, nowMs: atMs, isSubscribed: () => true },
      ...{ listened: [{ fromMs: t0 - 60_000, toMs: atMs }], subscribedMs: null, keptFromMs: null, eventsUnknown: false, isDisabled: false },
      goneSince: (found) =>
        explained.look({ of, expected, found, captured: new Set(captured.map(({ id }) => id)), sinceMs, askedMs: atMs, readMs: atMs + 2_000 }),
    })
    const corrections = rows.filter(({ takesBack }) => takesBack !== null)
    return {
      told: corrections.map(({ expected: { types }, takesBack, result, eventId }) => [types.join(), takesBack?.id, result, eventId]),
      times: corrections.map(({ expected: { fromMs, toMs } }) => [(fromMs - t0) / 1_000, (toMs - t0) / 1_000]),
      extra: extra.map(({ id }) => id),
      overtaken: [...overtaken],
    }
  }
}

test('the gap check counts an event as undone if its history row disappears between two readings, whichever client traded [HOOK-07]', () => {
  const read = readings()
  expect(read(trade)).toMatchObject({ told: [], extra: [] })
  const gone = read([])
  expect(gone.told).toEqual([
    ['chain.reorg', 'evt_f', 'due', null],
    ['chain.reorg', 'evt_p', 'due', null],
  ])
  expect(gone.extra).toEqual([])
  expect(gone.times[0]).toEqual([100, 202])
  const correction = event('evt_r', 'chain.reorg', {}, { isCorrection: true, revokedId: 'evt_f' })
  const later = read([], [...both, correction])
  expect(later.told).toEqual([
    ['chain.reorg', 'evt_f', 'captured', 'evt_r'],
    ['chain.reorg', 'evt_p', 'missing', null],
  ])
  expect(later.times[0]).toEqual([100, 202])
  // The trade's history row has returned, for example because the service's history lagged. So its events still count as valid.
  expect(read(trade)).toMatchObject({ told: [], extra: [] })
})

test('the gap check counts no event as undone if its row returns in a new block, predates the readings, or is another wallet’s [HOOK-07]', () => {
  const again = readings()
  again(trade)
  expect(again([expectedOf('order.filled/T2'), expectedOf('position.changed/T2')])).toMatchObject({ told: [], extra: [] })
  const part = readings()
  const partly = event('evt_f', 'order.partially_filled', { tx_hash: hash })
  part([expectedOf('order.partially_filled/T1')], [partly])
  expect(part([expectedOf('order.filled/T1')], [partly])).toMatchObject({ told: [], extra: ['evt_f'] })
  const older = readings()
  older(trade)
  expect(older([], both, { sinceMs: t0 + 1 }).told).toEqual([])
  // The service limits its history, so old rows may leave it. No reorganisation reaches that far back.
  const old = readings()
  for (let readAlready = 0; readAlready < 3_600; readAlready += 100) old(trade)
  old(trade)
  expect(old([])).toMatchObject({ told: [], extra: ['evt_f', 'evt_p'] })
  const other = readings()
  other(trade)
  expect(other([], both, { of: 'another' }).told).toEqual([])
  expect(other(trade, both, { of: 'wallet' }).told).toEqual([])
  // This event has no identifiers and was matched by time alone. It may be about something else, so it doesn't count as undone.
  const counted = readings()
  const nameless = [event('evt_f', 'order.filled', {})]
  expect(counted([expectedOf('order.filled/T1')], nameless).extra).toEqual([])
  expect(counted([], nameless)).toMatchObject({ told: [], extra: ['evt_f'] })
})

test('if the history rows of the app’s own intent disappear, the app reports that the intent’s timeline is outdated [FLOW-06]', () => {
  const read = readings()
  const own = trade.map((one) => ({ ...one, about: { ...about, intentRef: 'in_1' } }))
  expect(read(own).overtaken).toEqual([])
  expect(read([]).overtaken).toEqual(['in_1'])
})
