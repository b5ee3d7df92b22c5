import { type ReactNode, useState } from 'react'
import type { DelegatedItem, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { delegate } from '../../../shared/ticket/delegated/delegate.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { useBatch } from '../../parts/batch-draft.tsx'
import { BatchSheet } from './batch/batch-sheet.tsx'
import { ExecutionSheet } from './execution-sheet.tsx'
import { useWay, WayChoice } from './ticket/way-choice.tsx'
import { useExecution } from './use-execution.ts'
import type { OrderFlow } from './use-order-flow.ts'
import './batch/batch.css'

interface ExecutionDeskInput {
  /** The market that is shown; null: none. */
  readonly pairId: number | null
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
  readonly positions: readonly Position[]
  readonly orders: readonly OpenOrder[]
}

export interface ExecutionDesk {
  /** The chosen way is an executor: no wallet signs. */
  readonly byExecutor: boolean
  /** The same flow, whose review goes to the executor where that is the way. */
  readonly over: (order: OrderFlow, onTaken?: () => void) => OrderFlow
  /** The way, and the batch, for the ticket's foot. */
  readonly foot: (ticket: OrderTicket | null) => ReactNode
  readonly sheets: ReactNode
}

/** The named action of an order: its type stands in the name. */
function itemOf(ticket: OrderTicket): DelegatedItem | null {
  if (!isOpening(ticket)) {
    const delegated = delegate(ticket)
    return delegated.ok && delegated.value.action !== 'batch' ? delegated.value : null
  }
  switch (ticket.orderType) {
    case 'market':
      return { action: 'open_market', order: ticket }
    case 'limit':
      return { action: 'create_limit', order: ticket }
    case 'stop':
      return { action: 'create_stop', order: ticket }
  }
}

/** Everything of the trading page that goes to the executor of a key. */
export function useExecutionDesk({ pairId, markets, summaries, positions, orders }: ExecutionDeskInput): ExecutionDesk {
  const wallet = useDeskQuery('wallet.shown', {}).data?.address ?? null
  const batch = useBatch(wallet)
  const toast = useToast()
  const way = useWay()
  const execution = useExecution()
  const [composing, setComposing] = useState(false)
  const { executor } = way
  const marketNow = (id: number) => {
    const market = markets.find((one) => one.id === id)
    return market === undefined ? null : { market, mark: summaries.find((one) => one.id === id)?.mark ?? null }
  }
  return {
    byExecutor: executor !== null,
    over: (order, onTaken = () => {}) => ({
      ...order,
      way: { choice: <WayChoice way={way} />, byExecutor: executor !== null },
      review: async (ticket) => {
        if (executor === null) return order.review(ticket)
        const delegated = delegate(ticket)
        if (!delegated.ok) {
          toast({ tone: 'info', title: 'Your wallet signs this one', text: delegated.failure, action: null })
          return order.review(ticket)
        }
        order.clearOutcome()
        execution.open({ ticket: delegated.value, keyId: executor.keyId, keyLabel: executor.label, executor: executor.executor, onTaken })
      },
    }),
    foot: (ticket) => {
      const item = ticket === null ? null : itemOf(ticket)
      return (
        <>
          <WayChoice way={way} />
          <div className="way-acts">
            <Button
              size="sm"
              icon="plus"
              disabled={item === null || wallet === null || batch.items.length >= 32}
              onClick={() => item !== null && batch.add(item)}
            >
              Add to batch
            </Button>
            <Button size="sm" icon="inbox" disabled={wallet === null} onClick={() => setComposing(true)}>
              {batch.items.length === 0 ? 'Batch' : `Batch (${batch.items.length})`}
            </Button>
          </div>
        </>
      )
    },
    sheets: (
      <>
        {composing && pairId !== null ? (
          <BatchSheet
            batch={batch}
            pairId={pairId}
            markets={markets}
            facts={{ positions, orders, marketNow }}
            execution={execution}
            onClose={() => setComposing(false)}
          />
        ) : null}
        <ExecutionSheet execution={execution} markets={markets} markOf={(id) => marketNow(id)?.mark ?? null} />
      </>
    ),
  }
}
