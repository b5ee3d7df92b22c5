import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, value } from '../../../../e2e/support/main/desk.ts'
import { patience, type Sender, startSender } from '../../../../e2e/support/main/sender.ts'
import type { ActionTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { reasonText } from '../../../../shared/text/intent-text.ts'
import { minute, systemClock } from '../../../../shared/time.ts'
import type { Faults } from '../../../practice/base/faults.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'
import { raw } from '../../../store/records/raw.ts'

let chain: RunningChain
let desk: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  desk = await startSender(chain)
})
afterEach(async () => {
  await chain.pauseMining(false)
  await desk.stop()
})

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
const states = async (ref: string) => (await desk.shown(ref)).transactions.map(({ state }) => state)
const state = async (ref: string) => (await desk.intent(ref)).state
const deposited = async () => (await chain.holdings(chain.usdc, desk.account.address)).allowance
/** Through the approval: the deposit is next. */
const approved = async () => {
  const { ref } = (await desk.prepareAction(deposit)).intent
  await desk.step(ref)
  await desk.becomes(ref, 'PREPARED')
  return ref
}
/** Mined, and read back from the exchange. */
const carriedOut = async (ticket: ActionTicket) => {
  const { ref } = (await desk.prepareAction(ticket)).intent
  await desk.step(ref)
  await desk.becomes(ref, 'CONFIRMING')
  return ref
}

test('what the wallet sends is decoded and shown with its cost, then asked for exactly, and followed to its eighth confirmation [ORD-11] [FLOW-03]', async () => {
  const order = await desk.restingOrder()
  const prepared = await desk.prepareAction({ action: 'cancel_order', order })
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
  const request = value(await desk.ask(ref))
  expect(request).toEqual({
    method: 'eth_sendTransaction',
    wallet: desk.account.address,
    chainId: 8453,
    transaction: { from: desk.account.address, to: chain.router, data: expect.stringMatching(/^0x/), value: '0x0' },
    expiresAtMs: prepared.deadlineMs,
  })
  const txHash = await desk.broadcast(request)
  await desk.sentBy(ref, txHash)
  await desk.finalise(ref)
  expect(await desk.intent(ref)).toMatchObject({ txHash, confirmations: expect.any(Number) })
  expect(await states(ref)).toEqual(['final'])
  await expect.poll(desk.openOrders, patience).toEqual([])
})

test('exits, margin and leverage of a position are changed by transactions, and stand in the account [ORD-05] [FLOW-03]', async () => {
  const position = await desk.openPosition()
  await carriedOut({ action: 'update_tpsl', position, takeProfit: '150000', stopLoss: '20000' })
  await expect.poll(async () => desk.position(), patience).toMatchObject({ takeProfit: '150000', stopLoss: '20000' })
  const seen = { ...position, takeProfit: '150000', stopLoss: '20000' }
  const margin = async () => Number((await desk.position()).marginUsdc)
  const before = await margin()
  await carriedOut({ action: 'add_isolated_margin', position: seen, amountUsdc: '40' })
  await expect.poll(margin, patience).toBeCloseTo(before + 40, 1)
  await carriedOut({ action: 'reduce_isolated_margin', position: seen, amountUsdc: '30' })
  await expect.poll(margin, patience).toBeCloseTo(before + 10, 1)
  await carriedOut({ action: 'change_isolated_leverage', position: seen, leverage: 3 })
  await expect.poll(async () => (await desk.position()).leverage, patience).toBe('3')
})

test('an order is replaced by a transaction, and stands so in the account [ORD-05] [FLOW-03]', async () => {
  const order = await desk.restingOrder()
  await carriedOut({ action: 'replace_order', order, limitPrice: '21000', orderValueUsdc: '300' })
  await expect.poll(desk.openOrders, patience).toMatchObject([{ limitPrice: '21000' }])
})

