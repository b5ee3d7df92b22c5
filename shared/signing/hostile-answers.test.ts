import { expect, test } from 'vitest'
import { closePosition, closeTicket, invertPosition, position, positionExpectation } from '../../e2e/support/fixtures/position-intent.ts'
import {
  agent,
  agentGrant,
  grantExpectation,
  intentExpectation,
  nowMs,
  openPosition,
  otherWallet,
  type RawTypedData,
  read,
  wallet,
} from '../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../e2e/support/spoken-comparison.ts'
import type { CloseTicket } from '../ipc/intents/tickets.ts'
import { explainGrant } from './grant/grant.ts'
import { compareClose, type PositionExpectation } from './grant/position-intent.ts'
import { compareIntent } from './intent.ts'
import type { TrustedFormat } from './trust.ts'

/** Answers of an exchange that chooses ids and values so that the user signs something else than the request. */

const whole: CloseTicket = { ...closeTicket, size: null }
const seconds = nowMs / 1_000
const closing = (data: RawTypedData, ticket: CloseTicket = whole, change: Partial<PositionExpectation<CloseTicket>> = {}) =>
  spokenResult(compareClose(read(data), positionExpectation(ticket, { formats: [], ...change })))
const opening = (data: RawTypedData, formats: readonly TrustedFormat[] = []) => spokenResult(compareIntent(read(data), intentExpectation({ formats })))
const withId = (positionId: string): CloseTicket => ({ ...whole, position: { ...position, positionId } })

/** A message of the router with these fields, such as `agent address`. */
const struct = (primaryType: string, fields: Readonly<Record<string, unknown>>): RawTypedData => ({
  domain: closePosition().domain,
  types: {
    EIP712Domain: closePosition().types.EIP712Domain ?? [],
    [primaryType]: Object.keys(fields).map((field) => ({ name: field.split(' ')[0] ?? '', type: field.split(' ')[1] ?? '' })),
  },
  primaryType,
  message: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field.split(' ')[0], value])),
})
const envelope = { 'trader address': wallet, 'nonce uint256': '9', 'deadline uint256': String(seconds + 290) }

test('the app blocks an inversion, an opening, a grant or a withdrawal that the service prepares for a close [FLOW-02]', () => {
  // Each of these messages contains nothing that a close could not contain. Only the name of its struct shows what it does.
  const messages: readonly (readonly [string, RawTypedData, string])[] = [
    ['InvertPosition', invertPosition(), position.positionId],
    ['OpenPosition', openPosition(), position.positionId],
    ['IncreasePosition', struct('IncreasePosition', { ...envelope, 'positionId string': 'pos_1204', 'size uint256': '25930000' }), position.positionId],
    ['ApproveAgent', struct('ApproveAgent', { ...envelope, 'agentIndex uint64': '12' }), '12'],
    ['Withdraw', struct('Withdraw', { ...envelope, 'amount uint256': '5000000000' }), '5000000000'],
  ]
  for (const [name, data, id] of messages) {
    const { comparison } = closing(data, withId(id))
    expect([name, comparison.verdict, comparison.sentence]).toEqual([name, 'block', `The prepared message is for another action: ${name}.`])
  }
  const inner = struct('Intent', { ...envelope, 'action FlipPosition': { positionId: 'pos_1204' } })
  inner.types.FlipPosition = [{ name: 'positionId', type: 'string' }]
  expect(closing(inner).comparison.sentence).toBe('The prepared message is for another action: FlipPosition.')
  for (const name of ['Order', 'Intent', 'ReducePosition', 'ExitPosition', 'CloseOrder'])
    expect([name, closing(struct(name, { ...envelope, 'positionId string': 'pos_1204' })).comparison.verdict]).toEqual([name, 'pass'])
})

test('the app never takes an address in a message for the id of the position, even if the service lists that id [FLOW-02]', () => {
  const grant = { ...agentGrant(), message: { ...agentGrant().message, agent: otherWallet, permissions: '', expiresAt: seconds + 290 } }
  expect(closing(grant, withId(otherWallet)).comparison.verdict).toBe('block')
  const { comparison } = closing(struct('Intent', { ...envelope, 'pairId uint256': '1', 'delegatee address': otherWallet }), withId(otherWallet.toLowerCase()))
  expect([comparison.verdict, comparison.sentence]).toEqual([
    'block',
    `The prepared message names ${otherWallet} in delegatee. It is neither your wallet nor a contract that you trust.`,
  ])
})

