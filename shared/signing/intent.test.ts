import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  inDomain,
  intentExpectation,
  knownOrderFormat,
  nowMs,
  openPosition,
  otherWallet,
  type RawTypedData,
  read,
  router,
  says,
  ticket,
  wallet,
} from '../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../e2e/support/spoken-comparison.ts'
import { remarkText } from '../text/intent-text.ts'
import { ratioRemark } from './answers.ts'
import { askedOrder } from './asked-order.ts'
import { compareIntent, type IntentExpectation } from './intent.ts'
import { comparePayload } from './message/payload.ts'
import { storedAsked } from './message/signing-format.ts'

const compare = (change: (data: RawTypedData) => void = () => {}, expectation: Partial<IntentExpectation> = {}) => {
  const data = openPosition()
  change(data)
  return spokenResult(compareIntent(read(data), intentExpectation(expectation)))
}
const lineOf = (result: ReturnType<typeof compare>, id: string) => result.comparison.lines.find((line) => line.id === id)

test('the app accepts an order message that matches the ticket, and shows one line per value of the message [FLOW-01] [FLOW-02]', () => {
  const { comparison, pin } = compare()
  expect(comparison.verdict).toBe('pass')
  expect(comparison.sentence).toBeNull()
  expect([comparison.matched, comparison.unmatched]).toEqual([comparison.total, []])
  expect(comparison.primaryType).toBe('OpenPosition, SvcDEX 1')
  expect(pin).toMatchObject({ ...knownOrderFormat(), format: { variants: ['market'], unsaid: {} } })
  expect(pin.format?.fields.find(({ path }) => path === 'orderValue')).toEqual({
    ...{ path: 'orderValue', type: 'uint256', role: 'orderValue', unit: 'usdc', scale: 6, words: null, rule: null, value: null },
  })
  expect(comparison.lines.map(({ label, asked, signed, unit, field }) => [label, asked, signed, unit, field])).toEqual([
    ['Market', 'BTC-PERP', 'BTC-PERP, market 1', null, 'pairId'],
    ['Side', 'Long', 'Long', null, 'side'],
    ['Type', 'Market', 'Market', null, 'orderType'],
    ['Order value', '25,000.00', '25,000.00', 'USDC', 'orderValue'],
    ['Reference price', '96,412.5', '96,412.5', null, 'referencePrice'],
    ['Max slippage', 'At most 0.50 %', 'At most 0.50 %', null, 'maxSlippageBps'],
    ['Leverage', '10×', '10×', null, 'leverage'],
    ['Margin mode', 'Cross', 'Cross', null, 'marginMode'],
    ['Time in force', 'Immediate or cancel', 'Immediate or cancel', null, 'timeInForce'],
    ['Rest if unfilled', 'No', 'No', null, 'restIfUnfilled'],
    ['Take profit', '98,500.0', '98,500.0', null, 'takeProfit'],
    ['Stop loss', '94,300.0', '94,300.0', null, 'stopLoss'],
    ['Order ID', 'desk-8f31c2', 'desk-8f31c2', null, 'clientOrderId'],
    ['Not used', 'Nothing', 'Nothing', null, 'limitPrice, triggerPrice, postOnly'],
    ['Your wallet', '0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e', '0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e', null, 'trader'],
    ['Exchange', 'SvcDEX, version 1', 'SvcDEX, version 1', null, 'domain.name'],
    ['Chain', 'Base (8453)', 'Base (8453)', null, 'domain.chainId'],
    ['Contract', 'Router you trust 0x4b1c000000000000000000000000000000c082Fb', '0x4b1c000000000000000000000000000000c082Fb', null, 'domain.verifyingContract'],
    ['Nonce', 'Never used before', '1204', null, 'nonce'],
    ['Valid until', 'At most 5 min', '14:37:08 UTC, for 5 min', null, 'deadline'],
  ])
})

