import { z } from 'zod'
import { command, query } from '../define.ts'

const Address = z.string().max(2_048)

/** Whose secret signs: one made for tests alone, or that of a webhook whose secret is kept here. */
const SignWith = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('throwaway') }),
  z.object({ kind: z.literal('webhook'), webhookId: z.string().max(200) }),
])

/** What is tested and how. `effectsUrl`: where the receiver answers `{"events": [ids]}`, the ids that it acted on. */
export const ReceiverTestSetup = z.object({ url: Address, effectsUrl: Address.nullable(), signWith: SignWith })
export type ReceiverTestSetup = z.infer<typeof ReceiverTestSetup>

/** As `CheckReport` of `electron/webhooks/receiver-test/report.ts`, which says what each part is. Text of the receiver's stands in `text` alone. */
export const ReceiverTestCheck = z.object({
  id: z.string(),
  title: z.string(),
  rule: z.string(),
  result: z.enum(['passed', 'failed', 'unknown']),
  why: z.string(),
  exchanges: z.array(
    z.object({
      sent: z.object({
        type: z.string(),
        eventId: z.string(),
        attempt: z.number(),
        timestampS: z.number(),
        bytes: z.number(),
        altered: z.string().nullable(),
      }),
      answered: z.object({ status: z.number().nullable(), ms: z.number(), text: z.string() }),
    }),
  ),
})
export type ReceiverTestCheck = z.infer<typeof ReceiverTestCheck>

const Run = z.object({
  /** Without its query. */
  url: z.string(),
  startedAtMs: z.number(),
  /** null: it runs. */
  endedAtMs: z.number().nullable(),
  /** null: it runs. stopped: it was ended before all was tried, and nothing had failed. */
  verdict: z.enum(['passed', 'failed', 'stopped']).nullable(),
  /** It was made in an earlier run of the app. */
  earlier: z.boolean(),
  /** All checks, in their order. */
  planned: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Those that have ended, in the same order. */
  checks: z.array(ReceiverTestCheck),
})
export type ReceiverTestRun = z.infer<typeof Run>

/** A receiver is driven through what the document promises and threatens (HOOK-05 to HOOK-08), one test at a time; the last report is kept. */
export const receiverTest = {
  /** Main invalidates it by itself as each check ends. */
  'receiverTest.state': query(
    z.object({}),
    z.object({
      /** A throwaway secret is there; it stays the same until another is made. */
      throwaway: z.boolean(),
      /** Of the last test. */
      setup: ReceiverTestSetup.nullable(),
      run: Run.nullable(),
    }),
    'wallet',
  ),
  /** An address as it is typed; its name is looked up. Sends nothing. */
  'receiverTest.target': query(
    z.object({ url: Address, effectsUrl: Address.nullable() }),
    z.discriminatedUnion('kind', [
      /** `issue`: why nothing can be sent there. */
      z.object({ kind: z.literal('refused'), issue: z.string() }),
      /** `confirm`: what has to be typed before anything is sent to another computer; null on this one. */
      z.object({ kind: z.literal('read'), confirm: z.string().nullable(), effectsIssue: z.string().nullable() }),
    ]),
    'wallet',
  ),
  /** Makes a secret for tests, in place of the one before. */
  'receiverTest.makeThrowaway': command(z.object({}), z.object({}), { invalidates: ['receiverTest.state'] }),
  /** As `webhooks.copySecret` and `webhooks.reveal`, so that the receiver can be given it. */
  'receiverTest.copyThrowaway': command(z.object({}), z.object({ clearsAtMs: z.number() })),
  'receiverTest.revealThrowaway': command(z.object({}), z.object({ closesAtMs: z.number() })),
  /** Answers once it runs; `receiverTest.state` tells how far it is. `wrong_state` while another runs; `bad_input` with the field that is wrong. */
  'receiverTest.start': command(ReceiverTestSetup.extend({ confirmHost: z.string().max(512).nullable() }), z.object({}), {
    invalidates: ['receiverTest.state'],
  }),
  /** Ends it; what was found by then is its report. */
  'receiverTest.stop': command(z.object({}), z.object({}), { invalidates: ['receiverTest.state'] }),
  /** Main asks where to. `path` null: the dialog was closed. */
  'receiverTest.saveReport': command(z.object({ format: z.enum(['json', 'markdown']) }), z.object({ path: z.string().nullable() })),
} as const
