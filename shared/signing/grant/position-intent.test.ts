import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  closeAtLimit,
  closeFormat,
  closePosition,
  closeTicket,
  invertFormat,
  invertPosition,
  invertTicket,
  limitCloseTicket,
  position,
  positionExpectation,
} from '../../../e2e/support/fixtures/position-intent.ts'
import { type Alteration, inDomain, nowMs, otherWallet, type RawTypedData, read, router, says, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../../e2e/support/spoken-comparison.ts'
import type { CloseTicket } from '../../ipc/intents/tickets.ts'
import { preparedBody } from '../../ticket/actions/action-payload.ts'
import { comparePayload } from '../message/payload.ts'
import { closeFills, compareClose, compareInvert, type PositionExpectation } from './position-intent.ts'

const none: Alteration = () => {}
const altered = (data: RawTypedData, change: Alteration) => {
  change(data)
  return read(data)
}
const close = (change: Alteration = none, expectation: Partial<PositionExpectation<CloseTicket>> = {}) =>
  spokenResult(compareClose(altered(closePosition(), change), positionExpectation<CloseTicket>(closeTicket, expectation)))
const limit = (change: Alteration = none, expectation: Partial<PositionExpectation<CloseTicket>> = {}) =>
  spokenResult(compareClose(altered(closeAtLimit(), change), positionExpectation<CloseTicket>(limitCloseTicket, expectation)))
const invert = (change: Alteration = none) => spokenResult(compareInvert(altered(invertPosition(), change), positionExpectation(invertTicket)))
const rows = ({ comparison }: ReturnType<typeof close>) =>
  comparison.lines
    .filter(({ group }) => group === 'order')
    .map(({ label, asked, signed, unit, field, verdict }) => [label, asked, signed, unit, field, verdict])

test('the app accepts a market close whose message matches the request, and shows one line per value of the message [FLOW-01] [FLOW-02]', () => {
  const result = close()
  expect([result.comparison.verdict, result.comparison.sentence]).toEqual(['pass', null])
  expect(result.pin).toMatchObject({ ...closeFormat(), format: { variants: ['market'] } })
  expect(rows(result)).toEqual([
    ['Position', 'pos_1204', 'pos_1204', null, 'positionId', 'match'],
    ['Market', 'BTC-PERP', 'BTC-PERP, market 1', null, 'pairId', 'match'],
    ['Type', 'Market', 'Market', null, 'orderType', 'match'],
    ['Size', '0.1', '0.1', 'BTC', 'size', 'match'],
    ['Reference price', '96,412.5', '96,412.5', null, 'referencePrice', 'match'],
    ['Max slippage', 'At most 0.50 %', 'At most 0.50 %', null, 'maxSlippageBps', 'match'],
    ['Time in force', 'Immediate or cancel', 'Immediate or cancel', null, 'timeInForce', 'match'],
    ['Order ID', 'desk-8f31c2', 'desk-8f31c2', null, 'clientOrderId', 'match'],
    ['Not used', 'Nothing', 'Nothing', null, 'limitPrice, postOnly', 'match'],
  ])
})

test('the app accepts a limit close and a position’s inversion whose messages match the requests [FLOW-01] [FLOW-02]', () => {
  expect(limit().comparison.verdict).toBe('pass')
  expect(rows(limit()).slice(4)).toEqual([
    ['Limit price', '97,000.0', '97,000.0', null, 'limitPrice', 'match'],
    ['Time in force', 'Good till cancelled', 'Good till cancelled', null, 'timeInForce', 'match'],
    ['Post only', 'Yes', 'Yes', null, 'postOnly', 'match'],
    ['Order ID', 'desk-8f31c2', 'desk-8f31c2', null, 'clientOrderId', 'match'],
    ['Not used', 'Nothing', 'Nothing', null, 'referencePrice, maxSlippageBps', 'match'],
  ])
  const result = invert()
  expect(result.comparison.verdict).toBe('pass')
  expect(result.pin).toMatchObject({ ...invertFormat(), format: { variants: ['market'] } })
  expect(rows(result).map(([label]) => label)).toEqual(['Position', 'Market', 'Reference price', 'Max slippage', 'Order ID'])
})

test('the app recognises a close’s slippage by its value under an unknown field name, and accepts a later close with a higher requested slippage [FLOW-02]', () => {
  const under =
    (name: string, type: string, value: string): Alteration =>
    (data) => {
      data.types.ClosePosition = data.types.ClosePosition?.map((field) => (field.name === 'maxSlippageBps' ? { name, type } : field)) ?? []
      data.message = Object.fromEntries(Object.entries(data.message).map(([key, said]) => (key === 'maxSlippageBps' ? [name, value] : [key, said])))
    }
  const whole = { ...closeTicket, maxSlippageBps: 100 }
  for (const [name, type, half, one] of [
    ['allowedSlippageBps', 'uint16', '50', '100'],
    ['toleratedSlippageE18', 'uint256', `5${'0'.repeat(15)}`, `1${'0'.repeat(16)}`],
  ] as const) {
    const first = close(under(name, type, half), { formats: [] })
    expect([first.comparison.asks, first.comparison.verdict]).toEqual([null, 'pass'])
    expect(close(under(name, type, one), { formats: [first.pin], ticket: whole }).comparison.verdict).toBe('pass')
    expect(close(under(name, type, one), { formats: [first.pin] }).comparison.verdict).toBe('block')
  }
  // A field name with "slippage" is not enough: the value must also equal the requested slippage.
  expect(close(under('slippageModel', 'uint8', '1'), { formats: [] }).comparison.asks).toMatchObject({ kind: 'exit_extra', field: 'slippageModel' })
})

const named =
  (type: string, value: unknown): Alteration =>
  (data) => {
    data.types.ClosePosition = data.types.ClosePosition?.map((field) => (field.name === 'positionId' ? { name: 'positionId', type } : field)) ?? []
    data.message.positionId = value
  }
const counted = { ticket: { ...closeTicket, position: { ...position, positionId: '90003' } } }

test.each([
  ['uint256', '90003'],
  ['uint256', 90_003],
  ['uint64', '0x15f93'],
  ['bytes32', `0x${'15f93'.padStart(64, '0')}`],
  ['bytes32', `0x${'3930303033'.padEnd(64, '0')}`],
  ['string', '90003'],
  ['string', '0x15F93'],
] as const)('the comparison accepts %s %s in a message as the position 90003, and not as position 90004 [FLOW-02]', (type, value) => {
  const lineOf = (ticket: typeof counted) => close(named(type, value), ticket).comparison.lines.find(({ id }) => id === 'positionId')?.verdict
  expect(lineOf(counted)).toBe('match')
  expect(lineOf({ ticket: { ...closeTicket, position: { ...position, positionId: '90004' } } })).toBe('differ')
})

const later = String(nowMs / 1_000 + 7_200)
const shared: readonly (readonly [string, Alteration, RegExp])[] = [
  ['trader', says({ trader: otherWallet }), /^The prepared message is for the wallet 0x1111.*Yours is 0x7A3F/],
  ['positionId', says({ positionId: 'pos_1205' }), /^The prepared message has another position: pos_1205\. You asked for pos_1204\.$/],
  ['pairId', says({ pairId: '2' }), /^The prepared message has another market: Market 2\. You asked for BTC-PERP\.$/],
  ['clientOrderId', says({ clientOrderId: 'desk-8f31c3' }), /^The prepared message has another order id: desk-8f31c3\. You asked for desk-8f31c2\.$/],
  ['deadline', says({ deadline: later }), /^The prepared message is valid until 16:32:08 UTC, for 2 h\./],
  ['deadline over', says({ deadline: '1' }), /expired\. The limit is: At most 5 min\.$/],
  ['domain.name', inDomain({ name: 'Other' }), /^The prepared message is for Other, version 1\./],
  ['domain.version', inDomain({ version: '2' }), /^The prepared message is for SvcDEX, version 2\./],
  ['domain.chainId', inDomain({ chainId: 1 }), /^The prepared message is for another chain: Chain 1\./],
  [
    'domain.verifyingContract',
    inDomain({ verifyingContract: otherWallet }),
    /^The prepared message is for the contract 0x1111.*The router you trust is 0x4b1c/,
  ],
]
const atMarket: readonly (readonly [string, Alteration, RegExp])[] = [
  ['referencePrice', says({ referencePrice: '9641250000001' }), /another reference price: 96,412\.50000001\. You asked for 96,412\.5\.$/],
  ['maxSlippageBps', says({ maxSlippageBps: '1000' }), /another max slippage: At most 10\.00 %\. You asked for At most 0\.50 %\.$/],
]

test.each([
  ...shared,
  ...atMarket,
  ['orderType', says({ orderType: 'limit' }), /has another type: Limit\. You asked for Market\.$/],
  ['size', says({ size: '100000000' }), /another size: 1 BTC\. You asked for 0\.1 BTC\.$/],
  ['size of nothing', says({ size: '0' }), /another size: 0 BTC\. You asked for 0\.1 BTC\.$/],
  ['limitPrice', says({ limitPrice: '9641250000000' }), /sets the limit price to 96,412\.5\. You asked for none\.$/],
  ['timeInForce', says({ timeInForce: 'gtc' }), /has another time in force: Good till cancelled\. You asked for Immediate or cancel\.$/],
  ['postOnly', says({ postOnly: true }), /has another post only: Yes\. You asked for No\.$/],
] as const)('the comparison blocks a close at market whose message has another %s, and names that field [FLOW-02]', (_field, change, sentence) => {
  // Changing the domain creates a new signing format with an unknown scale. With one decimal for sizes, 0.1 can be read only at one scale, so the
  // size itself raises no question.
  const { comparison } = close(change, { sizeDecimals: 1 })
  expect(comparison.verdict).toBe('block')
  expect(comparison.sentence).toMatch(sentence)
})

test.each([
  ...shared,
  ['orderType', says({ orderType: 'market' }), /has another type: Market\. You asked for Limit\.$/],
  ['size', says({ size: '1' }), /another size: 0\.00000001 BTC\. You asked for 0\.1 BTC\.$/],
  ['limitPrice', says({ limitPrice: '970000000000' }), /another limit price: 9,700\.0\. You asked for 97,000\.0\.$/],
  ['referencePrice', says({ referencePrice: '9641250000000' }), /sets the reference price to 96,412\.5\. You asked for none\.$/],
  ['maxSlippageBps', says({ maxSlippageBps: '50' }), /sets the max slippage to 50\. You asked for none\.$/],
  ['timeInForce', says({ timeInForce: 'ioc' }), /has another time in force: Immediate or cancel\. You asked for Good till cancelled\.$/],
  ['postOnly', says({ postOnly: false }), /has another post only: No\. You asked for Yes\.$/],
] as const)('the comparison blocks a close at a limit whose message has another %s, and names that field [FLOW-02]', (_field, change, sentence) => {
  const { comparison } = limit(change, { sizeDecimals: 1 })
  expect(comparison.verdict).toBe('block')
  expect(comparison.sentence).toMatch(sentence)
})

test.each([...shared, ...atMarket])(
  'the comparison blocks an inversion whose message has another %s than requested, and names the field [FLOW-02]',
  (_field, change, sentence) => {
    const { comparison } = invert(change)
    expect(comparison.verdict).toBe('block')
    expect(comparison.sentence).toMatch(sentence)
  },
)

test('the tests in this file change every field of the messages for closing and inverting a position [FLOW-02]', () => {
  const named = new Set([...shared.map(([field]) => field), ...atMarket.map(([field]) => field), 'orderType', 'size', 'limitPrice', 'timeInForce', 'postOnly'])
  const fields = [...(closePosition().types.ClosePosition ?? []), ...(invertPosition().types.InvertPosition ?? [])].map(({ name }) => name)
  // The nonce is left out, because every new nonce is valid. Another test covers a nonce that was already signed.
  expect(fields.filter((name) => !named.has(name) && name !== 'nonce')).toEqual([])
})

test('the app refuses the message of a close with a nonce that was already signed [FLOW-02]', () => {
  const { comparison } = close(none, { nonceUsed: (nonce) => nonce === '1205' })
  expect([comparison.verdict, comparison.sentence]).toEqual(['block', 'The prepared message has a nonce that was signed before: 1205.'])
})

test('the app refuses a close message with another size than requested, at every scale, also in a new signing format [FLOW-02]', () => {
  const scales = [0n, 2n, 4n, 6n, 8n, 9n, 10n, 12n, 18n, 24n, 27n, 30n]
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (units) => {
      fc.pre(!scales.some((scale) => scale > 0n && units === 10n ** (scale - 1n)))
      expect(close(says({ size: units.toString() }), { formats: [] }).comparison.verdict).toBe('block')
    }),
  )
})

