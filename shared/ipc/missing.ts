import { z } from 'zod'

/** What a list lacks: records of it that the app cannot read, and whether there are more than it shows. */
export const Missing = z.object({ unreadable: z.number().int(), more: z.boolean() })
export type Missing = z.infer<typeof Missing>
