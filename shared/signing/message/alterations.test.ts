import { expect, test } from 'vitest'
import { closeTerms, type Layout, layouts, openTerms, type Terms } from '../../../e2e/support/fixtures/alterations.ts'
import { nowMs, otherWallet, pinnedRouter, type RawTypedData, read, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../../e2e/support/spoken-comparison.ts'
import { multiply } from '../../decimal.ts'
import type { CloseTicket, OpenTicket } from '../../ipc/intents/tickets.ts'
import { askedOrder } from '../asked-order.ts'
import type { Compared } from '../comparison.ts'
import { compareClose } from '../grant/position-intent.ts'
import { compareIntent } from '../intent.ts'
import type { TrustedFormat } from '../trust.ts'

const openTicket: OpenTicket = {
  ...{ pairId: 7, side: 'long', orderType: 'market', marginMode: 'cross', leverage: 10, orderValueUsdc: '25000', referencePrice: '96412.5' },
  ...{ maxSlippageBps: 50, restIfUnfilled: false, takeProfit: null, stopLoss: null },
}
const closeTicket: CloseTicket = {
  action: 'close_position_market',
  position: { positionId: '90003', pairId: 7, symbol: 'BTC-PERP', side: 'long', size: '0.2593', takeProfit: null, stopLoss: null },
  ...{ size: null, referencePrice: '96412.5', maxSlippageBps: 50 },
}
const common = (formats: readonly TrustedFormat[]) => ({ wallet, router: pinnedRouter, nowMs, formats, priceDecimals: 1 })
const compareOpen = (data: RawTypedData, formats: readonly TrustedFormat[], change: Partial<OpenTicket> = {}) =>
  spokenResult(compareIntent(read(data), { ...common(formats), order: askedOrder({ ...openTicket, ...change } as OpenTicket, 'BTC-PERP', openTerms.clientId) }))
const compareClosing = (data: RawTypedData, formats: readonly TrustedFormat[]) =>
  spokenResult(compareClose(read(data), { ...common(formats), ticket: closeTicket, clientOrderId: closeTerms.clientId, sizeDecimals: 4, base: 'BTC' }))

/**
 * Whether the user may sign this message after at most one confirmation, that of a new signing format. Even an unaltered message in a new format
 * needs this confirmation.
 */
const goes = ({ comparison }: Pick<Compared, 'comparison'> | ReturnType<typeof spokenResult<Compared>>): boolean =>
  comparison.verdict !== 'block' && (comparison.asks === null || comparison.asks.kind === 'format')

const times = (value: string, by: string): string => multiply(value, by)

const ofTerms: readonly (readonly [string, (terms: Terms) => Terms, 'open' | 'close' | 'both'])[] = [
  ['the amount twice', (t) => ({ ...t, value: times(t.value, '2'), size: times(t.size, '2') }), 'both'],
  ['a hundred times the amount', (t) => ({ ...t, value: times(t.value, '100'), size: times(t.size, '100') }), 'both'],
  ['the other side', (t) => ({ ...t, side: t.side === 'long' ? 'short' : 'long' }), 'both'],
  ['another market', (t) => ({ ...t, marketId: 8 }), 'open'],
  ['another id', (t) => ({ ...t, id: '90004' }), 'close'],
  ['another price', (t) => ({ ...t, price: '86412.5' }), 'both'],
  ['more slippage', (t) => ({ ...t, slippageBps: 500 }), 'both'],
  ['more leverage', (t) => ({ ...t, leverage: 100 }), 'open'],
  ['a deadline far off', (t) => ({ ...t, deadline: t.deadline + 86_400 }), 'both'],
  ['another wallet', (t) => ({ ...t, wallet: otherWallet }), 'both'],
  ['a size above the position', (t) => ({ ...t, size: '0.3' }), 'close'],
  ['price and amount swapped', (t) => ({ ...t, value: t.price, size: t.price, price: t.value }), 'both'],
]

const primary = (data: RawTypedData, field: { readonly type: string; readonly name: string }, value: unknown): RawTypedData => ({
  ...data,
  types: { ...data.types, [data.primaryType]: [...(data.types[data.primaryType] ?? []), { ...field }] },
  message: { ...data.message, [field.name]: value },
})
const ofMessage: readonly (readonly [string, (data: RawTypedData) => RawTypedData])[] = [
  ['another contract', (data) => ({ ...data, domain: { ...data.domain, verifyingContract: otherWallet } })],
  ['another chain', (data) => ({ ...data, domain: { ...data.domain, chainId: 1 } })],
  ['another exchange', (data) => ({ ...data, domain: { ...data.domain, name: 'Other' } })],
  ['an address more', (data) => primary(data, { name: 'recipient', type: 'address' }, otherWallet)],
  ['an amount more', (data) => primary(data, { name: 'builderFee', type: 'uint256' }, '5000000000')],
  ['an approval without a limit', (data) => primary(data, { name: 'allowance', type: 'uint256' }, (2n ** 256n - 1n).toString())],
]

/** Whether the alteration changed the message. It changes nothing if the signing format omits the altered value, such as the side. */
const isSaid = (honest: RawTypedData, altered: RawTypedData): boolean => JSON.stringify(honest) !== JSON.stringify(altered)

const learnt = (compared: Compared): readonly TrustedFormat[] => {
  expect(compared.comparison.verdict).not.toBe('block')
  return [compared.pin]
}

test.each(layouts)('the app accepts an unaltered order message after one confirmation, and the next order’s message without any: $name [FLOW-02]', (layout) => {
  const first = compareOpen(layout.open(openTerms), [])
  expect([first.comparison.sentence, first.comparison.asks?.kind]).toEqual([first.comparison.sentence, 'format'])
  const second = compareOpen(layout.open({ ...openTerms, value: '30000', nonce: '1209', deadline: openTerms.deadline + 20 }), [first.pin], {
    orderValueUsdc: '30000',
  })
  expect([second.comparison.sentence, second.comparison.verdict]).toEqual([null, 'pass'])
})

test.each(layouts)('the app accepts an unaltered close message both in a new and in an accepted signing format: $name [FLOW-02]', (layout) => {
  const first = compareClosing(layout.close(closeTerms), [])
  // In a format with numbers instead of words, the app does not know at first which side a number means. So only the first message in this format
  // raises a question.
  const isNumbered = layout.name === 'words as numbers'
  expect([first.comparison.sentence, first.comparison.asks?.kind ?? null]).toEqual([
    isNumbered ? first.comparison.sentence : null,
    isNumbered ? 'exit_extra' : null,
  ])
  const second = compareClosing(layout.close({ ...closeTerms, nonce: '1301' }), [first.pin])
  expect([second.comparison.sentence, second.comparison.verdict]).toEqual([null, 'pass'])
})

/**
 * All altered messages for one kind of order. A price a hundred times as high is left out: before the first message the scale is unknown, so this
 * price could be right at another scale.
 */
const cases = (kind: 'open' | 'close', layout: Layout): readonly (readonly [string, RawTypedData])[] => {
  const [make, terms] = kind === 'open' ? [layout.open, openTerms] : [layout.close, closeTerms]
  const honest = make(terms)
  return [
    ...ofTerms.filter(([, , of]) => of === 'both' || of === kind).map(([name, change]) => [name, make(change(terms))] as const),
    ...ofMessage.map(([name, change]) => [name, change(honest)] as const),
  ].filter(([, altered]) => isSaid(honest, altered))
}

test.each(layouts)('the app accepts no altered message in an accepted signing format, for opening or closing a position: $name [FLOW-02]', (layout) => {
  const open = learnt(compareOpen(layout.open(openTerms), []))
  const close = learnt(compareClosing(layout.close(closeTerms), []))
  const [opening, closing] = [cases('open', layout), cases('close', layout)]
  expect(opening.length + closing.length).toBeGreaterThan(24)
  expect(opening.filter(([, data]) => goes(compareOpen(data, open))).map(([name]) => name)).toEqual([])
  expect(closing.filter(([, data]) => goes(compareClosing(data, close))).map(([name]) => name)).toEqual([])
})

test.each(layouts)('the app accepts no altered message in a new signing format: $name [FLOW-02]', (layout) => {
  // In a format with numbers instead of words, the user has not confirmed which side a number means. So the app asks about this number, altered or
  // not.
  const unknowable = layout.name === 'words as numbers' ? ['the other side'] : []
  const unnamed = layout.name === 'names nobody knows'
  const opening = cases('open', layout).filter(([, data]) => goes(compareOpen(data, [])))
  const closing = cases('close', layout).filter(([, data]) => goes(compareClosing(data, [])))
  expect(opening.map(([name]) => name)).toEqual(unnamed ? [] : unknowable)
  // A size a hundred times as large passes, because the scale is unknown: the same integer could have two more decimals. This is harmless, because a
  // close cannot exceed the position. If the message also contains the USDC value, the app blocks it.
  expect(closing.filter(([name]) => name !== 'a hundred times the amount').map(([name]) => name)).toEqual([])
})

test('the app blocks a changed value in a message field that it first recognised by the value [FLOW-02]', () => {
  const [, , unnamed] = layouts
  if (unnamed === undefined) throw new Error('No such layout')
  const formats = learnt(compareOpen(unnamed.open(openTerms), []))
  const doubled = compareOpen(unnamed.open({ ...openTerms, value: '50000' }), formats)
  expect([doubled.comparison.verdict, doubled.comparison.sentence]).toEqual([
    'block',
    'The prepared message has another order value: 50,000.00 USDC. You asked for 25,000.00 USDC.',
  ])
})

test('the app never reads a number in a message as the side short after the user confirmed that the number means long [FLOW-02]', () => {
  const numbered = layouts[4]
  if (numbered === undefined) throw new Error('No such layout')
  const formats = learnt(compareOpen(numbered.open(openTerms), []))
  expect(compareOpen(numbered.open({ ...openTerms, side: 'short' }), formats).comparison.verdict).toBe('block')
  expect(compareOpen(numbered.open(openTerms), formats, { side: 'short' }).comparison.verdict).toBe('block')
  // There are only two sides. The user confirmed the number for long, so any other number means short.
  expect(compareOpen(numbered.open({ ...openTerms, side: 'short' }), formats, { side: 'short' }).comparison.verdict).toBe('pass')
})

test('the app blocks a message if a value moved, is missing or has another scale than in the accepted format [FLOW-02]', () => {
  const flat = layouts[0]
  if (flat === undefined) throw new Error('No such layout')
  const formats = learnt(compareOpen(flat.open(openTerms), []))
  const change = (rename: (name: string) => string | null, value?: readonly [string, unknown]): Compared => {
    const data = flat.open(openTerms)
    const kept = (data.types.Open ?? []).flatMap(({ name, type }) => (rename(name) === null ? [] : [{ name: rename(name) ?? name, type }]))
    const message = Object.fromEntries(Object.entries(data.message).flatMap(([name, said]) => (rename(name) === null ? [] : [[rename(name) ?? name, said]])))
    return compareOpen(
      { ...data, types: { ...data.types, Open: kept }, message: { ...message, ...(value === undefined ? {} : { [value[0]]: value[1] }) } },
      formats,
    )
  }
  expect(change((name) => (name === 'notional' ? 'orderValue' : name)).comparison).toMatchObject({
    verdict: 'block',
    sentence: expect.stringContaining('another field'),
  })
  expect(change((name) => (name === 'leverage' ? null : name)).comparison).toMatchObject({
    verdict: 'block',
    sentence: expect.stringContaining('no longer contains the leverage'),
  })
  expect(change((name) => name, ['notional', '2500000000000']).comparison.verdict).toBe('block')
  const more = compareOpen(primary(flat.open(openTerms), { name: 'note', type: 'string' }, 'hello'), formats)
  expect(more.comparison.asks).toEqual({ kind: 'unknown_field', field: 'note', value: 'hello' })
})
