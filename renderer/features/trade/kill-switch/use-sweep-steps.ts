import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { useDeskCall } from '../../../ipc/use-desk.ts'
import type { OrderFlow } from '../use-order-flow.ts'

export interface SweepSteps {
  readonly busy: boolean
  readonly failure: Failure | null
  /** Opens the signing sheet of the next step. */
  readonly next: () => Promise<void>
}

/** Once it is on its way, the next step is asked for; the page tells how it ends. */
const onItsWay: ReadonlySet<Intent['state']> = new Set(['SENT', 'SUBMITTED', 'CONFIRMING', 'FINAL', 'UNKNOWN'])

/** The wallet's way through a sweep: one signing sheet after the other. */
export function useSweepSteps(order: OrderFlow): SweepSteps {
  const call = useDeskCall()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const asked = useRef<{ readonly stepId: string; ref: string } | null>(null)
  const { open, show, close } = order

  const next = useCallback(async () => {
    setBusy(true)
    setFailure(null)
    const answer = await call('sweeps.next', {})
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    const { order: given } = answer.value
    if (given === null) return
    asked.current = { stepId: given.stepId, ref: given.prepared.intent.ref }
    show(given.prepared, given.ticket)
  }, [call, show])

  const ref = open?.prepared.intent.ref ?? null
  useEffect(() => {
    // Priced anew on the sheet: the step goes on with the new intent.
    if (ref === null || asked.current === null || asked.current.ref === ref) return
    asked.current.ref = ref
    void call('sweeps.took', { stepId: asked.current.stepId, ref })
  }, [call, ref])

  const followed = open?.flow.phase.kind === 'followed' && onItsWay.has(open.flow.phase.intent.state)
  useEffect(() => {
    if (!followed) return
    close()
    void next()
  }, [followed, close, next])

  return { busy, failure, next }
}
