import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { patience, type Sender, startSender } from '../../../../e2e/support/main/sender.ts'
import { failure, value } from '../../../../e2e/support/main/workspace.ts'
import type { ActionTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { reasonText } from '../../../../shared/text/reason-text.ts'
import { minute, systemClock } from '../../../../shared/time.ts'
import type { Faults } from '../../../practice/base/faults.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'
import { raw } from '../../../store/records/raw.ts'

let chain: RunningChain
let workspace: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startSender(chain)
})
afterEach(async () => {
  await chain.pauseMining(false)
  await workspace.stop()
})

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
const states = async (ref: string) => (await workspace.shown(ref)).transactions.map(({ state }) => state)
const state = async (ref: string) => (await workspace.intent(ref)).state
const deposited = async () => (await chain.holdings(chain.usdc, workspace.account.address)).allowance
/** Prepares a deposit and completes its token approval, so that the deposit transaction is next. */
const approved = async () => {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  await workspace.step(ref)
  await workspace.becomes(ref, 'PREPARED')
  return ref
}
/** Sends an action's transaction and waits until it is mined. */
const carriedOut = async (ticket: ActionTicket) => {
  const { ref } = (await workspace.prepareAction(ticket)).intent
  await workspace.step(ref)
  await workspace.becomes(ref, 'CONFIRMING')
  return ref
}

test('the app decodes a transaction, shows its cost, requests exactly that transaction from the wallet, and follows it for eight confirmations [ORD-11] [FLOW-03]', async () => {
  const order = await workspace.restingOrder()
  const prepared = await workspace.prepareAction({ action: 'cancel_order', order })
  expect(prepared).toMatchObject({
    ready: true,
    status: 'ready',
    mode: null,
    intent: { state: 'PREPARED', way: 'transactions' },
    next: 0,
    expectedPhrase: null,
    router: { state: 'pinned' },
    token: null,
    transactions: [
      {
        index: 0,
        kind: 'action',
        contract: 'router',
        signature: 'cancelOrder(string)',
        state: 'waiting',
        simulation: { outcome: 'works' },
        gas: { enough: true },
      },
    ],
  })
  const { ref } = prepared.intent
  const request = value(await workspace.ask(ref))
  expect(request).toEqual({
    method: 'eth_sendTransaction',
    wallet: workspace.account.address,
    chainId: 8453,
    transaction: { from: workspace.account.address, to: chain.router, data: expect.stringMatching(/^0x/), value: '0x0' },
    expiresAtMs: prepared.deadlineMs,
  })
  const txHash = await workspace.broadcast(request)
  await workspace.sentBy(ref, txHash)
  await workspace.finalise(ref)
  expect(await workspace.intent(ref)).toMatchObject({ txHash, confirmations: expect.any(Number) })
  expect(await states(ref)).toEqual(['final'])
  await expect.poll(workspace.openOrders, patience).toEqual([])
})

test('the user can change TP/SL, margin and leverage of a position by wallet transactions, and the account shows the changes [ORD-05] [FLOW-03]', async () => {
  const position = await workspace.openPosition()
  await carriedOut({ action: 'update_tpsl', position, takeProfit: '150000', stopLoss: '20000' })
  await expect.poll(async () => workspace.position(), patience).toMatchObject({ takeProfit: '150000', stopLoss: '20000' })
  const seen = { ...position, takeProfit: '150000', stopLoss: '20000' }
  const margin = async () => Number((await workspace.position()).marginUsdc)
  const before = await margin()
  await carriedOut({ action: 'add_isolated_margin', position: seen, amountUsdc: '40' })
  await expect.poll(margin, patience).toBeCloseTo(before + 40, 1)
  await carriedOut({ action: 'reduce_isolated_margin', position: seen, amountUsdc: '30' })
  await expect.poll(margin, patience).toBeCloseTo(before + 10, 1)
  await carriedOut({ action: 'change_isolated_leverage', position: seen, leverage: 3 })
  await expect.poll(async () => (await workspace.position()).leverage, patience).toBe('3')
})

test('the user can change an order by a wallet transaction, and the account shows the changed order [ORD-05] [FLOW-03]', async () => {
  const order = await workspace.restingOrder()
  await carriedOut({ action: 'replace_order', order, limitPrice: '21000', orderValueUsdc: '300' })
  await expect.poll(workspace.openOrders, patience).toMatchObject([{ limitPrice: '21000' }])
})

