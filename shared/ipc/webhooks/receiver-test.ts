import { z } from 'zod'
import { command, query } from '../define.ts'
import { InputIssue } from '../failure.ts'

const Address = z.string().max(2_048)

/** Whose secret signs: one made for tests alone, or that of a webhook whose secret is kept here. */
const SignWith = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('throwaway') }),
  z.object({ kind: z.literal('webhook'), webhookId: z.string().max(200) }),
])

/** What is tested and how. `effectsUrl`: where the receiver answers `{"events": [ids]}`, the ids that it acted on. */
export const ReceiverTestSetup = z.object({ url: Address, effectsUrl: Address.nullable(), signWith: SignWith })
export type ReceiverTestSetup = z.infer<typeof ReceiverTestSetup>

/** In the order in which they end. */
export const ReceiverCheckId = z.enum([
  'valid',
  'event_types',
  'longest_id',
  'raw_bytes',
  'duplicate',
  'retry',
  'out_of_order',
  'correction',
  'unknown_type',
  'burst',
  'no_signature',
  'wrong_signature',
  'wrong_secret',
  'whole_secret',
  'changed_body',
  'changed_timestamp',
  'stale',
  'id_mismatch',
  'in_time',
  'redirect',
  'acted_once',
  'acted_on_forged',
])
export type ReceiverCheckId = z.infer<typeof ReceiverCheckId>

/** How a delivery differs from what the service would send. */
export const Alteration = z.enum([
  'no_signature',
  'no_digits',
  'last_digit',
  'zeros',
  'other_secret',
  'cut_secret',
  'other_value',
  'more_space',
  'moved_timestamp',
  'old_timestamp',
  'other_id',
])
export type Alteration = z.infer<typeof Alteration>

/** cut: the connection ended without an answer. `code`: of the system, empty where it named none. */
const Got = z.object({
  outcome: z.enum(['answered', 'late', 'stopped', 'cut', 'unreachable', 'as_stored']),
  status: z.number().nullable(),
  code: z.string(),
})
export type ReceiverGot = z.infer<typeof Got>

/** Why a check ended as it did: `shared/text/receiver-test-text.ts` says it. `count`: how many were sent, where the check sends several. */
export const ReceiverWhy = z.discriminatedUnion('code', [
  z.object({ code: z.literal('taken'), count: z.number(), retried: z.number() }),
  z.object({ code: z.literal('not_taken'), count: z.number(), types: z.array(z.string()), got: Got, attempt: z.number() }),
  z.object({ code: z.literal('refused') }),
  z.object({ code: z.enum(['forged_taken', 'forged_unanswered']), got: Got }),
  z.object({ code: z.literal('retry_taken'), attempt: z.number(), of: z.number() }),
  /** `status` null: no answer. */
  z.object({ code: z.literal('unknown_type'), status: z.number().nullable() }),
  z.object({ code: z.literal('late'), count: z.number(), of: z.number() }),
  z.object({ code: z.literal('in_time'), count: z.number(), slowestMs: z.number() }),
  z.object({ code: z.literal('redirected'), count: z.number(), of: z.number(), status: z.number() }),
  z.object({ code: z.enum(['doubled_once', 'forged_unheeded', 'forged_heeded']), count: z.number() }),
  z.object({ code: z.literal('doubled_twice'), ids: z.array(z.string()) }),
  z.object({
    code: z.enum([
      'nothing_answered',
      'not_redirected',
      'other_prefix',
      'refused_as_valid',
      'not_tried',
      'stopped',
      'out_of_time',
      'effects_unseen',
      'effects_too_long',
      'effects_malformed',
      'effects_unread',
      'effects_of_others',
    ]),
  }),
  /** Of a test that an earlier version of the app stored. */
  z.object({ code: z.literal('as_stored'), text: z.string() }),
])
export type ReceiverWhy = z.infer<typeof ReceiverWhy>

/** One attempt: what was sent, without the secret and without a signature, and what came back. */
const Exchange = z.object({
  sent: z.object({
    type: z.string(),
    eventId: z.string(),
    /** 1 to 4. */
    attempt: z.number(),
    /** `X-Svc-Timestamp`, Unix seconds. */
    timestampS: z.number(),
    bytes: z.number(),
    /** null where all is right; a text where an earlier version stored it. */
    altered: z.union([Alteration, z.object({ text: z.string() })]).nullable(),
  }),
  /** `said`: the beginning of the answer's body, in one line. Text of the receiver's stands here alone. */
  answered: Got.extend({ ms: z.number(), said: z.string() }),
})

/** unknown: it cannot be seen from outside, or was not tried; `why` says which. `rule`: the one that it is about. */
export const ReceiverTestCheck = z.object({
  id: ReceiverCheckId,
  rule: z.string(),
  result: z.enum(['passed', 'failed', 'unknown']),
  why: ReceiverWhy,
  exchanges: z.array(Exchange),
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
  planned: z.array(ReceiverCheckId),
  /** Those that have ended, in the same order. */
  checks: z.array(ReceiverTestCheck),
})
export type ReceiverTestRun = z.infer<typeof Run>

export interface ReceiverReport {
  /** passed: no check failed. stopped: it was ended before all were tried, and none had failed. */
  readonly verdict: 'passed' | 'failed' | 'stopped'
  /** Without its query. */
  readonly url: string
  readonly secret: 'throwaway' | 'own'
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly checks: readonly ReceiverTestCheck[]
}

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
      z.object({ kind: z.literal('refused'), issue: InputIssue }),
      /** `confirm`: what has to be typed before anything is sent to another computer; null on this one. */
      z.object({ kind: z.literal('read'), confirm: z.string().nullable(), effectsIssue: InputIssue.nullable() }),
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