const all = (change: Alteration, shown: string | null = position.size, expectation: Partial<PositionExpectation<CloseTicket>> = {}) =>
  close(change, { ticket: { ...closeTicket, size: null, position: { ...position, size: shown } }, ...expectation })

test('the app accepts 0, the shown size, or the shown size with more decimals in the message that closes a whole position [FLOW-02]', () => {
  for (const size of ['0', '25930000', '25930999']) expect([size, all(says({ size })).comparison.verdict]).toEqual([size, 'pass'])
  expect(all(says({ size: '25930999' })).comparison.lines.find(({ id }) => id === 'size')).toMatchObject({ asked: '0.2593', signed: '0.25930999', unit: 'BTC' })
  for (const size of ['25929999', '25940000', '1']) expect([size, all(says({ size })).comparison.verdict]).toEqual([size, 'block'])
  expect(all(says({ size: '25940000' })).comparison.sentence).toBe('The prepared message has another size: 0.2594 BTC. You asked for 0.2593 BTC.')
  const first = all(says({ size: '25930999' }), position.size, { formats: [] })
  // The signed size is larger than the shown size, but still closes the whole position. A larger size does not reveal the number of decimals (scale)
  // of sizes in this format.
  expect([first.comparison.verdict, first.comparison.unmatched, first.pin.sizeScale]).toEqual(['pass', [], null])
  expect(all(none, null).comparison).toMatchObject({
    verdict: 'confirm',
    sentence: 'The prepared message contains size (10,000,000), which you did not ask for.',
  })
  expect(all(says({ size: '0' }), null).comparison.verdict).toBe('pass')
})

