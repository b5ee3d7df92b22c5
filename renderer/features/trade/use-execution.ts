import { useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DelegatedTicket } from '../../../shared/ipc/intents/tickets.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { isTerminal } from '../../signing/progress/intent-path.ts'

export interface Order {
  readonly ticket: DelegatedTicket
  /** The key whose executor carries out the order. `null`: the main process chooses the key. */
  readonly keyId: string | null
  readonly keyLabel: string | null
  readonly executor: string | null
  readonly onTaken: () => void
}

export interface ExecutionFlow {
  /** The order to confirm; `null` while the sheet is closed. */
  readonly order: Order | null
  readonly busy: boolean
  readonly failure: Failure | null
  /** The intent of the sent order; `null` until the order is sent. */
  readonly intent: Intent | null
  readonly open: (order: Order) => void
  /** Executes the order after the user has confirmed it once. Doesn't ask the wallet. */
  readonly carryOut: (ticket: DelegatedTicket) => Promise<void>
  readonly close: () => void
}

/** The flow of a delegated order, from its confirmation to its end. */
export function useExecution(): ExecutionFlow {
  const call = useIpcCall()
  const [order, setOrder] = useState<Order | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sent, setSent] = useState<Intent | null>(null)
  const following = sent !== null && !isTerminal(sent.state)
  const followed = useIpcQuery('intents.get', { ref: sent?.ref ?? '' }, { enabled: sent !== null, every: following ? 1_000 : false })
  const intent = sent === null ? null : followed.data?.intent.ref === sent.ref ? followed.data.intent : sent
  return {
    order,
    busy,
    failure,
    intent,
    open: (next) => {
      setOrder(next)
      setFailure(null)
      setSent(null)
    },
    carryOut: async (ticket) => {
      if (order === null || busy) return
      setBusy(true)
      setFailure(null)
      const answer = await call('intents.execute', { ticket, keyId: order.keyId })
      setBusy(false)
      if (!answer.ok) {
        setFailure(answer.failure)
        return
      }
      setSent(answer.value)
      order.onTaken()
    },
    close: () => {
      setOrder(null)
      setSent(null)
      setFailure(null)
    },
  }
}
