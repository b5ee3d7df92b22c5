import { z } from 'zod'
import { command, query } from '../define.ts'
import { InspectionRead } from './inspection.ts'

/**
 * How the receiver lab answers a delivery: with a fixed status after a delay, or with the response of the endpoint to which it forwards the
 * delivery.
 */
const LabAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), status: z.number().int().min(200).max(599), delayS: z.number().int().min(0).max(60) }),
  z.object({ kind: z.literal('forwarded') }),
])
export type LabAnswer = z.infer<typeof LabAnswer>

export const LabSettings = z.object({
  /** The webhook whose signing secret verifies the deliveries. */
  webhookId: z.string().max(200),
  port: z.number().int().min(1).max(65_535),
  path: z.string().max(512),
  /** The user's own endpoint on this computer to which deliveries are forwarded; null for no forwarding. */
  forwardTo: z.string().max(2_048).nullable(),
  answer: LabAnswer,
})
export type LabSettings = z.infer<typeof LabSettings>

export const LabState = z.object({
  status: z.enum(['closed', 'listening', 'paused']),
  /** true: the settings come from an earlier run of the app, and the lab has not received anything in this run. */
  earlier: z.boolean(),
  /**
   * The settings of the receiver lab; null if the lab was never opened. `signed` false: the webhook's signing secret is no longer on this computer.
   */
  settings: LabSettings.extend({ webhookUrl: z.string(), signed: z.boolean() }).nullable(),
  /** The URL for deliveries; null while the lab is closed. */
  url: z.string().nullable(),
  /** The last request to a wrong path, which the receiver lab answered with 404; null if there was none since the lab started to listen. */
  astray: z.object({ path: z.string(), atMs: z.number() }).nullable(),
  /** Number of rows in the list: one per event, and one per refused delivery. */
  rows: z.number(),
  /** Number of delivery attempts received since the list was started. */
  attempts: z.number(),
  refused: z.number(),
  /** Number of old rows that the lab deleted to make room for new ones. */
  dropped: z.number(),
})
export type LabState = z.infer<typeof LabState>

/** One delivery attempt, shown as a mark on a row's time axis. Times in Unix milliseconds. `endMs` null: not answered yet. */
const LabMark = z.object({
  kind: z.enum(['taken', 'failed', 'refused', 'duplicate', 'waiting']),
  by: z.enum(['sender', 'resend']),
  atMs: z.number(),
  endMs: z.number().nullable(),
})
export type LabMark = z.infer<typeof LabMark>

const step = z.enum(['headers', 'timestamp', 'age', 'signature form', 'signature', 'body', 'event id', 'event type'])

export const LabRow = z.object({
  /** Whether the row is an event or a refused delivery. refused: the delivery failed verification, so the app does not trust its content. */
  kind: z.enum(['event', 'refused']),
  /** Number of the row, from 1 in order of arrival. Events and refused deliveries are numbered separately. */
  number: z.number(),
  /** The event's id; null for a refused delivery, because the app does not trust its content. */
  id: z.string().nullable(),
  type: z.string().nullable(),
  /** When the event happened; for a refused delivery, when it arrived. */
  atMs: z.number(),
  marks: z.array(LabMark),
  attempts: z.number(),
  revokes: z.object({ id: z.string(), captured: z.boolean() }).nullable(),
  revokedBy: z.array(z.string()),
  /** For a refused delivery: the check that failed. */
  failed: step.nullable(),
  /** How the delivery of the event ended. taken: attempt number `nth` was accepted. `status` null: the sender got no response. */
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('taken'), status: z.number(), ms: z.number(), nth: z.number() }),
    z.object({ kind: z.literal('waiting') }),
    z.object({ kind: z.enum(['failed', 'given_up', 'refused']), status: z.number().nullable() }),
  ]),
})
export type LabRow = z.infer<typeof LabRow>

/** Identifies a row in the list: an event by its id, a refused delivery by its number. */
const LabSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), id: z.string().max(200) }),
  z.object({ kind: z.literal('refused'), number: z.number().int().min(1) }),
])
export type LabSubject = z.infer<typeof LabSubject>

export const LabDetail = z.object({
  row: LabRow,
  inspection: InspectionRead,
  /** The delivery's attempts, oldest first. For an event, the receiver lab keeps only the latest attempts. */
  attempts: z.array(
    z.object({
      number: z.number(),
      by: z.enum(['sender', 'resend']),
      atMs: z.number(),
      /** Whether this attempt has the same bytes as the first attempt. */
      same: z.boolean(),
      /**
       * The receiver lab's response to the attempt; null if there is none yet, or if the user sent the attempt. `sent` false: the sender
       * disconnected before the response.
       */
      answered: z.object({ status: z.number(), ms: z.number(), sent: z.boolean() }).nullable(),
      /**
       * The result of forwarding the attempt to the user's own endpoint; null if not forwarded. redirected: the endpoint answered 3xx, which the app
       * does not follow. skipped: too many deliveries were waiting. `code`: the system's error code, empty if there is none.
       */
      forwarded: z
        .object({
          taken: z.boolean(),
          outcome: z.enum(['answered', 'redirected', 'late', 'stopped', 'cut', 'unreachable', 'skipped']),
          status: z.number().nullable(),
          code: z.string(),
          ms: z.number(),
        })
        .nullable(),
    }),
  ),
  /** The curl command that sends the delivery again, with the original headers and signature. null: its body is not text, or too long. */
  curl: z.string().nullable(),
})
export type LabDetail = z.infer<typeof LabDetail>

const changes = { invalidates: ['lab.state', 'lab.events', 'lab.event'] } as const

/** Calls of the receiver lab, which receives webhook deliveries on this computer and shows them. The signing secret stays in main. */
export const receiverLab = {
  'lab.state': query(z.object({}), LabState, 'wallet'),
  /** Returns the rows from `from` (inclusive) to `to` (exclusive). The rows are sorted by the events' `created_at`. */
  'lab.events': query(
    z.object({ from: z.number().int().min(0), to: z.number().int().min(0) }).refine(({ from, to }) => to - from <= 200, 'at most 200 rows at a time'),
    z.object({ total: z.number(), from: z.number(), rows: z.array(LabRow) }),
    'wallet',
  ),
  'lab.event': query(LabSubject, LabDetail, 'wallet'),
  /** Starts the receiver lab's local server, or changes its settings while it runs. Deliveries captured for the same webhook are kept. */
  'lab.open': command(LabSettings, z.object({ url: z.string() }), changes),
  /** Stops listening and frees the port. Captured deliveries are kept. */
  'lab.pause': command(z.object({}), z.object({}), changes),
  /** Listens again with the previous settings, even if they are from an earlier run of the app. */
  'lab.resume': command(z.object({}), z.object({ url: z.string() }), changes),
  'lab.answer': command(LabAnswer, z.object({}), changes),
  'lab.clear': command(z.object({}), z.object({}), changes),
  /** Sends a captured event to the user's endpoint again, newly signed with the current time. */
  'lab.resend': command(z.object({ id: z.string().max(200) }), z.object({}), changes),
} as const
