import { encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { patience, type Sender, startSender } from '../../../e2e/support/main/sender.ts'
import { relayPath } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../e2e/support/main/workspace.ts'
import type { ActionTicket } from '../../../shared/ipc/intents/tickets.ts'
import { systemClock } from '../../../shared/time.ts'
import type { Faults } from '../../practice/base/faults.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../practice/chain/start-chain.ts'

/** An account that can give away some of the protocol’s own token (SVC). */
const holder = privateKeyToAccount(generatePrivateKey())
const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

let chain: RunningChain
let workspace: Sender
beforeAll(async () => {
  const started = await startChain({
    clock: createPracticeClock(systemClock),
    dataDir: null,
    firstHolder: { owner: holder.address, usdc: 0n, svc: parseEther('1000') },
    history: false,
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
  await chain.fund(holder.address, 0n, parseEther('1'))
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startSender(chain)
})
afterEach(() => workspace.stop())

const collateral = async () => Number(value(await workspace.handlers()['account.summary']({ watch: null })).collateral)
const permit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: true }
const withdrawal: ActionTicket = { action: 'withdraw_collateral', token: 'USDC', amount: '12.25' }
const inRouter = async (token: 'usdc' | 'svc') => (await chain.holdings(chain[token], workspace.account.address)).router
/**
 * Prepares a ticket repeatedly until it is executable. Before a withdrawal, the exchange must move the practice account’s collateral to the chain,
 * which takes a while.
 */
const executable = async (ticket: ActionTicket) => {
  await expect.poll(async () => (await workspace.prepareAction(ticket)).ready, patience).toBe(true)
  return (await workspace.prepareAction(ticket)).intent.ref
}

/** Gives the wallet 10 SVC, the protocol’s own token. */
const giveOwn = async (): Promise<void> => {
  const nonce = await workspace.client.getTransactionCount({ address: holder.address })
  const hash = await workspace.client.sendRawTransaction({
    serializedTransaction: await holder.signTransaction({
      ...{ chainId: 8453, type: 'eip1559', nonce, gas: 100_000n, maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1_000_000n, to: chain.svc },
      data: encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [workspace.account.address, parseEther('10')] }),
    }),
  })
  await workspace.client.waitForTransactionReceipt({ hash })
}

test('the user deposits USDC with a token approval and a deposit transaction, then withdraws the USDC again [ORD-05] [FLOW-03] [FLOW-04]', async () => {
  const before = await collateral()
  const { ref } = (await workspace.prepareAction({ ...permit, permit: false })).intent
  await workspace.step(ref)
  await workspace.becomes(ref, 'PREPARED')
  await workspace.step(ref)
  await workspace.becomes(ref, 'CONFIRMING')
  await expect.poll(collateral, patience).toBeCloseTo(before + 25.5, 2)

  const out = await executable(withdrawal)
  expect((await workspace.shown(out)).transactions).toMatchObject([{ contract: 'router', signature: 'withdraw(uint256)' }])
  await workspace.step(out)
  await workspace.becomes(out, 'CONFIRMING')
  await expect.poll(collateral, patience).toBeCloseTo(before + 13.25, 2)
  expect(await chain.usdcOf(workspace.account.address)).toBe(1_000_000_000n - 25_500_000n + 12_250_000n)
})

test('the user deposits the exchange’s own token SVC with an exact approval, after confirming the token’s contract, and withdraws it again [ORD-05] [FLOW-04]', async () => {
  await giveOwn()
  const prepared = await workspace.prepareAction({ action: 'add_collateral', token: 'SVC', amount: '2.5', permit: false })
  expect(prepared).toMatchObject({
    token: { state: 'new', candidate: chain.svc, publishedByConfig: chain.svc },
    spending: { token: 'SVC', amount: '2.5' },
    transactions: [
      { contract: 'own', signature: 'approve(address,uint256)' },
      { contract: 'router', signature: 'depositToken(address,uint256)' },
    ],
  })
  const { ref } = prepared.intent
  await workspace.step(ref)
  await workspace.becomes(ref, 'PREPARED')
  expect(await workspace.shown(ref)).toMatchObject({ token: { state: 'pinned' } })
  await workspace.step(ref)
  await workspace.becomes(ref, 'CONFIRMING')
  expect(await inRouter('svc')).toBe(parseEther('2.5'))

  const out = await executable({ action: 'withdraw_collateral', token: 'SVC', amount: '1' })
  expect((await workspace.shown(out)).transactions).toMatchObject([{ contract: 'router', signature: 'withdrawToken(address,uint256)' }])
  await workspace.step(out)
  await workspace.becomes(out, 'CONFIRMING')
  expect(await inRouter('svc')).toBe(parseEther('1.5'))
})

test('the app shows the exchange’s own token with the symbol from the service and the decimals from the token’s contract [FLOW-04]', async () => {
  const ticket: ActionTicket = { action: 'add_collateral', token: 'BAQ', amount: '2.5', permit: false }
  await giveOwn()
  await workspace.rewriteAnswers(
    (_, answer) => JSON.parse(JSON.stringify(answer).replaceAll('"SVC"', '"BAQ"')),
    (_, body) => ({ body: body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll('"BAQ"', '"SVC"')) }),
  )
  const prepared = await workspace.prepareAction(ticket)
  expect(JSON.parse(workspace.sentTo('/api/dex/v1/orders/prepare').at(-1)?.body ?? '').payload).toEqual({ token: 'BAQ', amount: '2.5' })
  expect(prepared).toMatchObject({
    intent: { title: { code: 'deposit', amount: '2.5', token: 'BAQ' } },
    spending: { token: 'BAQ', amount: '2.5' },
    transactions: [{ contract: 'own' }, {}],
  })
  expect(prepared.comparison?.verdict).not.toBe('block')
})

