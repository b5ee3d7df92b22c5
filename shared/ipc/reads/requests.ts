import { z } from 'zod'
import { redactText } from '../../api/redact.ts'
import { query } from '../define.ts'
import { RequestRecord } from '../intents/orders.ts'

/** Stored text: the app removes secrets before it stores the text, and again before it sends the text to the window. */
const Kept = z.string().transform(redactText)

const Header = z.object({ name: z.string(), value: Kept })

export const KeptBody = z.object({
  /** null: the app could not search the body for secrets, and bodies of this endpoint may contain one. */
  text: Kept.nullable(),
  /** Size of the whole body in UTF-8. */
  bytes: z.number().int(),
  /** Number of characters cut off at the end of the body. */
  cut: z.number().int(),
})
export type KeptBody = z.infer<typeof KeptBody>

/** A request and its answer, without secrets. */
export const Exchange = z.object({
  /** Path and query, encoded as sent. */
  target: Kept,
  /** The kind of credential. The exchange never contains the credential itself. */
  credential: z.enum(['none', 'session', 'key']),
  key: z.object({ id: z.string(), label: z.string().nullable() }).nullable(),
  request: z.object({ headers: z.array(Header), body: KeptBody.nullable() }),
  /** null: the service sent no answer, or the answer was lost. */
  answer: z.object({ headers: z.array(Header), body: KeptBody }).nullable(),
})
export type Exchange = z.infer<typeof Exchange>

const filter = {
  /** changes: every request except GET. failures: every request that did not end as intended. */
  kind: z.enum(['all', 'changes', 'failures']),
  /** The first digit of the response status; none: no response arrived. */
  status: z.enum(['any', '2', '3', '4', '5', 'none']),
  /** Searched in method, path, outcome, status and request id, ignoring case. Empty: all rows. */
  text: z.string().max(200),
}
export const RequestFilter = z.object(filter)
export type RequestFilter = z.infer<typeof RequestFilter>

export const requests = {
  /** Newest first, from data on this computer only. Fast enough to run on every keystroke. */
  'requests.list': query(
    z.object({
      ...filter,
      /** Position in the log: excludes newer rows, so that the list does not move while it is read. null: includes the newest. */
      upTo: z.number().int().nullable(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(200),
    }),
    z.object({
      rows: z.array(RequestRecord),
      offset: z.number().int(),
      /** Number of matching rows up to position `upTo`. */
      total: z.number().int(),
      /** Position of the newest row, for use as `upTo`. */
      newest: z.number().int(),
      /** Number of matching rows newer than `upTo`. */
      newer: z.number().int(),
    }),
    'wallet',
  ),
  'requests.get': query(
    z.object({ id: z.string().min(1).max(80) }),
    z.object({
      record: RequestRecord,
      /** All attempts of the same call including this one, oldest first. */
      tries: z.array(RequestRecord),
      /** null: the app no longer stores the request and its answer. */
      exchange: Exchange.nullable(),
      /** `{host_url}`. */
      hostUrl: z.string(),
    }),
    'wallet',
  ),
} as const
