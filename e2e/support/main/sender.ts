import { createPublicClient, type Hex, http, parseEther } from 'viem'
import { expect } from 'vitest'
import type { RunningChain } from '../../../electron/practice/chain/start-chain.ts'
import type { Intent, IntentState, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { ActionTicket, MarketTicket, SeenOrder, SeenPosition } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { marketTicket, withTrading } from './trader.ts'
import { agreed, startWorkspace, value, type WorkspaceOptions } from './workspace.ts'

/**
 * Time limit and interval (ms) for polling a state. Each poll advances the test’s clock, so frequent polls could pass a deadline before a block
 * arrives. The limit is high because the computer may be busy.
 */
export const patience = { timeout: 20_000, interval: 300 }

/** The parts of a transaction that a phone may choose or change before sending. */
interface Broadcast {
  readonly tip?: bigint
  readonly data?: Hex
  readonly nonce?: number
  readonly gas?: bigint
}

/** Starts a trader on a real chain: the wallet has ETH for gas, and its API key has every scope. */
export async function startSender(chain: RunningChain, options: WorkspaceOptions = {}) {
  const workspace = await startWorkspace({ ...options, realChain: chain })
  await chain.fund(workspace.account.address, 1_000_000_000n, parseEther('1'))
  await workspace.connect()
  await workspace.signIn()
  value(
    await workspace.handlers()['keys.createCustom']({
      label: 'all',
      scopes: ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'],
      expiresInDays: 90,
      ipAllowlist: [],
      quotas: [],
    }),
  )
  const trader = withTrading(workspace)
  const client = createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 100 })
  const rpc = (method: string, params: unknown[]) =>
    fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })

  /** Simulates Approve on the phone: signs the transaction with the phone’s own nonce and gas, and sends it to the chain. */
  async function broadcast(request: SignRequest, change: Broadcast = {}): Promise<Hex> {
    if (request.method !== 'eth_sendTransaction') throw new Error(request.method)
    const { to, data } = request.transaction
    const serializedTransaction = await workspace.account.signTransaction({
      chainId: 8453,
      type: 'eip1559',
      nonce: change.nonce ?? (await client.getTransactionCount({ address: workspace.account.address, blockTag: 'pending' })),
      gas: change.gas ?? 500_000n,
      maxFeePerGas: 10_000_000_000n + (change.tip ?? 0n),
      maxPriorityFeePerGas: 1_000_000n + (change.tip ?? 0n),
      to: to as Hex,
      data: change.data ?? (data as Hex),
      value: 0n,
    })
    return client.sendRawTransaction({ serializedTransaction })
  }

  const intent = async (ref: string): Promise<Intent> => value(await workspace.handlers()['intents.get']({ ref })).intent
  const shown = async (ref: string): Promise<PreparedOrder> => value(await workspace.handlers()['intents.prepared']({ ref }))
  const prepare = async (ticket: ActionTicket | MarketTicket): Promise<PreparedOrder> => value(await workspace.handlers()['intents.prepare'](ticket))
  const ask = (ref: string, typed: { readonly typedPhrase: string | null; readonly typedRouter: string | null } = agreed) =>
    workspace.handlers()['intents.ask']({ ref, ...typed })
  const sent = async (ref: string, txHash: string): Promise<Intent> => value(await workspace.handlers()['intents.answered']({ ref, answer: txHash }))

  /** Runs the intent tracker repeatedly until the intent reaches the wanted state. */
  const becomes = (ref: string, wanted: IntentState) =>
    expect
      .poll(async () => {
        await workspace.tick()
        return (await intent(ref)).state
      }, patience)
      .toBe(wanted)

  const asked = async (ticket: ActionTicket) => {
    const { ref } = (await prepare(ticket)).intent
    return { ref, request: value(await ask(ref)) }
  }
  /** Sends the intent's next transaction through the phone. */
  const step = async (ref: string): Promise<Hex> => {
    const txHash = await broadcast(value(await ask(ref)))
    await sent(ref, txHash)
    return txHash
  }

  const position = async (): Promise<Position> => {
    const [first, ...more] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
    if (first === undefined || more.length > 0) throw new Error(`Not one position: ${more.length + (first === undefined ? 0 : 1)}`)
    return first
  }
  const openOrders = async (): Promise<OpenOrder[]> =>
    value(await workspace.handlers()['account.orders']({ watch: null })).orders.filter(({ status }) => status === 'open')

  const seen = ({ id, pairId, symbol, side, size, takeProfit, stopLoss }: Position): SeenPosition => ({
    positionId: id ?? '',
    ...{ pairId, symbol, side, size, takeProfit, stopLoss },
  })
  const signAndFill = async (ticket: unknown) => {
    const { ref } = value(await workspace.handlers()['intents.prepare'](ticket as MarketTicket)).intent
    const signature = await workspace.sign(value(await ask(ref)))
    value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
    await becomes(ref, 'CONFIRMING')
  }

  return Object.assign(trader, {
    client,
    rpc,
    broadcast,
    intent,
    shown,
    prepareAction: prepare,
    ask,
    sentBy: sent,
    becomes,
    askedFor: asked,
    step,
    position,
    openOrders,
    /** The request bodies that the app sent to `/api/dex/actions/receipt`, oldest first. */
    receipts: (): Record<string, unknown>[] =>
      workspace.sent.filter(({ path }) => path === '/api/dex/actions/receipt').map(({ body }) => JSON.parse(body ?? '{}')),
    openPosition: async (change: Partial<MarketTicket> = {}): Promise<SeenPosition> => {
      await signAndFill(await marketTicket(workspace, { marginMode: 'isolated', ...change }))
      await expect.poll(async () => value(await workspace.handlers()['account.positions']({ watch: null })).positions.length, patience).toBe(1)
      return seen(await position())
    },
    restingOrder: async (): Promise<SeenOrder> => {
      const { referencePrice: _, maxSlippageBps: __, restIfUnfilled: ___, ...ticket } = await marketTicket(workspace)
      await signAndFill({ ...ticket, orderType: 'limit', limitPrice: '20000', timeInForce: 'gtc', postOnly: false })
      await expect.poll(async () => (await openOrders()).length, patience).toBe(1)
      const [order] = await openOrders()
      if (order === undefined) throw new Error('No order')
      const { id, pairId, symbol, side, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss } = order
      return { orderId: id, pairId, symbol, side: side === 'short' ? 'short' : 'long', orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }
    },
    finalise: async (ref: string) => {
      await becomes(ref, 'CONFIRMING')
      await chain.mine(8)
      await becomes(ref, 'FINAL')
    },
  })
}

export type Sender = Awaited<ReturnType<typeof startSender>>
