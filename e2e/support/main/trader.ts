import type { Intent, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { MarketTicket } from '../../../shared/ipc/intents/tickets.ts'
import { agreed, type Desk, type DeskOptions, startDesk, value } from './desk.ts'
import type { SentRequest } from './recording-dispatcher.ts'

/** A desk whose wallet is signed in and has a key, ready to trade. */
export interface Trader extends Desk {
  /** A valid ticket at the newest mark. */
  ticket(change?: Partial<MarketTicket>): Promise<MarketTicket>
  prepare(change?: Partial<MarketTicket>): Promise<PreparedOrder>
  /** Prepares and asks: the intent waits for the wallet. Gives its reference and the signature that the wallet would give. */
  asked(change?: Partial<MarketTicket>): Promise<{ readonly ref: string; readonly signature: string }>
  intent(ref: string): Promise<Intent>
  /** Requests to a path, oldest first. */
  sentTo(path: string): SentRequest[]
}

export const prepareRoute = 'POST /api/dex/v1/orders/prepare'
export const relayRoute = 'POST /api/dex/actions/relay'
export const preparePath = '/api/dex/v1/orders/prepare'
export const relayPath = '/api/dex/actions/relay'

/** A valid ticket of the connected wallet at the newest mark. */
export async function marketTicket(desk: Desk, change: Partial<MarketTicket> = {}): Promise<MarketTicket> {
  const pairId = change.pairId ?? 1
  const { summary } = value(await desk.handlers()['markets.summary']({ pairId }))
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

export async function startTrader(options: DeskOptions = {}): Promise<Trader> {
  const desk = await startDesk(options)
  await desk.connect()
  await desk.signIn()
  await desk.createKey()
  return withTrading(desk)
}

/** A desk with a key, and the presses of a trader. */
export function withTrading(desk: Desk): Trader {
  const ticket: Trader['ticket'] = (change) => marketTicket(desk, change)
  const prepare: Trader['prepare'] = async (change) => value(await desk.handlers()['intents.prepare'](await ticket(change)))

  return Object.assign(desk, {
    ticket,
    prepare,
    asked: async (change?: Partial<MarketTicket>) => {
      const { ref } = (await prepare(change)).intent
      const request = value(await desk.handlers()['intents.ask']({ ref, ...agreed }))
      return { ref, signature: await desk.sign(request) }
    },
    intent: async (ref: string) => value(await desk.handlers()['intents.get']({ ref })).intent,
    sentTo: (path: string) => desk.sent.filter((request) => request.path === path),
  })
}