test('for a deposit by signed permit, the app compares the permit with the request and relays it; the wallet sends no transaction [FLOW-04]', async () => {
  const before = await collateral()
  const prepared = await workspace.prepareAction(permit)
  expect(prepared).toMatchObject({
    ready: true,
    mode: 'permit_deposit',
    intent: { way: 'permit_deposit', state: 'PREPARED' },
    transactions: [],
    next: null,
    spending: { token: 'USDC', spender: chain.router, amount: '25.5' },
    router: { state: 'new', candidate: chain.router },
    token: { state: 'new', candidate: chain.usdc },
  })
  const { ref } = prepared.intent
  const request = value(await workspace.ask(ref))
  if (request.method !== 'eth_signTypedData_v4') throw new Error(request.method)
  expect(JSON.parse(request.typedData)).toMatchObject({
    primaryType: 'Permit',
    message: { owner: workspace.account.address, spender: chain.router, value: '25500000' },
  })
  const signature = await workspace.sign(request)
  expect(value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))).toMatchObject({ state: 'SUBMITTED' })
  const { intentId } = await workspace.intent(ref)
  expect(workspace.sentTo(relayPath).map(({ body }) => JSON.parse(body ?? ''))).toEqual([{ wallet: workspace.account.address, intent_id: intentId, signature }])
  await workspace.finalise(ref)
  // The collateral increases by slightly less than the deposit, because the exchange deducts the network cost.
  await expect.poll(collateral, patience).toBeCloseTo(before + 25.5, 1)
  expect(workspace.receipts()).toEqual([])
  // The chain’s nonce has increased, so the next permit must use the new value.
  const second = (await workspace.prepareAction({ ...permit, amount: '3' })).intent.ref
  const next = value(await workspace.ask(second, { typedPhrase: null, typedRouter: null }))
  expect(next.method === 'eth_signTypedData_v4' && JSON.parse(next.typedData).message.nonce).toBe('1')
  // The chain’s nonce has changed since the permit was used, but the finished permit must still match its ticket.
  expect(await workspace.shown(ref)).toMatchObject({ comparison: { verdict: 'pass' }, intent: { state: 'FINAL' } })
})

test.each(['amount', 'router', 'chain', 'wallet', 'deadline', 'extra_field'] satisfies Faults['typedData'][])(
  'the app blocks a deposit’s permit that the service altered (%s) before it reaches the wallet [FLOW-04]',
  async (altered) => {
    workspace.faults.typedData = altered
    const prepared = await workspace.prepareAction(permit)
    expect(prepared).toMatchObject({ intent: { state: 'REFUSED' }, comparison: { verdict: 'block' } })
    expect(failure(await workspace.handlers()['intents.ask']({ ref: prepared.intent.ref, ...agreed })).kind).toBe('signing_refused')
    expect(workspace.sentTo(relayPath)).toEqual([])
  },
)

test('the app does not relay the signed permit of a deposit if another account signed it or if it names another amount [FLOW-04]', async () => {
  const { ref } = (await workspace.prepareAction(permit)).intent
  const request = value(await workspace.ask(ref))
  const stranger = privateKeyToAccount(generatePrivateKey())
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: await workspace.sign(request, stranger) }))).toMatchObject({
    kind: 'signature_invalid',
  })
  if (request.method !== 'eth_signTypedData_v4') throw new Error(request.method)
  const typedData = request.typedData.replace('25500000', '25500001')
  const other = (await workspace.sign({ ...request, typedData })) as Hex
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: other }))).toMatchObject({ kind: 'signature_invalid' })
  expect(workspace.sentTo(relayPath)).toEqual([])
})

test('only USDC can be deposited by signed permit, and only if the service supports permits [FLOW-04]', async () => {
  expect(failure(await workspace.handlers()['intents.prepare']({ ...permit, token: 'SVC' }))).toMatchObject({ kind: 'bad_input', field: 'permit' })
  workspace.faults.noPermit = true
  // The app caches the service’s published data for a minute, so advance the clock past that.
  workspace.clock.advance(60_000)
  expect(failure(await workspace.handlers()['intents.prepare'](permit))).toMatchObject({ kind: 'bad_input', field: 'permit' })
  expect(workspace.exchange.effects().prepared).toBe(0)
})

test('if the user chose a deposit by transactions, the app refuses a permit that the service prepares instead [FLOW-04] [ORD-11]', async () => {
  const { ref } = (await workspace.prepareAction(permit)).intent
  const { prepared } = workspace.journal().intents.get(ref) ?? {}
  const planned = workspace.journal().intents.plan({
    ...{
      ref: 'other',
      profileId: 'practice',
      wallet: workspace.account.address,
      title: { code: 'deposit', amount: '25.5', token: 'USDC' },
      pairId: null,
      symbol: null,
      side: null,
    },
    ...{ action: 'add_collateral', idempotencyKey: 'other-key', clientOrderId: null },
    body: JSON.stringify({ action: 'add_collateral', payload: { token: 'USDC', amount: '25.5' } }),
    ticket: JSON.stringify({ ...permit, permit: false }),
  })
  workspace.journal().intents.move(planned.ref, 'PREPARED', { prepared: prepared ?? null, intentId: 'dx_other', way: 'permit_deposit' })
  expect(failure(await workspace.ask(planned.ref))).toMatchObject({ kind: 'signing_refused', why: { code: 'unasked_permit' } })
})
