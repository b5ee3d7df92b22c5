import type { Execution } from '../../../shared/ipc/intents/execution.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DelegatedTicket, SeenOrder, SeenPosition } from '../../../shared/ipc/intents/tickets.ts'
import { startTrader, type Trader } from './trader.ts'
import { value, type WorkspaceOptions } from './workspace.ts'

/** A trader whose key has an executor. */
export interface Executing extends Trader {
  execute(ticket: DelegatedTicket, keyId?: string | null): ReturnType<ReturnType<Trader['handlers']>['intents.execute']>
  /** Executes an order through the executor, mines blocks, and follows the order to its end. */
  carryOut(ticket: DelegatedTicket): Promise<{ readonly intent: Intent; readonly execution: Execution }>
  execution(ref: string): Promise<Execution>
  /** The only open position, in the form that a ticket needs. */
  position(): Promise<SeenPosition>
  /** The newest open order, in the form that a ticket needs. */
  order(): Promise<SeenOrder>
  atMarket(): Promise<{ readonly referencePrice: string; readonly maxSlippageBps: number }>
}

export const executeRoute = 'POST /api/dex/v1/orders/execute'
export const executePath = '/api/dex/v1/orders/execute'

export async function bindExecutor(workspace: Trader, label: string): Promise<string> {
  const key = value(await workspace.handlers()['keys.list']({})).keys.find((one) => one.label === label)
  if (key === undefined) throw new Error(`No key ${label}`)
  value(await workspace.handlers()['agents.bindExecutor']({ keyId: key.id, executor: 'exec-fra-1', before: key.executor, confirmLabel: label }))
  // Lists the keys first, as the window does, because the app only knows the facts of keys that it has listed.
  value(await workspace.handlers()['keys.list']({}))
  return key.id
}

export async function startExecuting({ bound = true, ...options }: WorkspaceOptions & { readonly bound?: boolean } = {}): Promise<Executing> {
  const workspace = await startTrader(options)
  if (bound) await bindExecutor(workspace, 'bot')
  const execute: Executing['execute'] = async (ticket, keyId = null) => workspace.handlers()['intents.execute']({ ticket, keyId })
  const execution: Executing['execution'] = async (ref) => value(await workspace.handlers()['intents.execution']({ ref }))
  return Object.assign(workspace, {
    execute,
    execution,
    carryOut: async (ticket: DelegatedTicket) => {
      const { ref } = value(await execute(ticket))
      await workspace.chain.mine(9)
      await workspace.exchange.settle()
      await workspace.tick()
      return { intent: await workspace.intent(ref), execution: await execution(ref) }
    },
    position: async () => {
      const [found, ...others] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
      if (found?.id == null || others.length > 0) throw new Error('There is not one position')
      const { id, pairId, symbol, side, size, takeProfit, stopLoss } = found
      return { positionId: id, pairId, symbol, side, size, takeProfit, stopLoss }
    },
    order: async () => {
      const found = value(await workspace.handlers()['account.orders']({ watch: null })).orders.find(({ status }) => status === 'open')
      if (found === undefined) throw new Error('No order is open')
      const { id, pairId, symbol, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss } = found
      return {
        orderId: id,
        pairId,
        symbol,
        side: found.side === 'short' ? ('short' as const) : ('long' as const),
        orderValueUsdc,
        limitPrice,
        triggerPrice,
        takeProfit,
        stopLoss,
      }
    },
    atMarket: async () => ({ referencePrice: (await workspace.ticket()).referencePrice, maxSlippageBps: 100 }),
  })
}
