import type { Intent, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { MarketTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { SentRequest } from './recording-dispatcher.ts'
import { agreed, startWorkspace, value, type Workspace, type WorkspaceOptions } from './workspace.ts'

/** A workspace whose wallet is signed in and has a key, ready to trade. */
export interface Trader extends Workspace {
  ticket(change?: Partial<MarketTicket>): Promise<MarketTicket>
  prepare(change?: Partial<MarketTicket>): Promise<PreparedOrder>
  /** Prepares an order and requests a signature, so that the intent waits for the wallet. Returns the intent’s reference and the signature. */
  asked(change?: Partial<MarketTicket>): Promise<{ readonly ref: string; readonly signature: string }>
  intent(ref: string): Promise<Intent>
  sentTo(path: string): SentRequest[]
}

export const prepareRoute = 'POST /api/dex/v1/orders/prepare'
export const relayRoute = 'POST /api/dex/actions/relay'
export const preparePath = '/api/dex/v1/orders/prepare'
export const relayPath = '/api/dex/actions/relay'

export async function marketTicket(workspace: Workspace, change: Partial<MarketTicket> = {}): Promise<MarketTicket> {
  const pairId = change.pairId ?? 1
  const { summary } = value(await workspace.handlers()['markets.summary']({ pairId }))
  return {
    pairId,
    side: 'long',
    orderType: 'market',
    marginMode: 'cross',
    leverage: 5,
    orderValueUsdc: '250',
    referencePrice: summary.mark ?? '0',
    maxSlippageBps: 50,
    restIfUnfilled: false,
    takeProfit: null,
    stopLoss: null,
    ...change,
  }
}

export async function startTrader(options: WorkspaceOptions = {}): Promise<Trader> {
  const workspace = await startWorkspace(options)
  await workspace.connect()
  await workspace.signIn()
  await workspace.createKey()
  return withTrading(workspace)
}

/** Adds trading actions to a workspace that has a key. */
export function withTrading(workspace: Workspace): Trader {
  const ticket: Trader['ticket'] = (change) => marketTicket(workspace, change)
  const prepare: Trader['prepare'] = async (change) => value(await workspace.handlers()['intents.prepare'](await ticket(change)))

  return Object.assign(workspace, {
    ticket,
    prepare,
    asked: async (change?: Partial<MarketTicket>) => {
      const { ref } = (await prepare(change)).intent
      const request = value(await workspace.handlers()['intents.ask']({ ref, ...agreed }))
      return { ref, signature: await workspace.sign(request) }
    },
    intent: async (ref: string) => value(await workspace.handlers()['intents.get']({ ref })).intent,
    sentTo: (path: string) => workspace.sent.filter((request) => request.path === path),
  })
}