test('the app asks the user once about a close that names no position, because it could be an order in the same market [FLOW-02]', () => {
  const order = struct('Order', { ...envelope, 'pairId uint256': '1', 'side string': 'long', 'orderType string': 'market', 'size uint256': '25930000' })
  const first = closing(order)
  expect(first.comparison).toMatchObject({ verdict: 'confirm', asks: { kind: 'exit_extra', field: 'positionId', value: null } })
  expect(closing(order, withId('pos_1207'), { formats: [first.pin] }).comparison.verdict).toBe('pass')
})

const withValues = (values: Readonly<Record<string, unknown>>): RawTypedData => ({ ...closePosition(), message: { ...closePosition().message, ...values } })
const adds = (data: RawTypedData, name: string, type: string, value: unknown): RawTypedData => ({
  ...data,
  types: { ...data.types, [data.primaryType]: [...(data.types[data.primaryType] ?? []), { name, type }] },
  message: { ...data.message, [name]: value },
})
const padded = `0x${otherWallet.slice(2).padStart(64, '0')}`

test('the app takes a number for the chain or for a time only if the field’s name says so, because a fee could have the same number [FLOW-02]', () => {
  const fees: readonly (readonly [string, unknown])[] = [
    ['builderFeeBps', '8453'],
    ['builderFee', String(seconds)],
    ['priorityTip', String(nowMs)],
  ]
  for (const [name, value] of fees) {
    expect(closing(adds(closePosition(), name, 'uint256', value), closeTicket).comparison.asks).toMatchObject({ kind: 'exit_extra', field: name })
    const first = opening(adds(openPosition(), name, 'uint256', '0'))
    expect(opening(adds(openPosition(), name, 'uint256', '0'), [first.pin]).comparison.verdict).toBe('pass')
    const later = opening(adds(openPosition(), name, 'uint256', value), [first.pin])
    expect(later.comparison.asks).toMatchObject({ kind: 'unknown_field', field: name })
  }
  for (const [name, value] of [
    ['chainId', '8453'],
    ['source_chain', '8453'],
    ['issuedAt', String(seconds)],
    ['clientTimestamp', String(nowMs)],
  ] as const)
    expect([name, closing(adds(closePosition(), name, 'uint256', value), closeTicket).comparison.verdict]).toEqual([name, 'pass'])
})

test('the app never takes an address in 32 bytes for random bytes or for a nonce [FLOW-02, KEY-15]', () => {
  expect(closing(adds(closePosition(), 'recipient', 'bytes32', padded), closeTicket).comparison.asks).toMatchObject({ kind: 'exit_extra', field: 'recipient' })
  const random = `0x${'a7'.repeat(32)}`
  const first = opening(adds(openPosition(), 'tag', 'bytes32', random))
  expect(opening(adds(openPosition(), 'tag', 'bytes32', `0x${'b3'.repeat(32)}`), [first.pin]).comparison.verdict).toBe('pass')
  expect(opening(adds(openPosition(), 'tag', 'bytes32', padded), [first.pin]).comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'tag' })
  const grant = struct('AgentGrant', { 'wallet address': wallet, 'agent address': agent, 'permissions string': 'trade', 'also bytes32': padded })
  const { comparison } = explainGrant(read(adds(grant, 'expiresAt', 'uint256', seconds + 86_400)), grantExpectation({ formats: [] }))
  expect(comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'also' })
})

/** A message of a router that takes a list of orders. */
const listed = (data: RawTypedData, count: number): RawTypedData => {
  const outside = ['trader', 'nonce', 'deadline']
  const entries = Object.entries(data.message)
  return {
    ...data,
    types: {
      EIP712Domain: data.types.EIP712Domain ?? [],
      Intent: [...(data.types[data.primaryType] ?? []).filter(({ name }) => outside.includes(name)), { name: 'list', type: 'Item[]' }],
      Item: (data.types[data.primaryType] ?? []).filter(({ name }) => !outside.includes(name)),
    },
    primaryType: 'Intent',
    message: {
      ...Object.fromEntries(entries.filter(([name]) => outside.includes(name))),
      list: Array.from({ length: count }, () => Object.fromEntries(entries.filter(([name]) => !outside.includes(name)))),
    },
  }
}

