import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * Of the report of a transaction to the receipt route (FLOW-05). due: it is made again by itself. refused: the service said no. given_up: it was
 * not reached in all attempts, or only when the transaction was long past.
 */
export const ReceiptState = z.enum(['due', 'reported', 'refused', 'given_up'])
export type ReceiptState = z.infer<typeof ReceiptState>

/** A transaction that the wallet broadcast for this app, and whether the service was told its hash. */
export const Broadcast = z.object({
  ref: z.string(),
  /** Its place in the intent, from 0, of `of`. */
  index: z.number().int(),
  of: z.number().int(),
  /** As the service calls it, for example `approval`. */
  kind: z.string().nullable(),
  /** Of the intent. */
  title: z.string(),
  txHash: z.string(),
  receipt: ReceiptState,
  /** When the wallet was asked for it. */
  atMs: z.number(),
})
export type Broadcast = z.infer<typeof Broadcast>

export const receipts = {
  /** Of the wallet that is shown, newest first. `ref`: of one intent alone, in the order in which they are sent. */
  'receipts.list': query(z.object({ ref: z.string().nullable() }), z.object({ broadcasts: z.array(Broadcast) }), 'wallet'),
  /** Reports a hash that was refused or given up once more, the way the first report went (HOOK-09). Answers how it stands then. */
  'receipts.report': command(z.object({ ref: z.string(), index: z.number().int().min(0) }), z.object({ receipt: ReceiptState }), {
    invalidates: ['receipts.list', 'gaps.check'],
  }),
} as const