test('a deposit is an exact approval, and then the deposit: asked for once a block holds the approval [FLOW-03] [FLOW-04]', async () => {
  const prepared = await desk.prepareAction(deposit)
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
  const first = value(await desk.ask(ref))
  expect(await state(ref)).toBe('ASKED')
  await desk.sentBy(ref, await desk.broadcast(first))
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  // No block holds it: the deposit is not asked for.
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'wrong_state' })
  expect(await desk.intent(ref)).toMatchObject({ state: 'ASKED', reason: { code: 'approval_sent' }, txHash: null })
  await chain.pauseMining(false)
  await desk.becomes(ref, 'PREPARED')
  expect(await desk.intent(ref)).toMatchObject({ reason: { code: 'approved' } })
  expect(await desk.shown(ref)).toMatchObject({ next: 1, spending: null, transactions: [{ state: 'confirming' }, { simulation: { outcome: 'works' } }] })
  expect(await deposited()).toBe(25_500_000n)
  const txHash = await desk.step(ref)
  await desk.finalise(ref)
  expect(await desk.intent(ref)).toMatchObject({ txHash })
  expect(await states(ref)).toEqual(['final', 'final'])
  expect(await deposited()).toBe(0n)
})

test('rejected on the phone after the approval, nothing more is asked, and what stands is said [FLOW-03]', async () => {
  const ref = await approved()
  value(await desk.ask(ref))
  value(await desk.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  expect(await desk.intent(ref)).toMatchObject({ state: 'CANCELLED', reason: { code: 'rejected_after_approval' } })
  expect(await states(ref)).toEqual(['confirming', 'cancelled'])
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'wrong_state', state: 'CANCELLED' })
  // The approval is followed to its end all the same.
  await chain.mine(8)
  await expect
    .poll(async () => {
      await desk.tick()
      return states(ref)
    }, patience)
    .toEqual(['final', 'cancelled'])
})

test('a phone that was not reached can be asked again; one that was, and is silent, leaves it to the chain', async () => {
  const { ref } = (await desk.prepareAction(deposit)).intent
  value(await desk.ask(ref))
  value(await desk.handlers()['intents.declined']({ ref, why: 'unreachable', detail: null }))
  expect(await state(ref)).toBe('PREPARED')
  const request = value(await desk.ask(ref))
  value(await desk.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  expect(desk.journal().transactions.of(ref)[0]).toMatchObject({ topic: 't', walletRequestId: '7' })
  value(await desk.handlers()['intents.declined']({ ref, why: 'cancelled', detail: null }))
  expect(await state(ref)).toBe('UNKNOWN')
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'wrong_state', state: 'UNKNOWN' })
  const txHash = await desk.broadcast(request)
  await desk.becomes(ref, 'PREPARED')
  expect((await desk.shown(ref)).transactions[0]).toMatchObject({ txHash, state: 'confirming' })
})

test('an answer of the phone that comes after it was given up counts', async () => {
  const { ref } = (await desk.prepareAction(deposit)).intent
  const request = value(await desk.ask(ref))
  value(await desk.handlers()['intents.declined']({ ref, why: 'unreachable', detail: null }))
  await desk.sentBy(ref, await desk.broadcast(request))
  await desk.becomes(ref, 'PREPARED')
  expect(await states(ref)).toEqual(['confirming', 'waiting'])
})