test('for a deposit, the app requests an exact token approval, and requests the deposit only once the approval is in a block [FLOW-03] [FLOW-04]', async () => {
  const prepared = await workspace.prepareAction(deposit)
  const { ref } = prepared.intent
  expect(prepared).toMatchObject({
    next: 0,
    spending: { token: 'USDC', spender: chain.router, amount: '25.5' },
    router: { state: 'new' },
    token: { state: 'new', candidate: chain.usdc },
    transactions: [
      { kind: 'approval', contract: 'USDC', signature: 'approve(address,uint256)', simulation: { outcome: 'works' } },
      { kind: 'action', contract: 'router', signature: 'deposit(uint256)', simulation: { outcome: 'skipped' } },
    ],
  })
  await chain.pauseMining(true)
  const first = value(await workspace.ask(ref))
  expect(await state(ref)).toBe('ASKED')
  await workspace.sentBy(ref, await workspace.broadcast(first))
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  // The approval is not in a block yet, so the app refuses to request the deposit transaction.
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'wrong_state' })
  expect(await workspace.intent(ref)).toMatchObject({ state: 'ASKED', reason: { code: 'approval_sent' }, txHash: null })
  await chain.pauseMining(false)
  await workspace.becomes(ref, 'PREPARED')
  expect(await workspace.intent(ref)).toMatchObject({ reason: { code: 'approved' } })
  expect(await workspace.shown(ref)).toMatchObject({ next: 1, spending: null, transactions: [{ state: 'confirming' }, { simulation: { outcome: 'works' } }] })
  expect(await deposited()).toBe(25_500_000n)
  const txHash = await workspace.step(ref)
  await workspace.finalise(ref)
  expect(await workspace.intent(ref)).toMatchObject({ txHash })
  expect(await states(ref)).toEqual(['final', 'final'])
  expect(await deposited()).toBe(0n)
})

test('if the user rejects a deposit after its token approval, the app requests no more transactions and says that the approval remains [FLOW-03]', async () => {
  const ref = await approved()
  value(await workspace.ask(ref))
  value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  expect(await workspace.intent(ref)).toMatchObject({ state: 'CANCELLED', reason: { code: 'rejected_after_approval' } })
  expect(await states(ref)).toEqual(['confirming', 'cancelled'])
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'wrong_state', state: 'CANCELLED' })
  // The app still follows the approval until it is final.
  await chain.mine(8)
  await expect
    .poll(async () => {
      await workspace.tick()
      return states(ref)
    }, patience)
    .toEqual(['final', 'cancelled'])
})

test('a wallet request that never reached the phone can be repeated; if it did and the phone does not answer, only the chain decides', async () => {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  value(await workspace.ask(ref))
  value(await workspace.handlers()['intents.declined']({ ref, why: 'unreachable', detail: null }))
  expect(await state(ref)).toBe('PREPARED')
  const request = value(await workspace.ask(ref))
  value(await workspace.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  expect(workspace.journal().transactions.of(ref)[0]).toMatchObject({ topic: 't', walletRequestId: '7' })
  value(await workspace.handlers()['intents.declined']({ ref, why: 'cancelled', detail: null }))
  expect(await state(ref)).toBe('UNKNOWN')
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'wrong_state', state: 'UNKNOWN' })
  const txHash = await workspace.broadcast(request)
  await workspace.becomes(ref, 'PREPARED')
  expect((await workspace.shown(ref)).transactions[0]).toMatchObject({ txHash, state: 'confirming' })
})

test('the app accepts a transaction hash that arrives from the phone after the wallet request has failed', async () => {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  const request = value(await workspace.ask(ref))
  value(await workspace.handlers()['intents.declined']({ ref, why: 'unreachable', detail: null }))
  await workspace.sentBy(ref, await workspace.broadcast(request))
  await workspace.becomes(ref, 'PREPARED')
  expect(await states(ref)).toEqual(['confirming', 'waiting'])
})

