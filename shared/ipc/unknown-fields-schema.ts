import { z } from 'zod'
import { redactText } from '../api/redact.ts'
import { unknownFieldsBounds } from '../api/unknown-fields.ts'

/**
 * Fields as the service sent them, as the JSON text of one object; null where there are none. The readers cut secrets out of them
 * (`redact`); what looks like one is cut out here once more, whoever wrote the text.
 */
export const UnknownFields = z.string().max(unknownFieldsBounds.characters).transform(redactText).nullable()
