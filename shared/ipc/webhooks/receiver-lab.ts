import { z } from 'zod'
import { command, query } from '../define.ts'
import { InspectionRead } from './inspection.ts'

/** What a delivery is answered with: one status after so many seconds, or what the endpoint that it is forwarded to answers. */
const LabAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), status: z.number().int().min(200).max(599), delayS: z.number().int().min(0).max(60) }),
  z.object({ kind: z.literal('forwarded') }),
])
export type LabAnswer = z.infer<typeof LabAnswer>

export const LabSettings = z.object({
  /** Whose signing secret deliveries are checked with. */
  webhookId: z.string().max(200),
  port: z.number().int().min(1).max(65_535),
  path: z.string().max(512),
  /** The user's own endpoint on this computer; null: nothing is handed on. */
  forwardTo: z.string().max(2_048).nullable(),
  answer: LabAnswer,
})
export type LabSettings = z.infer<typeof LabSettings>

export const LabState = z.object({
  status: z.enum(['closed', 'listening', 'paused']),
  /** The settings are those of an earlier run: nothing was received in this one. */
  earlier: z.boolean(),
  /** null: it was not opened yet. `signed` false: the webhook's signing secret is not on this computer any more. */
  settings: LabSettings.extend({ webhookUrl: z.string(), signed: z.boolean() }).nullable(),
  /** Where deliveries go; null while it is not open. */
  url: z.string().nullable(),
  /** What was sent to another path last, and answered 404, since it listens; null: nothing. */
  astray: z.object({ path: z.string(), atMs: z.number() }).nullable(),
  /** Rows of the list: events, each once, and deliveries that were refused. */
  rows: z.number(),
  /** Of all since the beginning. */
  attempts: z.number(),
  refused: z.number(),
  /** Oldest ones that had to make room. */
  dropped: z.number(),
})
export type LabState = z.infer<typeof LabState>

/** One attempt on the time axis. Unix milliseconds; `endMs` null: there is no answer yet. */
const LabMark = z.object({
  kind: z.enum(['taken', 'failed', 'refused', 'duplicate', 'waiting']),
  by: z.enum(['sender', 'resend']),
  atMs: z.number(),
  endMs: z.number().nullable(),
})
export type LabMark = z.infer<typeof LabMark>

const step = z.enum(['headers', 'timestamp', 'age', 'signature form', 'signature', 'body', 'event id', 'event type'])

export const LabRow = z.object({
  /** `refused`: no receiver would take it, and what it says of itself is anybody's word. */
  kind: z.enum(['event', 'refused']),
  /** From 1 in the order of arrival, of its kind. */
  number: z.number(),
  /** null: a refused one names none. */
  id: z.string().nullable(),
  type: z.string().nullable(),
  /** When it happened; of a refused one, when it came. */
  atMs: z.number(),
  marks: z.array(LabMark),
  attempts: z.number(),
  revokes: z.object({ id: z.string(), captured: z.boolean() }).nullable(),
  revokedBy: z.array(z.string()),
  /** Of a refused one: the step of the check that failed. */
  failed: step.nullable(),
  /** What became of it. `nth`: which attempt was taken. `status` null: nobody answered. */
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('taken'), status: z.number(), ms: z.number(), nth: z.number() }),
    z.object({ kind: z.literal('waiting') }),
    z.object({ kind: z.enum(['failed', 'given_up', 'refused']), status: z.number().nullable() }),
  ]),
})
export type LabRow = z.infer<typeof LabRow>

/** Which row is meant: an event by its id, a refused delivery by its number. */
const LabSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), id: z.string().max(200) }),
  z.object({ kind: z.literal('refused'), number: z.number().int().min(1) }),
])
export type LabSubject = z.infer<typeof LabSubject>

export const LabDetail = z.object({
  row: LabRow,
  inspection: InspectionRead,
  /** Oldest first; the latest ones where there were too many. */
  attempts: z.array(
    z.object({
      number: z.number(),
      by: z.enum(['sender', 'resend']),
      atMs: z.number(),
      /** Its bytes are those of the first. */
      same: z.boolean(),
      /** `sent` false: the sender left before. */
      answered: z.object({ status: z.number(), ms: z.number(), sent: z.boolean() }).nullable(),
      /** What became of it at the user's endpoint, for people. */
      /** redirected: it answered 3xx, which is not followed. skipped: too many waited already. `code`: of the system, empty where it named none. */
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
  /** As curl sends it again: its headers as they came, its signature with them. null: its body is no text, or too long. */
  curl: z.string().nullable(),
})
export type LabDetail = z.infer<typeof LabDetail>

const changes = { invalidates: ['lab.state', 'lab.events', 'lab.event'] } as const

/** Receives deliveries on this computer and shows them. The signing secret stays in main. */
export const receiverLab = {
  'lab.state': query(z.object({}), LabState, 'wallet'),
  /** Rows `from` up to but not including `to`, in the order of created_at. */
  'lab.events': query(
    z.object({ from: z.number().int().min(0), to: z.number().int().min(0) }).refine(({ from, to }) => to - from <= 200, 'at most 200 rows at a time'),
    z.object({ total: z.number(), from: z.number(), rows: z.array(LabRow) }),
    'wallet',
  ),
  'lab.event': query(LabSubject, LabDetail, 'wallet'),
  /** Begins to listen, or goes on with other settings. What was captured with the same webhook stays. */
  'lab.open': command(LabSettings, z.object({ url: z.string() }), changes),
  /** Gives the port back and keeps what was captured. */
  'lab.pause': command(z.object({}), z.object({}), changes),
  /** Listens again with the settings that it had, in an earlier run too. */
  'lab.resume': command(z.object({}), z.object({ url: z.string() }), changes),
  'lab.answer': command(LabAnswer, z.object({}), changes),
  'lab.clear': command(z.object({}), z.object({}), changes),
  /** Sends an event to the user's endpoint again, signed anew with the present time. */
  'lab.resend': command(z.object({ id: z.string().max(200) }), z.object({}), changes),
} as const