test.each([0, 1])('after a crash during wallet request %d, the transaction is UNKNOWN until the chain shows it [FLOW-03]', async (index) => {
  const ref = index === 0 ? (await workspace.prepareAction(deposit)).intent.ref : await approved()
  const request = value(await workspace.ask(ref))
  value(await workspace.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  await workspace.restart()
  await workspace.connect()
  expect(await workspace.intent(ref)).toMatchObject({
    state: 'UNKNOWN',
    reason: { code: expect.stringMatching(/^(wallet_silent|no_answer_searched|stopped_while_asked_searched)$/) },
  })
  const order = await workspace.handlers()['intents.prepare']({ ...deposit, amount: '1' })
  expect(failure(order)).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
  const txHash = await workspace.broadcast(request)
  await workspace.becomes(ref, index === 0 ? 'PREPARED' : 'CONFIRMING')
  expect((await workspace.shown(ref)).transactions[index]).toMatchObject({ txHash, state: 'confirming' })
  if (index === 0) await workspace.step(ref)
  await workspace.finalise(ref)
})

test('a transaction that the wallet never sent ends once no open wallet request can send it any more [FLOW-03]', async () => {
  const { ref } = await workspace.askedFor(deposit)
  await workspace.restart()
  await workspace.connect()
  await chain.mine(10)
  await workspace.tick()
  expect(await state(ref)).toBe('UNKNOWN')
  workspace.clock.advance(10 * minute)
  await workspace.signIn()
  await workspace.becomes(ref, 'EXPIRED')
  expect(await workspace.intent(ref)).toMatchObject({ reason: { code: 'never_sent' } })
  expect(await states(ref)).toEqual(['cancelled', 'waiting'])

  const txHash = `0x${'ab'.repeat(32)}`
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: txHash }))).toMatchObject({ kind: 'expired' })
  const { intent, timeline } = value(await workspace.handlers()['intents.get']({ ref }))
  expect(intent).toMatchObject({ state: 'EXPIRED', txHash: null })
  expect(timeline.at(-1)?.note).toEqual({ code: 'reason', reason: { code: 'late_transaction', txHash } })
})

test('if the network drops a transaction and the wallet broadcasts it again under another hash, the app follows the new hash', async () => {
  const { ref, request } = await workspace.askedFor(deposit)
  await chain.pauseMining(true)
  const nonce = await workspace.client.getTransactionCount({ address: workspace.account.address })
  const dropped = await workspace.broadcast(request, { nonce })
  await workspace.sentBy(ref, dropped)
  await workspace.rpc('anvil_dropTransaction', [dropped])
  await workspace.tick()
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  const txHash = await workspace.broadcast(request, { nonce, tip: 20_000_000_000n })
  await chain.pauseMining(false)
  await workspace.becomes(ref, 'PREPARED')
  expect((await workspace.shown(ref)).transactions[0]).toMatchObject({ txHash, state: 'confirming' })
})

test('if the network drops a transaction for good, the transaction ends and the app allows other transactions again [FLOW-03]', async () => {
  const { ref, request } = await workspace.askedFor(deposit)
  await chain.pauseMining(true)
  const dropped = await workspace.broadcast(request)
  await workspace.sentBy(ref, dropped)
  await workspace.rpc('anvil_dropTransaction', [dropped])
  await chain.pauseMining(false)
  await chain.mine(10)
  await workspace.tick()
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  workspace.clock.advance(10 * minute)
  await workspace.becomes(ref, 'EXPIRED')
  expect(await workspace.intent(ref)).toMatchObject({ reason: { code: 'dropped' } })
  value(await workspace.ask((await workspace.prepareAction(deposit)).intent.ref))
})

test('if the wallet returns the hash of a transaction that the app did not request, the app rejects that hash [FLOW-03]', async () => {
  const { ref, request } = await workspace.askedFor(deposit)
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: '0x1234' }))).toMatchObject({ kind: 'bad_input', field: 'txHash' })
  const other = await workspace.broadcast(request, { data: '0x095ea7b3' })
  await workspace.client.waitForTransactionReceipt({ hash: other })
  expect(await workspace.sentBy(ref, other)).toMatchObject({ state: 'UNKNOWN' })
  expect(workspace.receipts()).toEqual([])
  await workspace.broadcast(request)
  await workspace.becomes(ref, 'PREPARED')
})

test('if one of an intent’s transactions reverts, the intent ends, and the app does not request its later transactions [FLOW-03] [FLOW-06]', async () => {
  const first = await workspace.askedFor(deposit)
  await workspace.sentBy(first.ref, await workspace.broadcast(first.request, { gas: 30_000n }))
  await workspace.becomes(first.ref, 'REVERTED')
  expect(await states(first.ref)).toEqual(['reverted', 'waiting'])
  expect(failure(await workspace.ask(first.ref))).toMatchObject({ kind: 'wrong_state', state: 'REVERTED' })

  const ref = await approved()
  await workspace.sentBy(ref, await workspace.broadcast(value(await workspace.ask(ref)), { gas: 30_000n }))
  await workspace.becomes(ref, 'REVERTED')
  expect(await workspace.intent(ref)).toMatchObject({ reason: { code: 'reverted' } })
  expect((await states(ref))[1]).toBe('reverted')
})