test('the app accepts a similar size in a close’s message if it had to estimate the position’s size, without a question only at the accepted scale [FLOW-02]', () => {
  const about = { ticket: { ...closeTicket, size: null, position: { ...position, size: null, sizeAbout: '0.2601' } } }
  const first = close(says({ size: '25930999' }), { ...about, formats: [] })
  expect([first.comparison.verdict, first.pin.sizeScale]).toEqual(['pass', 8])
  for (const size of ['0', '25930999', '26500000'])
    expect([size, close(says({ size }), { ...about, formats: [first.pin] }).comparison.verdict]).toEqual([size, 'pass'])
  expect(close(says({ size: '259309990' }), { ...about, formats: [first.pin] }).comparison.asks).toMatchObject({ kind: 'exit_extra', field: 'size' })
  expect(close(says({ size: '28000000' }), { ...about, formats: [first.pin] }).comparison.verdict).toBe('block')
  const fills = closeFills(about.ticket, 4)
  expect([fills.size?.('0.2593'), fills.size?.('2.593'), fills.size?.(null)]).toEqual([true, false, false])
})

const bare = (change: Alteration, rawSize: string, expectation: Partial<PositionExpectation<CloseTicket>> = {}) =>
  close(change, { ticket: { ...closeTicket, size: null, position: { ...position, size: null, rawSize, sizeIfUsdc: '0.2601' } }, formats: [], ...expectation })

