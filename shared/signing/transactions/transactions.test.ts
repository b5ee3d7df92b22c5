import { type Abi, encodeFunctionData, getAddress, isAddress, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { position } from '../../../e2e/support/fixtures/position-intent.ts'
import { nowMs, otherWallet, pinnedRouter, router, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenTransactions } from '../../../e2e/support/spoken-comparison.ts'
import type { TransactionEntry } from '../../api/schemas/prepared-action-resources.ts'
import { Spending } from '../../ipc/intents/signing.ts'
import type { ActionTicket, ActionTicketOf, SeenOrder } from '../../ipc/intents/tickets.ts'
import { confirmationPhrase, unreadablePhrase } from '../../phrases.ts'
import { spendingText, spendingTitle } from '../../text/signing-text.ts'
import { comparePayload } from '../message/payload.ts'
import { explainTransactions, type TransactionsExpectation } from './transactions.ts'

const spokenOf = (...given: Parameters<typeof explainTransactions>) => spokenTransactions(explainTransactions(...given))

const usdc = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const svc = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

/** Encodes calls as the practice exchange does: prices with 8 decimals, USDC with 6, the protocol's own token with 18. */
const abi: Abi = parseAbi([
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function deposit(uint256)',
  'function depositToken(address,uint256)',
  'function withdraw(uint256)',
  'function withdrawToken(address,uint256)',
  'function updateTpSl(string,uint256,uint256)',
  'function addMargin(string,uint256)',
  'function reduceMargin(string,uint256)',
  'function changeLeverage(string,uint256)',
  'function cancelOrder(string)',
  'function replaceOrder(string,uint256,uint256,uint256,uint256,uint256)',
])
type Argument = string | bigint
const encode = (functionName: string, args: readonly Argument[]): string =>
  encodeFunctionData({
    abi,
    functionName,
    args: args.map((value) => (typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : value)),
  })

const entry = (data: string, change: Partial<TransactionEntry> = {}): TransactionEntry => ({
  kind: 'action',
  from: wallet,
  to: router,
  data,
  value: '0x0',
  deadlineMs: nowMs + 120_000,
  unknownFields: null,
  ...change,
})
const approval = (token: string, spender: string, units: bigint, change: Partial<TransactionEntry> = {}): TransactionEntry =>
  entry(encode('approve', [spender, units]), { kind: 'approval', to: token, ...change })

const order: SeenOrder = {
  orderId: 'ord_7',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  orderValueUsdc: '25000',
  limitPrice: '96000',
  triggerPrice: null,
  takeProfit: '98500',
  stopLoss: null,
}

const expectation = (ticket: ActionTicket, change: Partial<TransactionsExpectation> = {}): TransactionsExpectation => ({
  ticket,
  wallet,
  router: pinnedRouter,
  tokens: { USDC: { contract: { by: 'pin', address: usdc }, decimals: 6 }, own: { contract: { by: 'pin', address: svc }, decimals: 18 } },
  priceDecimals: 1,
  formats: [],
  nowMs,
  ...change,
})

const known = (ticket: ActionTicket, entries: readonly TransactionEntry[]): TransactionsExpectation => {
  const { steps } = spokenOf(entries, expectation(ticket))
  return expectation(ticket, { formats: steps.map(({ compared }) => compared.pin) })
}

interface Case {
  readonly ticket: ActionTicket
  readonly name: string
  readonly args: readonly Argument[]
  readonly others: readonly (readonly [index: number, value: Argument, sentence: string])[]
}

const exits: ActionTicketOf<'update_tpsl'> = { action: 'update_tpsl', position, stopLoss: '94300' }
const wrongPosition = 'The transaction has another position: pos_9. You asked for pos_1204.'
const wrongOrder = 'The transaction has another order: ord_8. You asked for ord_7.'

const cases: readonly Case[] = [
  {
    ticket: exits,
    name: 'updateTpSl',
    // The ticket changes only the stop loss, so the call must repeat the position's take profit.
    args: ['pos_1204', 9_850_000_000_000n, 9_430_000_000_000n],
    others: [
      [0, 'pos_9', wrongPosition],
      [1, 9_850_100_000_000n, 'The transaction has another take profit: 98,501.0. You asked for 98,500.0.'],
      [1, 0n, 'The transaction has another take profit: 0. You asked for 98,500.0.'],
      [2, 9_640_000_000_000n, 'The transaction has another stop loss: 96,400.0. You asked for 94,300.0.'],
    ],
  },
  {
    ticket: { action: 'update_tpsl', position, takeProfit: null, stopLoss: '94300' },
    name: 'updateTpSl',
    args: ['pos_1204', 0n, 9_430_000_000_000n],
    others: [[1, 9_850_000_000_000n, 'The transaction sets the take profit to 98,500.0. You asked for none.']],
  },
  {
    ticket: { action: 'add_isolated_margin', position, amountUsdc: '250.5' },
    name: 'addMargin',
    args: ['pos_1204', 250_500_000n],
    others: [
      [0, 'pos_9', wrongPosition],
      [1, 2_505_000_000n, 'The transaction is for 2,505.00 USDC. You asked for 250.50 USDC.'],
    ],
  },
  {
    ticket: { action: 'reduce_isolated_margin', position, amountUsdc: '250.5' },
    name: 'reduceMargin',
    args: ['pos_1204', 250_500_000n],
    others: [
      [0, 'pos_9', wrongPosition],
      [1, 250_499_999n, 'The transaction is for 250.499999 USDC. You asked for 250.50 USDC.'],
    ],
  },
  {
    ticket: { action: 'change_isolated_leverage', position, leverage: 5 },
    name: 'changeLeverage',
    args: ['pos_1204', 5n],
    others: [
      [0, 'pos_9', wrongPosition],
      [1, 50n, 'The transaction has another leverage: 50×. You asked for 5×.'],
    ],
  },
  { ticket: { action: 'cancel_order', order }, name: 'cancelOrder', args: ['ord_7'], others: [[0, 'ord_8', wrongOrder]] },
  {
    ticket: { action: 'replace_order', order, limitPrice: '95500', stopLoss: '94300' },
    name: 'replaceOrder',
    args: ['ord_7', 25_000_000_000n, 9_550_000_000_000n, 0n, 9_850_000_000_000n, 9_430_000_000_000n],
    others: [
      [0, 'ord_8', wrongOrder],
      [1, 250_000_000_000n, 'The transaction has another order value: 250,000.00 USDC. You asked for 25,000.00 USDC.'],
      [2, 9_600_000_000_000n, 'The transaction has another limit price: 96,000.0. You asked for 95,500.0.'],
      [2, 0n, 'The transaction has another limit price: 0. You asked for 95,500.0.'],
      [3, 9_600_000_000_000n, 'The transaction sets the trigger price to 96,000.0. You asked for none.'],
      [4, 0n, 'The transaction has another take profit: 0. You asked for 98,500.0.'],
      [5, 9_430_000_000_001n, 'The transaction has another stop loss: 94,300.00000001. You asked for 94,300.0.'],
    ],
  },
  {
    ticket: { action: 'add_collateral', token: 'USDC', amount: '100.5', permit: false },
    name: 'deposit',
    args: [100_500_000n],
    others: [
      [0, 1_005_000_000n, 'The transaction is for 1,005.00 USDC. You asked for 100.50 USDC.'],
      [0, 2n ** 256n - 1n, 'The transaction is for USDC without a limit. You asked for 100.50 USDC.'],
    ],
  },
  {
    ticket: { action: 'add_collateral', token: 'SVC', amount: '2.5', permit: false },
    name: 'depositToken',
    args: [svc, 2_500_000_000_000_000_000n],
    others: [
      [0, usdc, `The transaction is for the token ${usdc}. You asked for the token at ${svc}.`],
      [1, 25_000_000_000_000_000_000n, 'The transaction is for 25.00 SVC. You asked for 2.50 SVC.'],
    ],
  },
  {
    ticket: { action: 'withdraw_collateral', token: 'USDC', amount: '100.5' },
    name: 'withdraw',
    args: [100_500_000n],
    others: [[0, 100_500n, 'The transaction is for 0.1005 USDC. You asked for 100.50 USDC.']],
  },
  {
    ticket: { action: 'withdraw_collateral', token: 'SVC', amount: '2.5' },
    name: 'withdrawToken',
    args: [svc, 2_500_000_000_000_000_000n],
    others: [
      [0, usdc, `The transaction is for the token ${usdc}. You asked for the token at ${svc}.`],
      [1, 1n, 'The transaction is for 0.000000000000000001 SVC. You asked for 2.50 SVC.'],
    ],
  },
]

test.each(cases)(
  'the app accepts the contract call $name for $ticket.action once the user has confirmed the call’s format [FLOW-03]',
  ({ ticket, name, args }) => {
    const entries = [entry(encode(name, args))]
    const first = spokenOf(entries, expectation(ticket))
    const isExit = ticket.action === 'cancel_order'
    // A cancel passes without confirmation, and its format is stored at once. Any other action needs one confirmation.
    expect([first.verdict, first.sentence]).toEqual(isExit ? ['pass', null] : ['confirm', 'The transaction has a new signing format. Confirm it once.'])
    expect(first.expectedPhrase === confirmationPhrase).toBe(!isExit)
    const again = spokenOf(entries, known(ticket, entries))
    expect([again.verdict, again.sentence, again.expectedPhrase]).toEqual(['pass', null, null])
    expect(again.steps[0]?.compared.comparison.lines.filter(({ verdict }) => verdict !== 'match')).toEqual([])
    expect(again.steps[0]).toMatchObject({ contract: 'router', transaction: { from: wallet, to: router, data: entries[0]?.data, value: '0x0' } })
  },
)

const altered = cases.flatMap(({ ticket, name, args, others }) =>
  others.map(([index, value, sentence]) => ({
    ticket,
    name,
    args,
    index,
    value,
    sentence,
    field: `${name}, argument ${index}, ${String(value).slice(0, 24)}`,
  })),
)

test.each(altered)(
  'the app refuses a contract call with a changed argument, and names the argument: $field [FLOW-03]',
  ({ ticket, name, args, index, value, sentence }) => {
    const good = [entry(encode(name, args))]
    const bad = [entry(encode(name, args.with(index, value)))]
    for (const trusted of [known(ticket, good), expectation(ticket)]) {
      const explained = spokenOf(bad, trusted)
      expect(explained.verdict).toBe('block')
      expect(explained.expectedPhrase).toBeNull()
      expect(explained.steps[0]?.transaction).toBeNull()
    }
    expect(spokenOf(bad, known(ticket, good)).sentence).toBe(sentence)
  },
)

test('the tests in this file change every argument of every contract function that the app knows [FLOW-03]', () => {
  const tried = new Set(cases.flatMap(({ name, others }) => others.map(([index]) => `${name} ${index}`)))
  expect(cases.flatMap(({ name, args }) => args.map((_, index) => `${name} ${index}`)).filter((argument) => !tried.has(argument))).toEqual([])
})

const deposit: ActionTicketOf<'add_collateral'> = { action: 'add_collateral', token: 'USDC', amount: '100.5', permit: false }
const depositEntries = [approval(usdc, router, 100_500_000n), entry(encode('deposit', [100_500_000n]))]
const trusted = known(deposit, depositEntries)
const explainDeposit = (change: (entries: TransactionEntry[]) => readonly TransactionEntry[]) =>
  spokenOf(change(depositEntries.map((one) => ({ ...one }))), trusted)
const first = (change: Partial<TransactionEntry>) => explainDeposit(([a, ...rest]) => [...(a === undefined ? [] : [{ ...a, ...change }]), ...rest])
const second = (change: Partial<TransactionEntry>) =>
  explainDeposit(([a, b]) => [a, b].flatMap((one, index) => (one === undefined ? [] : [index === 1 ? { ...one, ...change } : one])))

test('the app accepts an approval of exactly the deposit’s amount for the router, followed by the deposit [FLOW-03] [FLOW-04]', () => {
  const { steps, verdict } = explainDeposit((entries) => entries)
  expect(verdict).toBe('pass')
  expect(steps.map(({ contract, signature }) => [contract, signature])).toEqual([
    ['USDC', 'approve(address,uint256)'],
    ['router', 'deposit(uint256)'],
  ])
  expect(steps[0]?.compared.comparison.lines.map(({ label, asked, signed, unit, verdict: each }) => [label, asked, signed, unit, each])).toEqual([
    ['What it does', 'Deposit 100.50 USDC', 'approve(address,uint256)', null, 'match'],
    ['Spender', '0x4b1c000000000000000000000000000000c082Fb', '0x4b1c000000000000000000000000000000c082Fb', null, 'match'],
    ['Amount', '100.50', '100.50', 'USDC', 'match'],
    ['Contract', 'The exchange router, or the token of a deposit', 'The token USDC, 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', null, 'match'],
    ['Your wallet', '0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e', '0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e', null, 'match'],
    ['ETH sent along', '0', '0', 'ETH', 'match'],
    ['Send before', 'A future time', '14:34:08 UTC, for 2 min', null, 'match'],
  ])
  expect(steps.map(({ spending }) => spending && spendingText(spending))).toEqual([
    'This lets 0x4b1c000000000000000000000000000000c082Fb take up to 100.50 USDC from your wallet, at any time. The right ends when it is used or revoked.',
    null,
  ])
  // The user need not confirm an approval's format, because ERC-20 defines it.
  expect(spokenOf(depositEntries, expectation(deposit)).steps[0]?.expectedPhrase).toBeNull()
})

test.each<[string, () => ReturnType<typeof spokenOf>, RegExp]>([
  [
    'another spender',
    () => first({ data: encode('approve', [otherWallet, 100_500_000n]) }),
    /^The transaction lets 0x1111\S+ take your tokens\. The router is 0x4b1c\S+$/,
  ],
  ['more than the deposit', () => first({ data: encode('approve', [router, 100_500_001n]) }), /is for 100\.500001 USDC\. You asked for 100\.50 USDC\.$/],
  ['less than the deposit', () => first({ data: encode('approve', [router, 1n]) }), /is for 0\.000001 USDC/],
  ['an approval without a limit', () => first({ data: encode('approve', [router, 2n ** 256n - 1n]) }), /is for USDC without a limit/],
  ['the approval of another token', () => first({ to: svc }), /calls approve\(address,uint256\), which is not what you asked for\.$/],
  ['a transfer in place of the approval', () => first({ data: encode('transfer', [router, 100_500_000n]) }), /calldata that this app cannot read\.$/],
  ['bytes behind the arguments', () => first({ data: `${depositEntries[0]?.data}00` }), /calldata that this app cannot read\.$/],
  ['fewer bytes than the arguments', () => first({ data: depositEntries[0]?.data?.slice(0, -2) ?? null }), /calldata that this app cannot read\.$/],
  ['an approval that is called an action', () => first({ kind: 'action' }), /calls approve\(address,uint256\), but the service says that it is an action\.$/],
  ['a deposit that is called an approval', () => second({ kind: 'approval' }), /calls deposit\(uint256\), but the service says that it is an approval\.$/],
  ['another contract', () => second({ to: otherWallet }), /calls 0x1111\S+, which is neither the exchange router nor a token of the exchange\.$/],
  ['no contract', () => second({ to: null }), /does not name a contract\.$/],
  ['no calldata', () => second({ data: null }), /contains no calldata\.$/],
  ['another wallet', () => second({ from: otherWallet }), /is for the wallet 0x1111\S+\. Yours is 0x7A3F\S+\.$/],
  ['ETH along with it', () => second({ value: '0x1' }), /sends 0\.000000000000000001 ETH along, which you did not ask for\.$/],
  ['a value that is no number', () => second({ value: 'lots' }), /sends an amount of ETH along that cannot be read\.$/],
  ['a deadline that is over', () => second({ deadlineMs: nowMs }), /has already expired\.$/],
  [
    'a withdrawal in place of the deposit',
    () => second({ data: encode('withdraw', [100_500_000n]) }),
    /calls withdraw\(uint256\), which is not what you asked for\.$/,
  ],
  [
    'the approval after the deposit',
    () => explainDeposit((entries) => entries.toReversed()),
    /^The service wants an approval after the transaction that needs it\.$/,
  ],
  ['an approval alone', () => explainDeposit((entries) => entries.slice(0, 1)), /^The service wants an approval, but no transaction that would use it\.$/],
  ['two approvals', () => explainDeposit(([a, ...rest]) => (a === undefined ? [] : [a, a, ...rest])), /^The service wants 2 approvals for one action\.$/],
  ['two deposits', () => explainDeposit((entries) => [...entries, ...entries.slice(1)]), /^The service wants 2 transactions for one action\.$/],
  ['nothing', () => explainDeposit(() => []), /^The service prepared no transaction\.$/],
])('the app blocks all transactions of an action if one of them is wrong or if they are in the wrong sequence: %s [FLOW-03]', (_what, explain, sentence) => {
  const explained = explain()
  expect([explained.verdict, explained.expectedPhrase]).toEqual(['block', null])
  expect(explained.sentence).toMatch(sentence)
})

test('the app describes the token of an approval correctly, even if another token is deposited [FLOW-03]', () => {
  const spending = Spending.parse(first({ to: svc }).steps[0]?.spending)
  expect(spendingText(spending)).toMatch(/ take up to 0\.0000000001005 of the protocol’s own token from your wallet, /)
  expect(spendingTitle(spending)).toBe('This allows taking 0.0000000001005 of the protocol’s own token from your wallet, and no more.')
})

test('the app refuses a token approval in an action that takes nothing from the wallet [FLOW-03]', () => {
  const ticket: ActionTicket = { action: 'cancel_order', order }
  const explained = spokenOf([approval(usdc, router, 1n), entry(encode('cancelOrder', ['ord_7']))], expectation(ticket))
  expect(explained.sentence).toBe('The transaction calls approve(address,uint256), which is not what you asked for.')
})

test('the app labels router calldata that it cannot read, and requires a special phrase each time if the calldata contains no requested value [FLOW-03]', () => {
  const strange = [entry('0xdeadbeef00')]
  const ticket: ActionTicket = { action: 'invert_position', position, referencePrice: '96412.5', maxSlippageBps: 50 }
  for (const trust of [expectation(ticket), known(ticket, strange)]) {
    const { steps, verdict, expectedPhrase, sentence } = spokenOf(strange, trust)
    expect([verdict, expectedPhrase, steps[0]?.signature]).toEqual(['confirm', unreadablePhrase, null])
    expect(sentence).toBe('The transaction calls the exchange router with calldata that this app cannot read: 0xdeadbeef.')
    expect(steps[0]?.compared.comparison.lines[0]).toMatchObject({ id: 'function', verdict: 'unmatched', signed: 'Unknown calldata, 0xdeadbeef' })
  }
})

test('the app never sends unreadable calldata together with ETH or to a token contract [FLOW-03]', () => {
  expect(spokenOf([entry('0xdeadbeef', { value: '0xde0b6b3a7640000' })], expectation(deposit)).sentence).toMatch(/sends 1 ETH along/)
  expect(spokenOf([entry('0xdeadbeef', { to: usdc })], expectation(deposit)).verdict).toBe('block')
})

test('the app reads the prices in a contract call only at the scale that the user has accepted [FLOW-02] [FLOW-03]', () => {
  const ticket: ActionTicket = { ...exits, position: { ...position, takeProfit: null } }
  const good = [entry(encode('updateTpSl', ['pos_1204', 0n, 9_430_000_000_000n]))]
  const hundredfold = [entry(encode('updateTpSl', ['pos_1204', 0n, 943_000_000_000_000n]))]
  expect(spokenOf(hundredfold, known(ticket, good)).sentence).toBe('The transaction has another stop loss: 9,430,000.0. You asked for 94,300.0.')
  // One price matches at 8 decimals, the other at 10, so the scale is unknown.
  expect(spokenOf([entry(encode('updateTpSl', ['pos_1204', 9_850_000_000_000n, 943_000_000_000_000n]))], expectation(exits)).verdict).toBe('block')
})

test('the app accepts an order-replacing call that omits or repeats unchanged values, but requires the call to repeat TP and SL [FLOW-03]', () => {
  const ticket: ActionTicket = { action: 'replace_order', order, limitPrice: '95500' }
  const replace = (...args: readonly bigint[]) => [entry(encode('replaceOrder', ['ord_7', ...args]))]
  const full = replace(25_000_000_000n, 9_550_000_000_000n, 0n, 9_850_000_000_000n, 0n)
  const trust = known(ticket, full)
  expect(spokenOf(full, trust).verdict).toBe('pass')
  expect(spokenOf(replace(0n, 9_550_000_000_000n, 0n, 9_850_000_000_000n, 0n), trust).verdict).toBe('pass')
  expect(spokenOf(replace(0n, 9_550_000_000_000n, 0n, 0n, 0n), trust).verdict).toBe('block')
  const larger: ActionTicket = { action: 'replace_order', order, orderValueUsdc: '30000' }
  expect(spokenOf(replace(30_000_000_000n, 0n, 0n, 9_850_000_000_000n, 0n), { ...trust, ticket: larger }).verdict).toBe('pass')
  expect(spokenOf(replace(0n, 0n, 0n, 9_850_000_000_000n, 0n), { ...trust, ticket: larger }).verdict).toBe('block')
  // The screen showed no stop loss for this order. So the app cannot know whether the stop loss in the call changes the order.
  const stop = spokenOf(replace(0n, 9_550_000_000_000n, 0n, 9_850_000_000_000n, 9_430_000_000_000n), trust)
  expect([stop.verdict, stop.sentence]).toEqual(['confirm', 'The transaction contains stopLoss (9,430,000,000,000), which you did not ask for.'])
})

test('the app asks the user about a called contract that the service publishes but that the user does not trust yet [FLOW-03]', () => {
  const change = { router: { by: 'service', address: router, instead: null } } as const
  expect(spokenOf(depositEntries, { ...trusted, ...change })).toMatchObject({
    verdict: 'confirm',
    sentence: 'The transaction names a contract that you do not trust yet. Confirm it once.',
  })
  expect(spokenOf(depositEntries, { ...trusted, router: null }).verdict).toBe('block')
})

test('the app blocks a transaction if the service prepared a different payload from the payload that the app sent [ORD-17]', () => {
  const payload = comparePayload({ token: 'USDC', amount: '100.5' }, { token: 'USDC', amount: '1005' })
  expect(spokenOf(depositEntries, { ...trusted, payload })).toMatchObject({
    verdict: 'block',
    sentence: 'The service prepared your order with another amount: 1005. You asked for 100.5.',
  })
})

test('the app accepts the transaction of an action without its optional fields', () => {
  const { verdict } = first({ kind: null, from: null, value: null, deadlineMs: null })
  expect(verdict).toBe('pass')
})

test('the app reads an amount of the exchange’s own token with the decimals of the token’s contract, and blocks the transaction without them [FLOW-03]', () => {
  const ticket: ActionTicket = { action: 'withdraw_collateral', token: 'BAQ', amount: '2.5' }
  const verdict = (decimals: number | null, units: bigint) => {
    const tokens = { USDC: { contract: { by: 'pin', address: usdc }, decimals: 6 }, own: { contract: { by: 'pin', address: svc }, decimals } } as const
    return spokenOf([entry(encode('withdrawToken', [svc, units]))], expectation(ticket, { tokens })).verdict
  }
  expect(verdict(8, 250_000_000n)).not.toBe('block')
  expect(verdict(8, 2_500_000_000_000_000_000n)).toBe('block')
  expect(verdict(null, 2_500_000_000_000_000_000n)).toBe('block')
})
