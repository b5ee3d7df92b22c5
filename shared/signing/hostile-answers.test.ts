import { expect, test } from 'vitest'
import { closePosition, closeTicket, invertPosition, position, positionExpectation } from '../../e2e/support/fixtures/position-intent.ts'
import { type Alteration, agentGrant, nowMs, openPosition, otherWallet, type RawTypedData, read, wallet } from '../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../e2e/support/spoken-comparison.ts'
import type { CloseTicket } from '../ipc/intents/tickets.ts'
import { compareClose, type PositionExpectation } from './grant/position-intent.ts'

/** Answers of an exchange that chooses ids and values so that the user signs something else than the request. */

const whole: CloseTicket = { ...closeTicket, size: null }
const seconds = nowMs / 1_000
const closing = (data: RawTypedData, ticket: CloseTicket = whole, change: Partial<PositionExpectation<CloseTicket>> = {}) =>
  spokenResult(compareClose(read(data), positionExpectation(ticket, { formats: [], ...change })))
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

test('the app never takes an address in a message for the id of the position, whatever id the service lists [FLOW-02]', () => {
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