test.each([
  ['as it is written', '0.2593', '25930000'],
  ['as the same integer', '25930000', '25930000'],
  ['in USDC, as it is written', '25000.5', '25000500000'],
  ['in base units, where it is in USDC', '25000.5', '25930000'],
  ['as the largest integer', '25000.5', (2n ** 256n - 1n).toString()],
  ['as 0', '25000.5', '0'],
])(
  'the comparison accepts closing a whole position without a question if the unit of its size is unknown and the message contains it as %s [FLOW-02]',
  (_how, rawSize, size) => {
    const { comparison } = bare(says({ size }), rawSize)
    expect([comparison.verdict, comparison.asks]).toEqual(['pass', null])
    expect(comparison.lines.find(({ id }) => id === 'size')).toMatchObject({ asked: 'The whole position', unit: null })
  },
)

test('the app asks the user about a different size in the message of a close if the unit of the position’s size is unknown [FLOW-02]', () => {
  const ask = { verdict: 'confirm', asks: { kind: 'exit_extra', field: 'size' } }
  expect(bare(says({ size: '518600000' }), '0.2593').comparison).toMatchObject(ask)
  const { pin } = bare(none, '0.1')
  expect(pin.sizeScale).toBe(8)
  expect(bare(says({ size: '1000000000' }), '0.1', { formats: [pin] }).comparison).toMatchObject(ask)
  // The message contains the same integer as the service's own data. Such an integer matches, but does not reveal its number of decimals (scale),
  // because the service's integer may be scaled too.
  const same = bare(says({ size: '25930000' }), '25930000')
  expect(same.pin.sizeScale).toBeNull()
  expect(bare(says({ size: '25930000' }), '25930000', { formats: [pin] }).comparison.verdict).toBe('pass')
})