test('the app explains in a sentence which value of an order message differs from the request [FLOW-02]', () => {
  const cases: readonly (readonly [string, (data: RawTypedData) => void, string])[] = [
    ['orderValue', says({ orderValue: '250000000000' }), 'The prepared message has another order value: 250,000.00 USDC. You asked for 25,000.00 USDC.'],
    ['side', says({ side: 'short' }), 'The prepared message has another side: Short. You asked for Long.'],
    ['leverage', says({ leverage: '20' }), 'The prepared message has another leverage: 20×. You asked for 10×.'],
    ['maxSlippageBps', says({ maxSlippageBps: '1000' }), 'The prepared message has another max slippage: At most 10.00 %. You asked for At most 0.50 %.'],
    ['limitPrice', says({ limitPrice: '9641250000000' }), 'The prepared message sets the limit price to 96,412.5. You asked for none.'],
    ['wallet', says({ trader: otherWallet }), `The prepared message is for the wallet ${otherWallet}. Yours is 0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e.`],
    ['domain', inDomain({ name: 'Other' }), 'The prepared message is for Other, version 1. It must be for SvcDEX, version 1.'],
    ['chain', inDomain({ chainId: 1 }), 'The prepared message is for another chain: Chain 1. It must be Base (8453).'],
    [
      'contract',
      inDomain({ verifyingContract: otherWallet }),
      `The prepared message is for the contract ${otherWallet}. The router you trust is 0x4b1c000000000000000000000000000000c082Fb.`,
    ],
    ['deadline', says({ deadline: String(nowMs / 1_000 + 7_200) }), 'The prepared message is valid until 16:32:08 UTC, for 2 h. The limit is: At most 5 min.'],
  ]
  for (const [id, change, sentence] of cases) {
    const result = compare(change)
    expect([id, result.comparison.verdict, lineOf(result, id)?.verdict]).toEqual([id, 'block', 'differ'])
    expect(result.comparison.sentence).toBe(sentence)
  }
  expect(remarkText(lineOf(compare(says({ orderValue: '250000000000' })), 'orderValue')?.remark ?? null)).toBe('10 times your order')
})

