import { z } from 'zod'
import { redactText } from '../../api/redact.ts'
import { query } from '../define.ts'
import { RequestRecord } from '../intents/orders.ts'

/** Stored text from requests and answers. The app removes secrets twice: before storing the text, and again before sending it to a window. */
const Kept = z.string().transform(redactText)

const Header = z.object({ name: z.string(), value: Kept })

export const KeptBody = z.object({
  /** The body as text. null if the app could not search the body for secrets although bodies of this endpoint may contain some. */
  text: Kept.nullable(),
  /** Size of the whole body in UTF-8. */
  bytes: z.number().int(),
  /** Number of characters cut off at the end of the stored text. */
  cut: z.number().int(),
})
export type KeptBody = z.infer<typeof KeptBody>

/** A request and its answer, without secrets. */
export const Exchange = z.object({
  /** Path and query of the request, encoded as sent. */
  target: Kept,
  /** The kind of credential sent with the request. The credential itself is never stored. */
  credential: z.enum(['none', 'session', 'key']),
  key: z.object({ id: z.string(), label: z.string().nullable() }).nullable(),
  request: z.object({ headers: z.array(Header), body: KeptBody.nullable() }),
  /** The service's response; null: none arrived. */
  answer: z.object({ headers: z.array(Header), body: KeptBody }).nullable(),
})
export type Exchange = z.infer<typeof Exchange>

const filter = {
  /** Which requests to list. changes: all except GET requests. failures: requests that did not end as intended. */
  kind: z.enum(['all', 'changes', 'failures']),
  /** Filter by the first digit of the response's HTTP status. none: only requests without a response. */
  status: z.enum(['any', '2', '3', '4', '5', 'none']),
  /** Search text, compared with method, path, outcome, status and request id, ignoring case. Empty: all rows. */
  text: z.string().max(200),
}
export const RequestFilter = z.object(filter)
export type RequestFilter = z.infer<typeof RequestFilter>

export const requests = {
  /**
   * Lists the logged requests that match the filter, newest first. Uses only data on this computer, so it is fast enough to run on every keystroke.
   */
  'requests.list': query(
    z.object({
      ...filter,
      /** Leaves out rows that were logged after this position, so that the list does not move while the user reads it. null: include all rows. */
      upTo: z.number().int().nullable(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(200),
    }),
    z.object({
      rows: z.array(RequestRecord),
      offset: z.number().int(),
      /** Number of matching rows up to position `upTo`. */
      total: z.number().int(),
      /** Position of the newest row in the log. Pass it as `upTo` in later calls. */
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
      /** All attempts of the same call, oldest first, including this request. */
      tries: z.array(RequestRecord),
      /** The request and its answer; null if the app no longer stores them. */
      exchange: Exchange.nullable(),
      /** The base URL of the service: `{host_url}` in the API document. */
      hostUrl: z.string(),
    }),
    'wallet',
  ),
} as const
