import { z } from 'zod'
import { InputIssue } from '../../../shared/ipc/failure.ts'
import { InspectionRead } from '../../../shared/ipc/webhooks/inspection.ts'
import { second } from '../../../shared/time.ts'
import { job, resultOf } from '../../kernel/parsing/job.ts'

const { form, found, headers, body, event } = InspectionRead.shape

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** A parsed delivery, without results for which a secret is needed. */
const PastedDelivery = z.object({
  headers,
  /** The bodies that the delivery may have had before pasting, likeliest first. Only a correct signature shows which one is right. */
  bodies: z.array(z.object({ bytes, reading: body.shape.reading, event })).min(1),
  /** The likeliest body as JSON without spaces; `null` if it is not JSON or has no spaces to remove. */
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

/** Parses pasted deliveries in a separate process. Fails with the part of the text that can't be read. */
export const pastedJob = job<PastedGiven>()({ name: 'pasted', gives: resultOf(Pasted, InputIssue), quietMs: 10 * second })
