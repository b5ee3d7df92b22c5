import { z } from 'zod'
import { InputIssue } from '../../../shared/ipc/failure.ts'
import { InspectionRead } from '../../../shared/ipc/webhooks/inspection.ts'
import { second } from '../../../shared/time.ts'
import { job, resultOf } from '../../kernel/parsing/job.ts'

const { form, found, headers, body, event } = InspectionRead.shape

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** A parsed delivery, without the results that need a secret. */
const PastedDelivery = z.object({
  headers,
  /** The possible bodies of the delivery, likeliest first. Only a signature can tell which one is the original. */
  bodies: z.array(z.object({ bytes, reading: body.shape.reading, event })).min(1),
  /** The first possible body as JSON without spaces; `null` if it is not JSON or already has no spaces. */
  compact: bytes.nullable(),
})
export type PastedDelivery = z.infer<typeof PastedDelivery>

const Pasted = z.object({ form, found, index: z.number().int(), delivery: PastedDelivery })
export type Pasted = z.infer<typeof Pasted>

export interface PastedGiven {
  readonly text: string
  /** The index of the delivery to read if the text contains several; the last one if the index is too large. */
  readonly index: number
}

/** Parses pasted deliveries in a separate process. Fails with the part of the text that is unreadable. */
export const pastedJob = job<PastedGiven>()({ name: 'pasted', gives: resultOf(Pasted, InputIssue), quietMs: 10 * second })