test.each([0, 1])('killed while the phone is asked for transaction %d, it is unknown until the chain shows it [FLOW-03]', async (index) => {
  const ref = index === 0 ? (await desk.prepareAction(deposit)).intent.ref : await approved()
  const request = value(await desk.ask(ref))
  value(await desk.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  await desk.restart()
  await desk.connect()
  expect(await desk.intent(ref)).toMatchObject({
    state: 'UNKNOWN',
    reason: { code: expect.stringMatching(/^(wallet_silent|no_answer_searched|stopped_while_asked_searched)$/) },
  })
  const order = await desk.handlers()['intents.prepare']({ ...deposit, amount: '1' })
  expect(failure(order)).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
  const txHash = await desk.broadcast(request)
  await desk.becomes(ref, index === 0 ? 'PREPARED' : 'CONFIRMING')
  expect((await desk.shown(ref)).transactions[index]).toMatchObject({ txHash, state: 'confirming' })
  if (index === 0) await desk.step(ref)
  await desk.finalise(ref)
})

test('what nobody sent is dead once no request can bring it any more [FLOW-03]', async () => {
  const { ref } = await desk.askedFor(deposit)
  await desk.restart()
  await desk.connect()
  await chain.mine(10)
  await desk.tick()
  expect(await state(ref)).toBe('UNKNOWN')
  desk.clock.advance(10 * minute)
  await desk.signIn()
  await desk.becomes(ref, 'EXPIRED')
  expect(await desk.intent(ref)).toMatchObject({ reason: { code: 'never_sent' } })
  expect(await states(ref)).toEqual(['cancelled', 'waiting'])

  const txHash = `0x${'ab'.repeat(32)}`
  expect(failure(await desk.handlers()['intents.answered']({ ref, answer: txHash }))).toMatchObject({ kind: 'expired' })
  const { intent, timeline } = value(await desk.handlers()['intents.get']({ ref }))
  expect(intent).toMatchObject({ state: 'EXPIRED', txHash: null })
  expect(timeline.at(-1)?.note).toEqual({ code: 'reason', reason: { code: 'late_transaction', txHash } })
})

test('a transaction that the network dropped is followed on under the hash that brings it after all', async () => {
  const { ref, request } = await desk.askedFor(deposit)
  await chain.pauseMining(true)
  const nonce = await desk.client.getTransactionCount({ address: desk.account.address })
  const dropped = await desk.broadcast(request, { nonce })
  await desk.sentBy(ref, dropped)
  await desk.rpc('anvil_dropTransaction', [dropped])
  await desk.tick()
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  const txHash = await desk.broadcast(request, { nonce, tip: 20_000_000_000n })
  await chain.pauseMining(false)
  await desk.becomes(ref, 'PREPARED')
  expect((await desk.shown(ref)).transactions[0]).toMatchObject({ txHash, state: 'confirming' })
})

test('a transaction that the network dropped for good ends, and keeps no other one back [FLOW-03]', async () => {
  const { ref, request } = await desk.askedFor(deposit)
  await chain.pauseMining(true)
  const dropped = await desk.broadcast(request)
  await desk.sentBy(ref, dropped)
  await desk.rpc('anvil_dropTransaction', [dropped])
  await chain.pauseMining(false)
  await chain.mine(10)
  await desk.tick()
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  desk.clock.advance(10 * minute)
  await desk.becomes(ref, 'EXPIRED')
  expect(await desk.intent(ref)).toMatchObject({ reason: { code: 'dropped' } })
  value(await desk.ask((await desk.prepareAction(deposit)).intent.ref))
})

test('a hash of another transaction is not believed [FLOW-03]', async () => {
  const { ref, request } = await desk.askedFor(deposit)
  expect(failure(await desk.handlers()['intents.answered']({ ref, answer: '0x1234' }))).toMatchObject({ kind: 'bad_input', field: 'txHash' })
  const other = await desk.broadcast(request, { data: '0x095ea7b3' })
  await desk.client.waitForTransactionReceipt({ hash: other })
  expect(await desk.sentBy(ref, other)).toMatchObject({ state: 'UNKNOWN' })
  expect(desk.receipts()).toEqual([])
  await desk.broadcast(request)
  await desk.becomes(ref, 'PREPARED')
})

test('a transaction that reverts ends the intent, and nothing comes after it [FLOW-03] [FLOW-06]', async () => {
  const first = await desk.askedFor(deposit)
  await desk.sentBy(first.ref, await desk.broadcast(first.request, { gas: 30_000n }))
  await desk.becomes(first.ref, 'REVERTED')
  expect(await states(first.ref)).toEqual(['reverted', 'waiting'])
  expect(failure(await desk.ask(first.ref))).toMatchObject({ kind: 'wrong_state', state: 'REVERTED' })

  const ref = await approved()
  await desk.sentBy(ref, await desk.broadcast(value(await desk.ask(ref)), { gas: 30_000n }))
  await desk.becomes(ref, 'REVERTED')
  expect(await desk.intent(ref)).toMatchObject({ reason: { code: 'reverted' } })
  expect((await states(ref))[1]).toBe('reverted')
})

test('a reorganisation takes FINAL back, and it is followed to FINAL again [FLOW-06]', async () => {
  const order = await desk.restingOrder()
  await chain.mine(20)
  const { ref, request } = await desk.askedFor({ action: 'cancel_order', order })
  const nonce = await desk.client.getTransactionCount({ address: desk.account.address })
  await desk.sentBy(ref, await desk.broadcast(request, { nonce }))
  await desk.finalise(ref)
  await chain.pauseMining(true)
  await chain.reorganise(18)
  await desk.becomes(ref, 'SUBMITTED')
  expect(await desk.intent(ref)).toMatchObject({ reason: { code: 'taken_back' } })
  await chain.pauseMining(false)
  // The same bytes again, as any node that still has them would bring them.
  await desk.broadcast(request, { nonce }).catch(() => undefined)
  await desk.finalise(ref)
})

test('an approval whose block is taken back keeps the deposit from being asked for [FLOW-03] [FLOW-06]', async () => {
  // What the wallet got stands deeper than what is taken back.
  await chain.mine(20)
  const { ref, request } = await desk.askedFor(deposit)
  const nonce = await desk.client.getTransactionCount({ address: desk.account.address })
  await desk.sentBy(ref, await desk.broadcast(request, { nonce }))
  await desk.becomes(ref, 'PREPARED')
  await chain.pauseMining(true)
  await chain.reorganise(15)
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'wrong_state' })
  expect(await states(ref)).toEqual(['submitted', 'waiting'])
  await chain.pauseMining(false)
  await desk.broadcast(request, { nonce }).catch(() => undefined)
  await desk.becomes(ref, 'PREPARED')
})