test('the app follows a transaction again if a reorganisation undoes its FINAL state [FLOW-06]', async () => {
  const order = await workspace.restingOrder()
  await chain.mine(20)
  const { ref, request } = await workspace.askedFor({ action: 'cancel_order', order })
  const nonce = await workspace.client.getTransactionCount({ address: workspace.account.address })
  await workspace.sentBy(ref, await workspace.broadcast(request, { nonce }))
  await workspace.finalise(ref)
  await chain.pauseMining(true)
  await chain.reorganise(18)
  await workspace.becomes(ref, 'SUBMITTED')
  expect(await workspace.intent(ref)).toMatchObject({ reason: { code: 'taken_back' } })
  await chain.pauseMining(false)
  // Broadcast the identical transaction again, like a node that kept it despite the reorganisation.
  await workspace.broadcast(request, { nonce }).catch(() => undefined)
  await workspace.finalise(ref)
})

test('if a reorganisation undoes a deposit’s token approval, the app does not request the deposit [FLOW-03] [FLOW-06]', async () => {
  // Mine blocks first, so that the reorganisation does not remove the block that funded the wallet.
  await chain.mine(20)
  const { ref, request } = await workspace.askedFor(deposit)
  const nonce = await workspace.client.getTransactionCount({ address: workspace.account.address })
  await workspace.sentBy(ref, await workspace.broadcast(request, { nonce }))
  await workspace.becomes(ref, 'PREPARED')
  await chain.pauseMining(true)
  await chain.reorganise(15)
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'wrong_state' })
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  await chain.pauseMining(false)
  await workspace.broadcast(request, { nonce }).catch(() => undefined)
  await workspace.becomes(ref, 'PREPARED')
})

test.each([
  ['spender', /^The transaction lets 0x0+dEaD take your tokens\. The router is 0x/i],
  ['unlimited', /^The transaction is for USDC without a limit\. You asked for 25\.50 USDC\.$/],
  ['token', /^The transaction calls 0x0+dEaD, which is neither the exchange router nor a token of the exchange\.$/i],
  ['wallet', /wallet/],
  ['value', /^The transaction sends 1 ETH along, which you did not ask for\.$/],
  ['selector', /calldata that this app cannot read/],
  ['expired', /has expired/],
] as const satisfies (readonly [Faults['transaction'], RegExp])[])(
  'the app blocks transactions that the service altered (%s), and shows the reason [FLOW-03]',
  async (altered, reason) => {
    workspace.faults.transaction = altered
    const { intent } = await workspace.prepareAction(deposit)
    expect(intent.state).toBe(altered === 'expired' ? 'EXPIRED' : 'REFUSED')
    expect(intent.reason === null ? '' : reasonText(intent.reason)).toMatch(reason)
    expect(workspace.journal().transactions.of(intent.ref)).toEqual([])
    expect(failure(await workspace.ask(intent.ref)).kind).toMatch(/wrong_state|signing_refused|expired/)
  },
)

test('the app does not request a transaction that would revert, and shows the chain’s revert reason [FLOW-03]', async () => {
  const ref = await approved()
  // Transfer the wallet’s USDC away, so that the deposit would revert.
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [chain.router, 1_000_000_000n] })
  const from = workspace.account.address
  const hash = await workspace.broadcast({
    ...{ method: 'eth_sendTransaction', wallet: from, chainId: 8453, expiresAtMs: 0 },
    transaction: { from, to: chain.usdc, data, value: '0x0' },
  })
  await workspace.client.waitForTransactionReceipt({ hash })
  expect((await workspace.shown(ref)).transactions[1]?.simulation).toMatchObject({ outcome: 'reverts', reason: expect.any(String) })
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'not_executable', status: 'reverts' })
  expect(await state(ref)).toBe('PREPARED')
})

test('the app requests no transaction from a wallet without enough ETH for the network fee [FLOW-03]', async () => {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  await workspace.rpc('anvil_setBalance', [workspace.account.address, '0x0'])
  expect((await workspace.shown(ref)).transactions[0]?.gas).toMatchObject({ enough: false, balanceEth: '0' })
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'not_executable', status: 'no_gas' })
  expect(await state(ref)).toBe('PREPARED')
})