test('the app lets the service fill in only a position’s own size when closing a whole position whose size has an unknown unit [ORD-17]', () => {
  const fills = closeFills({ ...closeTicket, size: null, position: { ...position, size: null, rawSize: '25000.5', sizeIfUsdc: '0.2601' } }, 4)
  expect(['25000.50', '0.2593', '2.593', '0'].map((size) => fills.size?.(size))).toEqual([true, true, false, false])
})

test('the app accepts “ALL” or the field type’s largest number as the size for closing a whole position, but not for closing a part [FLOW-02]', () => {
  const word = (data: RawTypedData) => {
    data.types.ClosePosition = data.types.ClosePosition?.map((field) => (field.name === 'size' ? { name: 'size', type: 'string' } : field)) ?? []
    data.message.size = 'ALL'
  }
  const most = says({ size: (2n ** 256n - 1n).toString() })
  for (const change of [word, most]) {
    for (const shown of [position.size, null]) expect(all(change, shown).comparison.verdict).toBe('pass')
    expect(close(change).comparison.verdict).toBe('block')
  }
})

const part = (size: string, units: string, expectation: Partial<PositionExpectation<CloseTicket>> = {}) =>
  close(says({ size: units }), { formats: [], ticket: { ...closeTicket, size }, ...expectation })

test.each([
  ['0.1', '10000000', '0.01'],
  ['0.125', '12500000', '0.0125'],
])(
  'the comparison accepts a partial close of %s in a new format if its number %s could also mean the smaller size %s, and shows both [FLOW-02]',
  (size, units, other) => {
    const { comparison } = part(size, units)
    expect([comparison.verdict, comparison.asks]).toEqual(['pass', null])
    expect(comparison.lines.find(({ id }) => id === 'size')).toMatchObject({ asked: size, signed: size, remark: { code: 'also', value: other, unit: 'BTC' } })
  },
)

test('the app asks the user once about a partial close whose number could also mean a larger part of the position [FLOW-02]', () => {
  const { comparison, pin } = part('0.0021', '210000')
  expect(comparison).toMatchObject({
    verdict: 'confirm',
    asks: { kind: 'exit_extra', field: 'size', value: '0.0021' },
    unmatched: ['Size: could also be read as 0.21 BTC'],
    sentence: 'The size is 0.0021 BTC as you asked for, but could also be read as 0.21 BTC. Confirm this value once.',
  })
  // With a known scale, the number can mean only one size.
  expect(part('0.0021', '210000', { formats: [pin] }).comparison.verdict).toBe('pass')
  expect(part('0.0021', '21000000', { formats: [pin] }).comparison.verdict).toBe('block')
})

test('the app reads sizes at the scale accepted for the other kind of close (market or limit) in the same signing format [FLOW-02]', () => {
  const known = part('0.1', '10000000', { siblings: [closeFormat()] })
  expect([known.comparison.verdict, known.pin.sizeScale]).toEqual(['pass', 8])
  expect(part('0.1', '100000000', { siblings: [closeFormat()] }).comparison.verdict).toBe('block')
  const other = part('0.1', '10000000', { siblings: [{ ...closeFormat(), hash: invertFormat().hash }] })
  expect(other.comparison.lines.find(({ id }) => id === 'size')?.code).toBe('ambiguous')
})

