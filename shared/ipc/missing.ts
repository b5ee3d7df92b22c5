import { z } from 'zod'
import { redactText } from '../api/redact.ts'
import { unknownFieldsBounds } from '../api/unknown-fields.ts'

/**
 * Why a list is incomplete. `unreadable`: number of records that the app could not read. `more`: whether the service has more records than the app
 * shows.
 */
export const Missing = z.object({ unreadable: z.number().int(), more: z.boolean() })
export type Missing = z.infer<typeof Missing>

/**
 * Part of a response as the service sent it, mostly fields that this app does not know. JSON text of one object; null if there are none. The code
 * that reads the response removes secrets (`redact`). As a second protection, this schema removes all text that looks like a secret.
 */
export const UnknownFields = z.string().max(unknownFieldsBounds.characters).transform(redactText).nullable()
