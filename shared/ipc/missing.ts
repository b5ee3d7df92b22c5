import { z } from 'zod'
import { redactText } from '../api/redact.ts'
import { unknownFieldsBounds } from '../api/unknown-fields.ts'

/** What a list lacks: the number of unreadable records, and whether the service has more than the app shows. */
export const Missing = z.object({ unreadable: z.number().int(), more: z.boolean() })
export type Missing = z.infer<typeof Missing>

/**
 * Fields as the service sent them, as the JSON text of one object; null if there are none. The readers remove secrets (`redact`). This schema
 * again removes anything that looks like a secret, regardless of the source of the text.
 */
export const UnknownFields = z.string().max(unknownFieldsBounds.characters).transform(redactText).nullable()