test('the app accepts a partial close in a new signing format without asking, and remembers the scale of the close’s size [FLOW-02]', () => {
  const first = part('0.1003', '10030000')
  expect([first.comparison.verdict, first.comparison.unmatched]).toEqual(['pass', []])
  expect(first.pin).toMatchObject({ ...closeFormat(), format: { variants: ['market'] } })
  const later10 = close(says({ size: '1000000000' }), { formats: [first.pin] })
  expect([later10.comparison.verdict, later10.comparison.lines.find(({ id }) => id === 'size')?.remark]).toEqual([
    'block',
    { code: 'ratio', is: 'times', by: '100', of: 'size' },
  ])
})

test('the app asks the user about an unrequested value in a close’s message, and blocks a close message without the position and its market [FLOW-02]', () => {
  const withSide = (data: RawTypedData) => {
    data.types.InvertPosition?.push({ name: 'size', type: 'uint256' })
    data.message.size = '25930000'
  }
  expect(invert(withSide).comparison).toMatchObject({
    verdict: 'confirm',
    sentence: 'The prepared message contains size (25,930,000), which you did not ask for.',
  })
  const other = close((data) => {
    data.types = { Withdraw: [{ name: 'recipient', type: 'address' }] }
    data.primaryType = 'Withdraw'
    data.message = { recipient: otherWallet }
  })
  expect(other.comparison.sentence).toBe('The prepared message contains nothing of your position: not its ID or market.')
})

const holds =
  (name: string, type: string, value: unknown): Alteration =>
  (data) => {
    data.types.ClosePosition?.push({ name, type })
    data.message[name] = value
  }
const lacks =
  (name: string): Alteration =>
  (data) => {
    data.types.ClosePosition = data.types.ClosePosition?.filter((field) => field.name !== name) ?? []
    delete data.message[name]
  }

test('the app refuses a close whose message names an unknown address, but allows the user’s wallet and the trusted router [FLOW-02]', () => {
  const { comparison } = close(holds('recipient', 'address', otherWallet))
  expect([comparison.verdict, comparison.sentence]).toEqual([
    'block',
    `The prepared message names ${otherWallet} in recipient. It is neither your wallet nor a contract that you trust.`,
  ])
  for (const known of [wallet, router]) expect(close(holds('recipient', 'address', known)).comparison.verdict).toBe('pass')
})

test('the app accepts the USDC value of a partial close at an unusual scale only if the message also states the size [FLOW-02]', () => {
  const worth = (units: string, change: Alteration = none) =>
    close(
      (data) => {
        holds('notional', 'uint256', units)(data)
        change(data)
      },
      { formats: [] },
    ).comparison
  expect(worth('9641250000', lacks('size')).verdict).toBe('pass')
  // At USDC's 6 decimals, the number in this message is 964,125.00 USDC. The requested value is 9,641.25 USDC.
  expect(worth('964125000000', lacks('size'))).toMatchObject({ verdict: 'block', sentence: expect.stringContaining('964,125.00 USDC') })
  expect(worth('964125000000').lines.find(({ id }) => id === 'notional')?.verdict).toBe('match')
})

test('the app asks the user to confirm a partial close whose message states neither the size nor the USDC value [FLOW-02]', () => {
  const { comparison } = close(lacks('size'), { formats: [] })
  expect([comparison.verdict, comparison.lines.find(({ id }) => id === 'size')?.verdict]).toEqual(['confirm', 'unmatched'])
})

test('the app lets the service fill in the size when closing a whole position, but accepts only the position’s own size [ORD-17]', () => {
  const { payload } = preparedBody({ ...closeTicket, size: null }, 'desk-8f31c2')
  expect(closeFills(closeTicket, 4)).toEqual({})
  const returned = { ...payload, size: '0.25930999' }
  const fills = closeFills({ ...closeTicket, size: null }, 4)
  expect(comparePayload(payload, returned, null, fills)).toEqual([])
  expect(comparePayload(payload, { ...payload, size: '1' }, null, fills)).toEqual([{ field: 'size', sent: null, returned: '1', verdict: 'differ' }])
  expect(comparePayload(payload, returned)[0]?.verdict).toBe('unmatched')
})