test.each([
  ['spender', /^The transaction lets 0x0+dEaD take your tokens\. The router is 0x/i],
  ['unlimited', /^The transaction is for USDC without a limit\. You asked for 25\.50 USDC\.$/],
  ['token', /^The transaction calls 0x0+dEaD, which is neither the exchange router nor a token of the exchange\.$/i],
  ['wallet', /wallet/],
  ['value', /^The transaction sends 1 ETH along, which nobody asked for\.$/],
  ['selector', /calldata that this app cannot read/],
  ['expired', /time is over/],
] as const satisfies (readonly [Faults['transaction'], RegExp])[])(
  'transactions altered by the service (%s) are refused and the reason is named [FLOW-03]',
  async (altered, reason) => {
    desk.faults.transaction = altered
    const { intent } = await desk.prepareAction(deposit)
    expect(intent.state).toBe(altered === 'expired' ? 'EXPIRED' : 'REFUSED')
    expect(intent.reason === null ? '' : reasonText(intent.reason)).toMatch(reason)
    expect(desk.journal().transactions.of(intent.ref)).toEqual([])
    expect(failure(await desk.ask(intent.ref)).kind).toMatch(/wrong_state|signing_refused|expired/)
  },
)

test('a transaction that would revert is not asked for: tried on the chain, it says why [FLOW-03]', async () => {
  const ref = await approved()
  // The wallet gives its USDC away before the deposit.
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [chain.router, 1_000_000_000n] })
  const from = desk.account.address
  const hash = await desk.broadcast({
    ...{ method: 'eth_sendTransaction', wallet: from, chainId: 8453, expiresAtMs: 0 },
    transaction: { from, to: chain.usdc, data, value: '0x0' },
  })
  await desk.client.waitForTransactionReceipt({ hash })
  expect((await desk.shown(ref)).transactions[1]?.simulation).toMatchObject({ outcome: 'reverts', reason: expect.any(String) })
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'not_executable', status: 'reverts' })
  expect(await state(ref)).toBe('PREPARED')
})

test('a wallet without ETH for the fee is not asked [FLOW-03]', async () => {
  const { ref } = (await desk.prepareAction(deposit)).intent
  await desk.rpc('anvil_setBalance', [desk.account.address, '0x0'])
  expect((await desk.shown(ref)).transactions[0]?.gas).toMatchObject({ enough: false, balanceEth: '0' })
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'not_executable', status: 'no_gas' })
  expect(await state(ref)).toBe('PREPARED')
})

