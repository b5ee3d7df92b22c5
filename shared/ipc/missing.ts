import { z } from 'zod'
import { redactText } from '../api/redact.ts'
import { unknownFieldsBounds } from '../api/unknown-fields.ts'

/** What a list lacks: records of it that the app cannot read, and whether there are more than it shows. */
export const Missing = z.object({ unreadable: z.number().int(), more: z.boolean() })
export type Missing = z.infer<typeof Missing>

/**
 * Fields as the service sent them, as the JSON text of one object; null where there are none. The readers cut secrets out of them
 * (`redact`); what looks like one is cut out here once more, whoever wrote the text.
 */
export const UnknownFields = z.string().max(unknownFieldsBounds.characters).transform(redactText).nullable()