const mutations = (type: string, value: unknown): fc.Arbitrary<unknown> => {
  if (type === 'bool') return fc.constant(!value)
  if (type === 'address')
    return fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`)
  if (type === 'string') return fc.string({ maxLength: 20 }).map((text) => `${text}!`)
  const number = BigInt(String(value))
  return fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.integer({ min: 1, max: 60 }).map((power) => number * 10n ** BigInt(power)),
    fc.integer({ min: 1, max: 12 }).map((power) => number / 10n ** BigInt(power)),
    fc.constantFrom(number + 1n, number + 2n, number * 2n, 0n),
  )
}

const signedValues = openPosition().types.OpenPosition?.filter((field) => field.name !== 'nonce' && field.name !== 'deadline') ?? []

test.each(signedValues)('the app refuses an order message with another $name than requested, in an accepted signing format [FLOW-02]', ({ name, type }) => {
  const original = openPosition().message[name]
  fc.assert(
    fc.property(mutations(type, original), (mutated) => {
      const written = typeof mutated === 'bigint' ? mutated.toString() : mutated
      fc.pre(String(written).toLowerCase() !== String(original).toLowerCase() && !(type.startsWith('uint') && BigInt(String(written)) >= 2n ** 256n))
      const { comparison } = compare(says({ [name]: written }))
      expect(comparison.verdict).toBe('block')
      expect(comparison.sentence).not.toBeNull()
    }),
    { numRuns: 30 },
  )
})

test('the app refuses an order message with another order value than requested, at every scale, also in a new signing format [FLOW-02]', () => {
  fc.assert(
    fc.property(mutations('uint256', '25000000000'), (mutated) => {
      const units = BigInt(String(mutated))
      fc.pre(units !== 25_000_000_000n && units < 2n ** 256n)
      // Exclude numbers that match the request only at 18 or more decimals. USDC never has so many decimals. Read at 6 decimals, the amount would
      // exceed all existing USDC.
      fc.pre(![18n, 24n, 27n, 30n].some((scale) => units === 25_000n * 10n ** scale))
      expect(compare(says({ orderValue: units.toString() }), { formats: [] }).comparison.verdict).toBe('block')
    }),
  )
})

test('the app refuses an order message with an expired, too distant or endless deadline, or with a nonce that was already signed [FLOW-02]', () => {
  const seconds = nowMs / 1_000
  for (const deadline of [
    seconds - 1,
    seconds,
    seconds + 316,
    seconds + 86_400,
    0,
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ]) {
    const result = compare(says({ deadline: String(deadline) }))
    expect([deadline, result.comparison.verdict, lineOf(result, 'deadline')?.verdict]).toEqual([deadline, 'block', 'differ'])
  }
  for (const deadline of [seconds + 1, seconds + 120, (seconds + 60) * 1_000])
    expect(compare(says({ deadline: String(deadline) })).comparison.verdict).toBe('pass')
  const again = compare(() => {}, { nonceUsed: (nonce) => nonce === '1204' })
  expect([again.comparison.verdict, remarkText(lineOf(again, 'nonce')?.remark ?? null)]).toEqual(['block', 'Signed before'])
})

test('the app asks the user about an order message in a new signing format, and accepts the next message in this format without asking [FLOW-02]', () => {
  const first = compare(() => {}, { formats: [] })
  expect([first.comparison.verdict, first.comparison.formatKnown, first.comparison.unmatched]).toEqual(['confirm', false, []])
  expect(compare(() => {}, { formats: [first.pin] }).comparison.verdict).toBe('pass')
})

const addField = (data: RawTypedData, name: string, type: string, value: unknown): void => {
  data.types.OpenPosition?.push({ name, type })
  data.message[name] = value
}

test('the app treats an order message with an extra field as a new signing format, and names the extra field [FLOW-02]', () => {
  const { comparison } = compare((data) => addField(data, 'builderFee', 'uint256', '500000'))
  expect([comparison.verdict, comparison.formatKnown]).toEqual(['confirm', false])
  expect(comparison.sentence).toBe('The prepared message contains builderFee (500,000), which you did not ask for.')
  expect(comparison.unmatched).toEqual([
    'Not in your request: builderFee',
    `Format used before: ${knownOrderFormat().hash}`,
    `Format of this message: ${comparison.formatHash}`,
  ])
})

test('the app asks the user only once about an extra field with the value 0 in an order message, until the field’s value changes [FLOW-02]', () => {
  const withFee = (fee: string, formats: IntentExpectation['formats']) => compare((data) => addField(data, 'builderFee', 'uint256', fee), { formats })
  const { pin } = withFee('0', [])
  expect(withFee('0', [pin]).comparison.verdict).toBe('pass')
  expect(withFee('1', [pin]).comparison.verdict).toBe('confirm')
})

test('the app treats an order message without one of the usual fields as a new signing format, and names the missing field [FLOW-02]', () => {
  const without = (name: string) => (data: RawTypedData) => {
    data.types.OpenPosition = data.types.OpenPosition?.filter((field) => field.name !== name) ?? []
    delete data.message[name]
  }
  const first = compare(without('maxSlippageBps'))
  expect([first.comparison.verdict, first.comparison.sentence]).toEqual(['confirm', 'The prepared message does not name the max slippage.'])
  expect(first.comparison.unmatched[0]).toBe('Not in the message: Max slippage')
  const again = compare(without('maxSlippageBps'), { formats: [first.pin] })
  expect([again.comparison.verdict, lineOf(again, 'maxSlippageBps')?.verdict]).toEqual(['pass', 'absent'])
})

test('the app blocks an order message that contains no value of the order, in any signing format [FLOW-02]', () => {
  const { comparison } = compare((data) => {
    data.types.Withdraw = [
      { name: 'recipient', type: 'address' },
      { name: 'quantity', type: 'uint256' },
    ]
    data.primaryType = 'Withdraw'
    data.message = { recipient: otherWallet, quantity: '1' }
  })
  expect([comparison.verdict, comparison.sentence]).toEqual(['block', 'The prepared message contains nothing of your order: not its market, side or value.'])
})

test('the app recognises an order in a message with renamed or nested fields, with booleans for words or at other scales [FLOW-02]', () => {
  const nested = (data: RawTypedData): void => {
    data.types = {
      Intent: [
        { name: 'owner', type: 'address' },
        { name: 'order', type: 'Order' },
        { name: 'tp', type: 'uint256' },
        { name: 'sl', type: 'uint256' },
        { name: 'salt', type: 'bytes32' },
        { name: 'expiry', type: 'uint64' },
      ],
      Order: [
        { name: 'market_id', type: 'uint16' },
        { name: 'isLong', type: 'bool' },
        { name: 'type', type: 'string' },
        { name: 'isCross', type: 'bool' },
        { name: 'leverage', type: 'uint256' },
        { name: 'value', type: 'uint256' },
        { name: 'ref_price', type: 'uint256' },
        { name: 'slippage_bps', type: 'uint16' },
        { name: 'tif', type: 'string' },
        { name: 'restIfUnfilled', type: 'bool' },
        { name: 'client_order_id', type: 'string' },
      ],
    }
    data.primaryType = 'Intent'
    data.message = {
      owner: wallet,
      order: {
        market_id: 1,
        isLong: true,
        type: 'MARKET',
        isCross: true,
        leverage: `10${'0'.repeat(18)}`,
        value: `25000${'0'.repeat(18)}`,
        ref_price: `964125${'0'.repeat(29)}`,
        slippage_bps: 50,
        tif: 'IOC',
        restIfUnfilled: false,
        client_order_id: 'desk-8f31c2',
      },
      tp: `98500${'0'.repeat(30)}`,
      sl: `94300${'0'.repeat(30)}`,
      salt: `0x${'ab'.repeat(32)}`,
      expiry: nowMs / 1_000 + 200,
    }
  }
  const first = compare(nested, { formats: [] })
  expect(first.comparison.lines.filter((line) => line.verdict !== 'match')).toEqual([])
  expect([first.comparison.verdict, first.pin.usdcScale, first.pin.priceScale, first.pin.leverageScale]).toEqual(['confirm', 18, 30, 18])
  expect(lineOf(first, 'orderValue')?.field).toBe('order.value')
  const wrong = compare(
    (data) => {
      nested(data)
      data.message.order = { ...(data.message.order as object), isLong: false }
    },
    { formats: [first.pin] },
  )
  expect(wrong.comparison.sentence).toBe('The prepared message has another side: Short. You asked for Long.')
})

test('the app recognises an amount, a price and an id in an order message by their values if the field names are unknown [FLOW-02]', () => {
  const renamed = (data: RawTypedData): void => {
    const names: Readonly<Record<string, string>> = { orderValue: 'alpha', referencePrice: 'beta', clientOrderId: 'gamma' }
    data.types.OpenPosition = data.types.OpenPosition?.map((field) => ({ ...field, name: names[field.name] ?? field.name })) ?? []
    data.message = Object.fromEntries(Object.entries(data.message).map(([name, value]) => [names[name] ?? name, value]))
  }
  const first = compare(renamed, { formats: [] })
  expect(first.comparison.unmatched).toEqual([])
  expect(lineOf(first, 'orderValue')).toMatchObject({ field: 'alpha', verdict: 'match' })
  const altered = compare(
    (data) => {
      renamed(data)
      data.message.alpha = '250000000000'
    },
    { formats: [first.pin] },
  )
  expect(altered.comparison.verdict).toBe('block')
  expect(altered.comparison.sentence).toBe('The prepared message has another order value: 250,000.00 USDC. You asked for 25,000.00 USDC.')
})

const written =
  (fields: Readonly<Record<string, readonly [name: string, type?: string, value?: unknown]>>) =>
  (data: RawTypedData): void => {
    data.types.OpenPosition = data.types.OpenPosition?.map(({ name, type }) => ({ name: fields[name]?.[0] ?? name, type: fields[name]?.[1] ?? type })) ?? []
    data.message = Object.fromEntries(Object.entries(data.message).map(([name, value]) => [fields[name]?.[0] ?? name, fields[name]?.[2] ?? value]))
  }

test('the app recognises words, the wallet and the deadline in an order message by their values if the field names are unknown [FLOW-02]', () => {
  const renamed = written({
    side: ['way', 'string', 'SIDE_BUY'],
    orderType: ['how', 'string', 'MKT'],
    marginMode: ['backing', 'string', 'CrossMargin'],
    timeInForce: ['stays', 'string', 'Immediate-Or-Cancel'],
    trader: ['whose'],
    deadline: ['stop'],
  })
  const first = compare(renamed, { formats: [] })
  expect(first.comparison.unmatched).toEqual([])
  expect(lineOf(first, 'wallet')).toMatchObject({ field: 'whose', verdict: 'match' })
  expect(lineOf(first, 'deadline')).toMatchObject({ field: 'stop', verdict: 'match' })
  const other = compare(written({ side: ['way', 'string', 'Sold'] }), { formats: [] })
  expect(other.comparison.sentence).toBe('The prepared message has another side: Short. You asked for Long.')
})

test('the app never reads a price in an order message as the deadline: as a time, a price would be centuries away [FLOW-02]', () => {
  const result = compare(written({ referencePrice: ['alpha'], deadline: ['beta'] }), { formats: [] })
  expect([lineOf(result, 'referencePrice')?.field, lineOf(result, 'deadline')?.field]).toEqual(['alpha', 'beta'])
})

test('the app recognises a message’s field by the words of its name, in any order and with a suffix for the scale [FLOW-02]', () => {
  const first = compare(
    written({ pairId: ['perp_index'], limitPrice: ['px_limit_E8'], maxSlippageBps: ['slippageMaxBps'], takeProfit: ['tpPx'], leverage: ['leverageX'] }),
    { formats: [] },
  )
  expect(first.comparison.unmatched).toEqual([])
  expect(lineOf(first, 'pairId')?.field).toBe('perp_index')
})

test('the app does not accept a constant salt as the nonce of an order message [FLOW-02]', () => {
  const salted = (data: RawTypedData): void => {
    data.types.OpenPosition = [{ name: 'salt', type: 'bytes32' }, ...(data.types.OpenPosition ?? [])]
    data.message = { salt: `0x${'0'.repeat(63)}8`, ...data.message }
  }
  const result = compare(salted, { formats: [], nonceUsed: (nonce) => nonce !== '1204' })
  expect(lineOf(result, 'nonce')).toMatchObject({ field: 'nonce', verdict: 'match' })
  expect(result.comparison.verdict).toBe('confirm')
})

test.each([
  { slippage: `5${'0'.repeat(15)}`, verdict: 'match' },
  { slippage: `50${'0'.repeat(15)}`, verdict: 'differ' },
  { slippage: '0.005', type: 'string', verdict: 'match' },
  { slippage: '0.05', type: 'string', verdict: 'differ' },
  // As millionths, 5000 would be the requested 0.5 %. But as basis points it would be 50 %, so it does not match.
  { slippage: '5000', verdict: 'differ' },
])(
  'the comparison judges a slippage of $slippage, before the user has agreed to its unit, as $verdict [FLOW-02]',
  ({ slippage, type = 'uint256', verdict }) => {
    const first = compare(written({ maxSlippageBps: ['maxSlippage', type, slippage] }), { formats: [] })
    expect(lineOf(first, 'maxSlippageBps')?.verdict).toBe(verdict)
  },
)

test('the app remembers an accepted number of unknown meaning for one kind of order only, and asks again for another kind [FLOW-02]', () => {
  const coded =
    (way: number) =>
    (data: RawTypedData): void =>
      addField(data, 'way', 'uint8', way)
  const first = compare(coded(1), { formats: [] })
  const formats = [first.pin]
  expect(compare(coded(1), { formats }).comparison.verdict).toBe('pass')
  expect(compare(coded(0), { formats }).comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'way' })

  // The number in the field `way` depends on the kind of order. If the user accepts the number for market orders, it is still unaccepted for limit
  // orders.
  const { referencePrice: _, maxSlippageBps: __, restIfUnfilled: ___, ...rest } = ticket
  const order = askedOrder({ ...rest, orderType: 'limit', limitPrice: '96412.5', timeInForce: 'gtc', postOnly: false }, 'BTC-PERP', 'desk-8f31c2')
  const limit =
    (way: number) =>
    (data: RawTypedData): void => {
      coded(way)(data)
      says({ orderType: 'limit', timeInForce: 'gtc', limitPrice: '9641250000000', referencePrice: '0', maxSlippageBps: '0' })(data)
    }
  const other = compare(limit(0), { formats, order })
  expect(other.comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'way' })
  const both = [other.pin]
  expect([compare(limit(0), { formats: both, order }).comparison.verdict, compare(coded(1), { formats: both }).comparison.verdict]).toEqual(['pass', 'pass'])
  expect([compare(limit(1), { formats: both, order }).comparison.verdict, compare(coded(0), { formats: both }).comparison.verdict]).toEqual([
    'confirm',
    'confirm',
  ])
})

test('the app gives a number no meaning in a message field that the user accepted with another unknown number, unless that number was 0 [FLOW-02]', () => {
  const order = askedOrder({ ...ticket, takeProfit: '2.6' }, 'BTC-PERP', 'desk-8f31c2')
  const exit =
    (units: string) =>
    (data: RawTypedData): void => {
      data.types.OpenPosition = data.types.OpenPosition?.filter((field) => field.name !== 'takeProfit') ?? []
      delete data.message.takeProfit
      addField(data, 'alpha', 'uint256', units)
    }
  const small = compare(exit('260000'), { order, formats: [] })
  expect(lineOf(compare(exit('2600000000'), { order, formats: [small.pin] }), 'message.alpha')).toMatchObject({ verdict: 'unmatched', code: 'new_field' })
  const empty = compare(exit('0'), { order: { ...order, takeProfit: null }, formats: [] })
  expect(lineOf(compare(exit('260000000'), { order, formats: [empty.pin] }), 'takeProfit')).toMatchObject({ field: 'alpha', verdict: 'match' })
})

test('the app reads the slippage of an order message in the unit that the user confirmed, and blocks an order message in another unit [FLOW-02]', () => {
  const first = compare(says({ maxSlippageBps: `5${'0'.repeat(15)}` }), { formats: [] })
  expect(first.pin.format?.fields.find(({ role }) => role === 'maxSlippageBps')).toMatchObject({ unit: 'bps', scale: 18 })
  expect(compare(says({ maxSlippageBps: `5${'0'.repeat(15)}` }), { formats: [first.pin] }).comparison.verdict).toBe('pass')
  expect(compare(says({ maxSlippageBps: '50' }), { formats: [first.pin] }).comparison.verdict).toBe('block')
  const text = written({ maxSlippageBps: ['maxSlippage', 'string', '0.005'] })
  expect(compare(text, { formats: [compare(text, { formats: [] }).pin] }).comparison.verdict).toBe('pass')
})

test('the app does not recognise a small number in an order message by its value, because the number may mean many things [FLOW-02]', () => {
  const order = askedOrder({ ...ticket, takeProfit: '2.6' }, 'BTC-PERP', 'desk-8f31c2')
  const at = (units: string) =>
    compare(
      (data) => {
        data.types.OpenPosition = data.types.OpenPosition?.filter((field) => field.name !== 'takeProfit') ?? []
        delete data.message.takeProfit
        addField(data, 'alpha', 'uint256', units)
      },
      { order, formats: [] },
    )
  expect(lineOf(at('26000'), 'message.alpha')?.verdict).toBe('unmatched')
  expect(lineOf(at('260000000'), 'takeProfit')).toMatchObject({ field: 'alpha', verdict: 'match' })
})

test('the app accepts the current time or 0 in an extra message field that once contained the current time, and asks the user about other times [FLOW-02]', () => {
  const since =
    (seconds: number) =>
    (data: RawTypedData): void =>
      addField(data, 'validFrom', 'uint64', seconds)
  const now = nowMs / 1_000
  const first = compare(since(now), { formats: [] })
  const without = compare(since(0), { formats: [first.pin] })
  expect(without.comparison.verdict).toBe('pass')
  for (const { pin } of [first, without]) {
    expect(compare(since(now + 30), { formats: [pin] }).comparison.verdict).toBe('pass')
    expect(compare(since(now + 86_400), { formats: [pin] }).comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'validFrom' })
  }
})

test('the app blocks a message without an optional value that the accepted signing format contains [FLOW-02]', () => {
  const sized = compare((data) => addField(data, 'size', 'uint256', '25930247'), { formats: [] })
  expect(lineOf(sized, 'size')?.verdict).toBe('match')
  const { comparison } = compare(() => {}, { formats: [sized.pin] })
  expect([comparison.verdict, comparison.sentence]).toEqual([
    'block',
    'The prepared message no longer contains the size, which the agreed signing format contains.',
  ])
})

test('the app leaves a value of an order message unmatched if the value equals two requested values [FLOW-02]', () => {
  const order = askedOrder({ ...ticket, takeProfit: '98500', orderValueUsdc: '98500' }, 'BTC-PERP', 'desk-8f31c2')
  const result = compare(
    (data) => {
      for (const name of ['orderValue', 'takeProfit']) {
        data.types.OpenPosition = data.types.OpenPosition?.filter((field) => field.name !== name) ?? []
        delete data.message[name]
      }
      addField(data, 'alpha', 'uint256', '98500000000')
    },
    { order, formats: [] },
  )
  expect(lineOf(result, 'orderValue')?.verdict).toBe('unmatched')
  expect(lineOf(result, 'message.alpha')?.verdict).toBe('unmatched')
})

test('the app blocks a number in a message that matches the request at one scale but could also be read at another scale [FLOW-02]', () => {
  // At 8 decimals, the number is the requested 25,000. But at USDC's 6 decimals, it is 2,500,000.
  const amount = compare(says({ orderValue: '2500000000000' }), { formats: [] })
  expect([amount.comparison.verdict, remarkText(lineOf(amount, 'orderValue')?.remark ?? null)]).toEqual(['block', 'Can be read at two scales'])
  expect(amount.comparison.sentence).toBe(
    'The prepared message is unclear: its order value could also be read as 2,500,000.00 USDC. You asked for 25,000.00 USDC.',
  )
  // At 10 decimals, this take profit matches. But the other prices in the message have 8 decimals.
  const price = compare(says({ takeProfit: '985000000000000' }), { formats: [] })
  expect(price.comparison.verdict).toBe('block')
})

test('the app reads a price in a message at the scale that the user accepted, and blocks the same digits at another scale [FLOW-02]', () => {
  const order = askedOrder({ ...ticket, takeProfit: null, stopLoss: null }, 'BTC-PERP', 'desk-8f31c2')
  const result = compare(
    (data) => {
      data.message.referencePrice = '964125000000000'
      data.message.takeProfit = '0'
      data.message.stopLoss = '0'
    },
    { order },
  )
  expect([result.comparison.verdict, remarkText(lineOf(result, 'referencePrice')?.remark ?? null)]).toEqual(['block', '100 times your reference price'])
})

test('the app checks both copies of a value that an order message contains twice [FLOW-02]', () => {
  const result = compare((data) => addField(data, 'isLong', 'bool', false))
  expect([result.comparison.verdict, lineOf(result, 'side')?.verdict, lineOf(result, 'side.2')?.verdict]).toEqual(['block', 'match', 'differ'])
  const owner = compare((data) => addField(data, 'owner', 'address', otherWallet))
  expect([owner.comparison.verdict, lineOf(owner, 'wallet.2')?.verdict]).toEqual(['block', 'differ'])
})

test('the app shows two different addresses of a comparison in full, because their shortened forms may look equal [FLOW-01]', () => {
  const alike = `${router.slice(0, 10)}${'1'.repeat(24)}${router.slice(-8)}`
  const line = lineOf(compare(inDomain({ verifyingContract: alike })), 'contract')
  expect(line?.verdict).toBe('differ')
  expect(line?.signed?.toLowerCase()).toBe(alike.toLowerCase())
})

test('the app refuses an order message whose EIP 712 domain lacks the chain, the contract or the name [FLOW-01]', () => {
  for (const name of ['chainId', 'verifyingContract', 'name']) {
    const { comparison } = compare((data) => {
      delete data.domain[name]
      data.types.EIP712Domain = data.types.EIP712Domain?.filter((field) => field.name !== name) ?? []
    })
    expect([name, comparison.verdict]).toEqual([name, 'block'])
  }
})

test('the app asks the user to confirm the router in an order message if the user trusts no router yet [FLOW-01]', () => {
  const result = compare(() => {}, { router: null })
  expect([result.comparison.verdict, lineOf(result, 'contract')?.verdict]).toEqual(['confirm', 'unmatched'])
})

test('the app blocks an order message if the service prepared a different payload from the payload that the app sent [ORD-17]', () => {
  const payload = comparePayload({ leverage: 10 }, { leverage: 20 })
  const { comparison } = compare(() => {}, { payload })
  expect([comparison.verdict, comparison.sentence]).toEqual(['block', 'The service prepared your order with another leverage: 20. You asked for 10.'])
})

test('the app describes how much a value of a message differs from the request, as a multiple, a fraction or a percentage', () => {
  expect(remarkText(ratioRemark('25000', '250000', 'order'))).toBe('10 times your order')
  expect(remarkText(ratioRemark('25000', '2500', 'order'))).toBe('1/10 of your order')
  expect(remarkText(ratioRemark('25000', '25125', 'order'))).toBe('0.5% more than your order')
  expect(remarkText(ratioRemark('25000', '24875', 'order'))).toBe('0.5% less than your order')
  expect(remarkText(ratioRemark('25000', '2512345', 'order'))).toBe('More than 100 times your order')
})

test.each([
  [{ code: 'long' }, 'Long'],
  [{ code: 'short' }, 'Short'],
  [{ code: 'market' }, 'Market'],
  [{ code: 'limit' }, 'Limit'],
  [{ code: 'stop' }, 'Stop'],
  [{ code: 'cross' }, 'Cross'],
  [{ code: 'isolated' }, 'Isolated'],
  [{ code: 'gtc' }, 'Good till cancelled'],
  [{ code: 'ioc' }, 'Immediate or cancel'],
  [{ code: 'fok' }, 'Fill or kill'],
  [{ code: 'yes' }, 'Yes'],
  [{ code: 'no' }, 'No'],
  [{ code: 'as_it_is' }, 'As it is'],
  [{ code: 'whole_position' }, 'The whole position'],
  [{ code: 'about', value: '0.25' }, 'About 0.25'],
  [{ code: 'at_most', value: '0.50 %' }, 'At most 0.50 %'],
  [{ code: 'pair', pairId: '7', symbol: null }, 'Market 7'],
  [{ code: 'gives', gives: 'trading', shown: null }, 'Trading only'],
  [{ code: 'gives', gives: 'trading_and_collateral', shown: null }, 'Trading and collateral'],
  ['25,000.00', '25,000.00'],
] as const)('the app stores the requested value %o as “%s”, as earlier versions did, if the message omits this value [FLOW-02]', (asked, stored) => {
  expect(storedAsked(asked)).toBe(stored)
})

test('the app asks the user again when an order’s side changes, if messages in the accepted signing format omit the side [FLOW-02]', () => {
  const withoutSide = (data: RawTypedData) => {
    delete data.message.side
    data.types.OpenPosition = data.types.OpenPosition?.filter(({ name }) => name !== 'side') ?? []
  }
  const { pin } = compare(withoutSide)
  expect(pin.format?.unsaid).toEqual({ side: 'Long' })
  expect(compare(withoutSide, { formats: [pin] }).comparison.verdict).toBe('pass')
  const other = compare(withoutSide, { formats: [pin], order: { ...intentExpectation().order, side: 'short' } })
  expect(other.comparison).toMatchObject({ verdict: 'confirm', sentence: 'The prepared message does not name the side.' })
})
