import { useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DelegatedTicket } from '../../../shared/ipc/intents/tickets.ts'
import { useIpcCall } from '../../ipc/use-ipc.ts'
import { useNewest } from '../../signing/sheet/use-signing.ts'

export interface Order {
  readonly ticket: DelegatedTicket
  /** The key whose executor carries out the order. `null`: the main process chooses the key. */
  readonly keyId: string | null
  readonly keyLabel: string | null
  readonly executor: string | null
  readonly onTaken: () => void
}

export type ExecutionFlow = ReturnType<typeof useExecution>

/** The flow of a delegated order, from its confirmation to its end. */
export function useExecution() {
  const call = useIpcCall()
  const [order, setOrder] = useState<Order | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sent, setSent] = useState<Intent | null>(null)
  const newest = useNewest(sent)
  const show = (next: Order | null) => {
    setOrder(next)
    setFailure(null)
    setSent(null)
  }
  return {
    /** The order to confirm; `null` while the sheet is closed. */
    order,
    busy,
    failure,
    /** The intent of the sent order; `null` until the order is sent. */
    intent: sent !== null && newest?.ref === sent.ref ? newest : sent,
    open: (next: Order) => show(next),
    close: () => show(null),
    /** Executes the order after the user has confirmed it once. Doesn't ask the wallet. */
    carryOut: async (ticket: DelegatedTicket) => {
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
  }
}