test('the app asks the user about a list that contains the requested order or close twice, also in an accepted signing format [FLOW-02]', () => {
  const once = opening(listed(openPosition(), 1))
  expect(opening(listed(openPosition(), 1), [once.pin]).comparison.verdict).toBe('pass')
  const twice = opening(listed(openPosition(), 2), [once.pin])
  expect(twice.comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'list[1].pairId' })
  // The user accepted two items, and so gets no further question about as many.
  expect(opening(listed(openPosition(), 2), [twice.pin]).comparison.verdict).toBe('pass')
  expect(opening(listed(openPosition(), 3), [twice.pin]).comparison.asks).toMatchObject({ kind: 'unknown_field', field: 'list[2].pairId' })
  expect(closing(listed(closePosition(), 1), closeTicket).comparison.verdict).toBe('pass')
  expect(closing(listed(closePosition(), 2), closeTicket).comparison.asks).toMatchObject({ kind: 'exit_extra', field: 'list[1].positionId' })
})

test('the app reads a number for the side only with the meaning of its own field, and not of another field that states the side [FLOW-02]', () => {
  const numbered = (side: number, isBuy: number): RawTypedData => {
    const data = adds(openPosition(), 'isBuy', 'uint8', isBuy)
    const fields = data.types.OpenPosition?.map((field) => (field.name === 'side' ? { name: 'side', type: 'uint8' } : field)) ?? []
    return { ...data, types: { ...data.types, OpenPosition: fields }, message: { ...data.message, side } }
  }
  const { pin } = opening(numbered(0, 1))
  expect(opening(numbered(0, 1), [pin]).comparison.verdict).toBe('pass')
  expect(opening(numbered(1, 1), [pin]).comparison.verdict).toBe('block')
})

test.each([
  ['orderType', 'close_position_market'],
  ['timeInForce', 'session'],
  ['side', 'both'],
])('the app asks the user once about an unknown word for %s in a close, and does not block the close [FLOW-02]', (name, word) => {
  const says = (said: string): RawTypedData => (name === 'side' ? adds(closePosition(), name, 'string', said) : withValues({ [name]: said }))
  const first = closing(says(word), closeTicket)
  expect(first.comparison).toMatchObject({ verdict: 'confirm', asks: { kind: 'exit_extra', field: name, value: word } })
  expect(closing(says(word), closeTicket, { formats: [first.pin] }).comparison.verdict).toBe('pass')
  expect(closing(says('another'), closeTicket, { formats: [first.pin] }).comparison.asks).toMatchObject({ kind: 'exit_extra', field: name })
})

test('the app asks the user about a whole close that does not fit the accepted format but fits the request, because a wrong first answer could otherwise block every later close [FLOW-02]', () => {
  const honest = withValues({ size: '25930000' })
  // The app accepts the first close in a format without a question, and so learns its scale from a wrong or hostile answer.
  const wrong = closing(withValues({ size: '259300000000000000', referencePrice: '96412500000000000000000' }))
  expect([wrong.comparison.verdict, wrong.pin.sizeScale]).toEqual(['pass', 18])
  const right = closing(honest, whole, { formats: [wrong.pin] })
  expect(right.comparison).toMatchObject({ verdict: 'confirm', asks: { kind: 'exit_extra', field: 'size', value: '0.2593' } })
  expect(right.comparison.sentence).toBe('The size is 0.2593 BTC as you asked for, but could also be read as 0.00000000002593 BTC. Confirm this value once.')
  // From this confirmation, the app learns the right scale.
  expect(closing(honest, whole, { formats: [right.pin] }).comparison.verdict).toBe('pass')
  // Another market may have sizes at another scale.
  const other: CloseTicket = { ...whole, position: { ...position, positionId: 'pos_9', pairId: 2, symbol: 'ETH-PERP', size: '2.5' }, referencePrice: '3000' }
  const message = withValues({ positionId: 'pos_9', pairId: '2', size: '2500000000000000000', referencePrice: '300000000000' })
  expect(closing(message, other, { formats: [right.pin] }).comparison.asks).toMatchObject({ kind: 'exit_extra', field: 'size' })
  const slippage = closing(withValues({ size: '25930000', maxSlippageBps: '5000000000000000' }))
  expect(closing(honest, whole, { formats: [slippage.pin] }).comparison.sentence).toContain('could also be read as 0.00 %')
  // A value that matches at no scale, or another wallet, still blocks the close. So does another scale in a partial close.
  expect(closing(withValues({ size: '30000000' }), whole, { formats: [wrong.pin] }).comparison.verdict).toBe('block')
  expect(closing(withValues({ size: '25930000', trader: otherWallet }), whole, { formats: [wrong.pin] }).comparison.verdict).toBe('block')
  expect(closing(closePosition(), closeTicket, { formats: [wrong.pin] }).comparison.verdict).toBe('block')
})