test('neither a layout nor the contracts are agreed to by a click alone [FLOW-03]', async () => {
  const { ref } = (await desk.prepareAction(deposit)).intent
  // ERC-20 shows what an approval is; its contracts are still the user's to confirm.
  expect(failure(await desk.ask(ref, { typedPhrase: null, typedRouter: null }))).toMatchObject({ kind: 'confirmation_required', what: 'router' })
  // One of the two contracts alone pins neither.
  expect(failure(await desk.ask(ref, { typedPhrase: 'sign this layout', typedRouter: chain.router }))).toMatchObject({ what: 'router' })
  expect((await desk.shown(ref)).router).toMatchObject({ state: 'new' })
  const approval = value(await desk.ask(ref, { typedPhrase: null, typedRouter: `${chain.router} ${chain.usdc}` }))
  expect(await desk.shown(ref)).toMatchObject({ router: { state: 'pinned' }, token: { state: 'pinned' } })
  // What the exchange's own function looks like is shown by nobody.
  await desk.sentBy(ref, await desk.broadcast(approval))
  await desk.becomes(ref, 'PREPARED')
  expect(failure(await desk.ask(ref, { typedPhrase: null, typedRouter: null }))).toMatchObject({ kind: 'confirmation_required', what: 'layout' })
})

test('a deadline that passes between two transactions ends it: the second is never asked for [ORD-12] [FLOW-03]', async () => {
  const ref = await approved()
  desk.clock.advance(4 * minute)
  expect(failure(await desk.ask(ref))).toMatchObject({ kind: 'expired', what: 'intent' })
  expect(await desk.intent(ref)).toMatchObject({ state: 'EXPIRED', reason: { code: 'deposit_not_sent_in_time' } })
})

test('the tracker ends what was not sent in time, and leaves to the chain what the phone has [ORD-12]', async () => {
  const waiting = (await desk.prepareAction(deposit)).intent.ref
  const { ref } = await desk.askedFor({ ...deposit, amount: '3' })
  desk.clock.advance(4 * minute)
  await desk.becomes(waiting, 'EXPIRED')
  await desk.becomes(ref, 'UNKNOWN')
})

test('of one wallet one transaction is asked for at a time, orders and payments alike [FLOW-03]', async () => {
  const { ref } = await desk.askedFor(deposit)
  const { ref: other } = (await desk.prepareAction({ ...deposit, amount: '4' })).intent
  expect(failure(await desk.ask(other))).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
  const keyId = value(await desk.handlers()['keys.list']({})).keys[0]?.id ?? ''
  const payment = value(await desk.handlers()['agents.preparePayment']({ keyId, amountUsdc: '25.5' })).intent.ref
  const words = { typedPhrase: 'allow 25.5 USDC', typedRouter: 'yes' }
  expect(failure(await desk.handlers()['intents.ask']({ ref: payment, ...words }))).toMatchObject({ kind: 'held_back', intentRef: ref })
  value(await desk.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  value(await desk.handlers()['intents.ask']({ ref: payment, ...words }))
  expect(failure(await desk.ask(other))).toMatchObject({ kind: 'held_back', intentRef: payment })
})

test('nothing keeps an order from being cancelled: not a rebuilt journal, not a transaction of unknown fate [FLOW-03]', async () => {
  const order = await desk.restingOrder()
  const { ref: lost } = await desk.askedFor(deposit)
  await desk.restart()
  await desk.connect()
  expect(await state(lost)).toBe('UNKNOWN')
  desk.journal()[raw].values.set('journal.rebuilt', 'journal.corrupt.db')
  expect(failure(await desk.handlers()['intents.prepare']({ ...deposit, token: 'SVC' }))).toMatchObject({ kind: 'held_back', why: 'journal_rebuilt' })
  const { ref } = (await desk.prepareAction({ action: 'cancel_order', order })).intent
  await desk.step(ref)
  await desk.becomes(ref, 'CONFIRMING')
})

test('a cancellation waits for no other transaction, neither on the phone nor on its way to a block [FLOW-03]', async () => {
  const order = await desk.restingOrder()
  const { request } = await desk.askedFor(deposit)
  const { ref } = (await desk.prepareAction({ action: 'cancel_order', order })).intent
  const cancel = value(await desk.ask(ref))
  await desk.broadcast(request)
  await desk.sentBy(ref, await desk.broadcast(cancel))
  await desk.becomes(ref, 'CONFIRMING')
})

test('a restart between two transactions goes on at the first that is not on the chain [FLOW-03]', async () => {
  const ref = await approved()
  await desk.restart()
  await desk.connect()
  expect(await desk.shown(ref)).toMatchObject({ next: 1, intent: { state: 'PREPARED' }, transactions: [{ state: 'confirming' }, { state: 'waiting' }] })
  await desk.step(ref)
  await desk.finalise(ref)
})
