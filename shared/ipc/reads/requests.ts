import { z } from 'zod'
import { redactText } from '../../api/redact.ts'
import { query } from '../define.ts'
import { RequestRecord } from '../intents/orders.ts'

/** Text as it is kept: secrets were cut out before it was written, and are looked for once more on its way to the window. */
const Kept = z.string().transform(redactText)

const Header = z.object({ name: z.string(), value: Kept })

export const KeptBody = z.object({
  /** null: it could not be searched for secrets, and a body of this endpoint may hold one. */
  text: Kept.nullable(),
  /** Of the whole body, in UTF-8. */
  bytes: z.number().int(),
  /** Characters at its end that were not kept. */
  cut: z.number().int(),
})
export type KeptBody = z.infer<typeof KeptBody>

/** What was sent and what came back, without secrets. */
export const Exchange = z.object({
  /** Path and query, encoded as they were sent. */
  target: Kept,
  /** What it was authorised with. The credential itself is nowhere in it. */
  credential: z.enum(['none', 'session', 'key']),
  key: z.object({ id: z.string(), label: z.string().nullable() }).nullable(),
  request: z.object({ headers: z.array(Header), body: KeptBody.nullable() }),
  /** null: none came, or it was lost on its way. */
  answer: z.object({ headers: z.array(Header), body: KeptBody }).nullable(),
})
export type Exchange = z.infer<typeof Exchange>

const filter = {
  /** changes: all but GET. failures: whatever did not end well. */
  kind: z.enum(['all', 'changes', 'failures']),
  /** The first digit of the answer's status; none: no answer came. */
  status: z.enum(['any', '2', '3', '4', '5', 'none']),
  /** Looked for in method, path, outcome, status and request id; case does not matter. Empty: all. */
  text: z.string().max(200),
}
export const RequestFilter = z.object(filter)
export type RequestFilter = z.infer<typeof RequestFilter>

export const requests = {
  /** Newest first, of this computer alone: safe to ask on each letter typed. */
  'requests.list': query(
    z.object({
      ...filter,
      /** Leaves out what came later than this mark, so that the list stands still; null: the newest. */
      upTo: z.number().int().nullable(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(200),
    }),
    z.object({
      rows: z.array(RequestRecord),
      offset: z.number().int(),
      /** All rows that fit, up to the mark. */
      total: z.number().int(),
      /** The mark of the newest row of all. */
      newest: z.number().int(),
      /** Rows that fit and came after `upTo`. */
      newer: z.number().int(),
    }),
    'wallet',
  ),
  'requests.get': query(
    z.object({ id: z.string().min(1).max(80) }),
    z.object({
      record: RequestRecord,
      /** All attempts of the same call, oldest first, with this one. */
      tries: z.array(RequestRecord),
      /** null: what was sent and answered is no longer kept. */
      exchange: Exchange.nullable(),
      /** `{host_url}`. */
      hostUrl: z.string(),
    }),
    'wallet',
  ),
} as const
