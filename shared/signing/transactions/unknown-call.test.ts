import { type Abi, encodeFunctionData, getAddress, pad, parseAbi, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { position } from '../../../e2e/support/fixtures/position-intent.ts'
import { nowMs, otherWallet, pinnedRouter, router, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenTransactions } from '../../../e2e/support/spoken-comparison.ts'
import type { TransactionEntry } from '../../api/schemas/prepared-action-resources.ts'
import type { ActionTicket, SeenOrder } from '../../ipc/intents/tickets.ts'
import { unreadablePhrase } from '../../phrases.ts'
import { explainTransactions, type TransactionsExpectation } from './transactions.ts'

const spokenOf = (...given: Parameters<typeof explainTransactions>) => spokenTransactions(explainTransactions(...given))

const usdc = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

const abi: Abi = parseAbi([
  'function cancel(uint256 id)',
  'function cancelByKey(bytes32 key)',
  'function cancelText(string id)',
  'function cancelMany(uint256[] ids)',
  'function cancelIn(uint32 market, uint256 id, uint64 deadline)',
  'function cancelFor(address owner, uint256 id)',
  'function cancelTo(uint256 id, address recipient)',
  'function cancelFee(uint256 id, uint256 fee)',
  'function put(address token, uint256 amount)',
  'function take(address token, uint256 amount, address to)',
  'function setExits(uint256 position, uint256 tp, uint256 sl)',
  'function lever(uint256 position, uint8 leverage)',
  'function setAgent(address agent)',
  'function withdraw(uint256 amount)',
  'function transfer(address to, uint256 amount)',
])
const entry = (functionName: string, args: readonly unknown[], change: Partial<TransactionEntry> = {}): TransactionEntry => ({
  ...{ kind: 'action', from: wallet, to: router, value: '0x0', deadlineMs: nowMs + 120_000, unknownFields: null },
  data: encodeFunctionData({
    abi,
    functionName,
    args: args.map((value) => (typeof value === 'string' && value.length === 42 ? getAddress(value.toLowerCase()) : value)),
  }),
  ...change,
})
const order: SeenOrder = {
  ...{ orderId: '90003', pairId: 1, symbol: 'BTC-PERP', side: 'long', orderValueUsdc: '25000' },
  ...{ limitPrice: '96000', triggerPrice: null, takeProfit: null, stopLoss: null },
}
const cancel: ActionTicket = { action: 'cancel_order', order }
const expectation = (ticket: ActionTicket, formats: TransactionsExpectation['formats'] = []): TransactionsExpectation => ({
  ...{ ticket, wallet, router: pinnedRouter, priceDecimals: 1, formats, nowMs },
  tokens: { USDC: { contract: { by: 'pin', address: usdc }, decimals: 6 }, own: { contract: null, decimals: 18 } },
})
const explain = (ticket: ActionTicket, it: TransactionEntry, formats: TransactionsExpectation['formats'] = []) => {
  const explained = spokenOf([it], expectation(ticket, formats))
  return { ...explained, formats: explained.steps.map(({ compared }) => compared.pin) }
}

const seconds = BigInt(nowMs / 1_000 + 120)
const cancels: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['cancel', [90_003n], [90_004n]],
  ['cancelByKey', [pad('0x015f93')], [pad('0x015f94')]],
  ['cancelByKey', [pad(stringToHex('90003'), { dir: 'right', size: 32 })], [pad(stringToHex('90004'), { dir: 'right', size: 32 })]],
  ['cancelText', ['90003'], ['90004']],
  ['cancelMany', [[90_003n]], [[90_004n]]],
  ['cancelIn', [1, 90_003n, seconds], [1, 90_004n, seconds]],
  ['cancelFor', [wallet, 90_003n], [wallet, 90_004n]],
]

test.each(cancels)(
  'the app accepts a cancel through the unknown contract function %s, but asks the user if the call names another order [FLOW-03]',
  (name, right, wrong) => {
    const first = explain(cancel, entry(name, right))
    expect([first.sentence, first.verdict, first.expectedPhrase]).toEqual([null, 'pass', null])
    const other = explain(cancel, entry(name, wrong))
    expect([other.verdict, other.expectedPhrase]).toEqual(['confirm', unreadablePhrase])
    // From the first call, the app knows that this argument is the order id. So a different id is now a difference.
    expect(explain(cancel, entry(name, wrong), first.formats).verdict).toBe('block')
    expect(explain(cancel, entry(name, right), first.formats).verdict).toBe('pass')
  },
)

test('the app asks the user about an extra argument of a cancel call and names it, but blocks an unknown address in the call [FLOW-03]', () => {
  expect(explain(cancel, entry('cancelFee', [90_003n, 5_000_000n]))).toMatchObject({ verdict: 'confirm', expectedPhrase: 'close with unknown field arg[1]' })
  expect(explain(cancel, entry('cancelMany', [[90_003n, 90_004n]]))).toMatchObject({ verdict: 'confirm', expectedPhrase: 'close with unknown field arg[0][1]' })
  expect(explain(cancel, entry('cancelTo', [90_003n, otherWallet]))).toMatchObject({ verdict: 'block', sentence: expect.stringContaining(otherWallet) })
  expect(explain(cancel, entry('cancelFor', [otherWallet, 90_003n])).verdict).toBe('block')
  expect(explain(cancel, entry('cancel', [90_003n], { value: '0x1' })).verdict).toBe('block')
  expect(explain(cancel, entry('cancel', [90_003n], { to: otherWallet })).verdict).toBe('block')
  expect(explain(cancel, entry('cancel', [90_003n], { to: usdc })).verdict).toBe('block')
  expect(explain(cancel, entry('cancel', [90_003n], { from: otherWallet })).verdict).toBe('block')
})

