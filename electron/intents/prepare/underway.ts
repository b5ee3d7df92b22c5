import { z } from 'zod'
import type { IntentState, Underway } from '../../../shared/ipc/intents/orders.ts'
import type { IntentRow } from '../../store/journal/journal.ts'

/** The wallet was asked, or more; what is only prepared does nothing. */
const asked: ReadonlySet<IntentState> = new Set(['ASKED', 'SIGNED', 'SENT', 'SUBMITTED', 'CONFIRMING', 'UNKNOWN'])

const Done = z.object({
  position: z.object({ positionId: z.string() }).optional(),
  order: z.object({ orderId: z.string() }).optional(),
})

/** The positions and orders that an open intent is about, whichever way it is carried out; none for one that opens. */
export function underwayOf({ ref, action, state, ticket }: IntentRow): Underway[] {
  if (!asked.has(state)) return []
  const written: unknown = JSON.parse(ticket)
  const batch = z.object({ items: z.array(z.looseObject({ action: z.string() })) }).safeParse(written)
  const parts = batch.success ? batch.data.items : [{ ...(written as object), action }] // a ticket is an object
  return parts.flatMap((part) => {
    const done = Done.safeParse(part)
    const positionId = done.data?.position?.positionId ?? null
    const orderId = done.data?.order?.orderId ?? null
    return positionId === null && orderId === null ? [] : [{ ref, action: part.action, positionId, orderId, state }]
  })
}