test('before a transaction with a new signing format or contract, the user must type a confirmation; a click is not enough [FLOW-03]', async () => {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  // ERC-20 defines an approval’s format, so the user need not confirm the format. The user must confirm the contracts.
  expect(failure(await workspace.ask(ref, { typedPhrase: null, typedRouter: null }))).toMatchObject({ kind: 'confirmation_required', what: 'router' })
  // The user must type both contract addresses. With only one address, the app trusts neither contract.
  expect(failure(await workspace.ask(ref, { typedPhrase: 'sign this layout', typedRouter: chain.router }))).toMatchObject({ what: 'router' })
  expect((await workspace.shown(ref)).router).toMatchObject({ state: 'new' })
  const approval = value(await workspace.ask(ref, { typedPhrase: null, typedRouter: `${chain.router} ${chain.usdc}` }))
  expect(await workspace.shown(ref)).toMatchObject({ router: { state: 'pinned' }, token: { state: 'pinned' } })
  // The API document does not define the deposit function’s format, so the user must confirm that format, too.
  await workspace.sentBy(ref, await workspace.broadcast(approval))
  await workspace.becomes(ref, 'PREPARED')
  expect(failure(await workspace.ask(ref, { typedPhrase: null, typedRouter: null }))).toMatchObject({ kind: 'confirmation_required', what: 'layout' })
})

test('if the deadline passes after a deposit’s token approval, the app never requests the deposit, and the intent expires [ORD-12] [FLOW-03]', async () => {
  const ref = await approved()
  workspace.clock.advance(4 * minute)
  expect(failure(await workspace.ask(ref))).toMatchObject({ kind: 'expired', what: 'intent' })
  expect(await workspace.intent(ref)).toMatchObject({ state: 'EXPIRED', reason: { code: 'deposit_not_sent_in_time' } })
})

test('at its deadline, a transaction that the app has not requested expires; for a requested one, only the chain decides the outcome [ORD-12]', async () => {
  const waiting = (await workspace.prepareAction(deposit)).intent.ref
  const { ref } = await workspace.askedFor({ ...deposit, amount: '3' })
  workspace.clock.advance(4 * minute)
  await workspace.becomes(waiting, 'EXPIRED')
  await workspace.becomes(ref, 'UNKNOWN')
})

test('while one transaction request to the wallet is open, the app sends the wallet no other order or payment [FLOW-03]', async () => {
  const { ref } = await workspace.askedFor(deposit)
  const { ref: other } = (await workspace.prepareAction({ ...deposit, amount: '4' })).intent
  expect(failure(await workspace.ask(other))).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
  const keyId = value(await workspace.handlers()['keys.list']({})).keys[0]?.id ?? ''
  const payment = value(await workspace.handlers()['agents.preparePayment']({ keyId, amountUsdc: '25.5' })).intent.ref
  const words = { typedPhrase: 'allow 25.5 USDC', typedRouter: 'yes' }
  expect(failure(await workspace.handlers()['intents.ask']({ ref: payment, ...words }))).toMatchObject({ kind: 'held_back', intentRef: ref })
  value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  value(await workspace.handlers()['intents.ask']({ ref: payment, ...words }))
  expect(failure(await workspace.ask(other))).toMatchObject({ kind: 'held_back', intentRef: payment })
})

test('the user can cancel an order by transaction even if the journal was rebuilt or another transaction is UNKNOWN [FLOW-03]', async () => {
  const order = await workspace.restingOrder()
  const { ref: lost } = await workspace.askedFor(deposit)
  await workspace.restart()
  await workspace.connect()
  expect(await state(lost)).toBe('UNKNOWN')
  workspace.journal()[raw].values.set('journal.rebuilt', 'journal.corrupt.db')
  expect(failure(await workspace.handlers()['intents.prepare']({ ...deposit, token: 'SVC' }))).toMatchObject({ kind: 'held_back', why: 'journal_rebuilt' })
  const { ref } = (await workspace.prepareAction({ action: 'cancel_order', order })).intent
  await workspace.step(ref)
  await workspace.becomes(ref, 'CONFIRMING')
})

test('the user can cancel an order by transaction while another transaction waits for the phone or a block [FLOW-03]', async () => {
  const order = await workspace.restingOrder()
  const { request } = await workspace.askedFor(deposit)
  const { ref } = (await workspace.prepareAction({ action: 'cancel_order', order })).intent
  const cancel = value(await workspace.ask(ref))
  await workspace.broadcast(request)
  await workspace.sentBy(ref, await workspace.broadcast(cancel))
  await workspace.becomes(ref, 'CONFIRMING')
})

test('after a restart, the app continues an intent with the intent’s first transaction that is not on the chain yet [FLOW-03]', async () => {
  const ref = await approved()
  await workspace.restart()
  await workspace.connect()
  expect(await workspace.shown(ref)).toMatchObject({ next: 1, intent: { state: 'PREPARED' }, transactions: [{ state: 'confirming' }, { state: 'waiting' }] })
  await workspace.step(ref)
  await workspace.finalise(ref)
})