const learnt: readonly (readonly [string, ActionTicket, readonly unknown[], readonly (readonly unknown[])[]])[] = [
  [
    'take',
    { action: 'withdraw_collateral', token: 'USDC', amount: '250.5' },
    [usdc, 250_500_000n, wallet],
    [
      [usdc, 501_000_000n, wallet],
      [usdc, 250_500_000n, otherWallet],
      [otherWallet, 250_500_000n, wallet],
    ],
  ],
  [
    'setExits',
    { action: 'update_tpsl', position: { ...position, positionId: '90003' }, stopLoss: '94300' },
    [90_003n, 9_850_000_000_000n, 9_430_000_000_000n],
    [
      [90_004n, 9_850_000_000_000n, 9_430_000_000_000n],
      [90_003n, 985_000_000_000_000n, 9_430_000_000_000n],
      [90_003n, 9_430_000_000_000n, 9_850_000_000_000n],
    ],
  ],
  [
    'lever',
    { action: 'change_isolated_leverage', position: { ...position, positionId: '90003' }, leverage: 5 },
    [90_003n, 5],
    [
      [90_003n, 50],
      [90_004n, 5],
    ],
  ],
]

test.each(learnt)(
  'the app learns the arguments of the unknown function %s from one confirmation, then blocks other values in them [FLOW-03]',
  (name, ticket, right, wrongs) => {
    const first = explain(ticket, entry(name, right))
    expect([first.verdict, first.expectedPhrase]).toEqual(['confirm', unreadablePhrase])
    const again = explain(ticket, entry(name, right), first.formats)
    expect([again.sentence, again.verdict]).toEqual([null, 'pass'])
    for (const wrong of wrongs) expect([wrong, explain(ticket, entry(name, wrong), first.formats).verdict]).toEqual([wrong, 'block'])
  },
)

test('the app accepts a call of an unknown contract function with a new requested amount once the user confirmed the function with another amount [FLOW-03]', () => {
  const first = explain({ action: 'add_collateral', token: 'USDC', amount: '100', permit: false }, entry('put', [usdc, 100_000_000n]))
  const next = explain({ action: 'add_collateral', token: 'USDC', amount: '200', permit: false }, entry('put', [usdc, 200_000_000n]), first.formats)
  expect(next.verdict).toBe('pass')
})

const listedAs = (orderId: string): ActionTicket => ({ action: 'cancel_order', order: { ...order, orderId } })

test('the app asks the user once about a cancel whose order id is an address, because the function could give the address rights [FLOW-03]', () => {
  const first = explain(listedAs(otherWallet.toLowerCase()), entry('setAgent', [otherWallet]))
  expect([first.verdict, first.expectedPhrase]).toEqual(['confirm', 'close with unknown field arg[0]'])
  // An exchange may number its orders with 20 bytes. The user confirmed that this function's argument is an order id.
  const next = '0x2222222222222222222222222222222222222222'
  expect(explain(listedAs(next), entry('setAgent', [next]), first.formats).verdict).toBe('pass')
})

test('the app blocks a known function for another action also if extra bytes follow its arguments [FLOW-03]', () => {
  const { data } = entry('withdraw', [5_000_000n])
  for (const extra of ['', '0'.repeat(64)])
    expect(explain(listedAs('5000000'), entry('withdraw', [5_000_000n], { data: `${data}${extra}` }))).toMatchObject({
      verdict: 'block',
      sentence: expect.stringContaining('withdraw(uint256)'),
    })
})

test('the app never sends an unreadable call to a token, even if the service published the token as one of its contracts [FLOW-03]', () => {
  const published = { ...expectation(listedAs(otherWallet)), router: { by: 'pin', address: usdc } as const }
  expect(explainTransactions([entry('transfer', [otherWallet, seconds], { to: usdc })], published).verdict).toBe('block')
})

test('the app asks the user about a cancel whose arguments changed places, because a wrong first call could otherwise block every later cancel [FLOW-03]', () => {
  const wrong = explain(cancel, entry('cancelIn', [90_003, 0n, seconds]))
  expect(wrong.verdict).toBe('pass')
  const right = explain(cancel, entry('cancelIn', [1, 90_003n, seconds]), wrong.formats)
  expect([right.verdict, right.expectedPhrase]).toEqual(['confirm', 'close with unknown field arg[0]'])
  expect(explain(cancel, entry('cancelIn', [1, 90_003n, seconds]), right.formats).verdict).toBe('pass')
  expect(explain(cancel, entry('cancelIn', [1, 90_004n, seconds]), wrong.formats).verdict).toBe('block')
})
