import { z } from 'zod'
import { sentEvents } from '../../webhooks/events.ts'
import { command, query } from '../define.ts'
import { InputIssue } from '../failure.ts'

const Address = z.string().max(2_048)

/** The secret that signs test deliveries: one made only for tests, or that of a webhook whose secret is stored here. */
const SignWith = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('throwaway') }),
  z.object({ kind: z.literal('webhook'), webhookId: z.string().max(200) }),
])

/** The receiver to test. `effectsUrl`: a URL of the receiver that lists the ids of the events it has acted on, as `{"events": [ids]}`. */
export const ReceiverTestSetup = z.object({ url: Address, effectsUrl: Address.nullable(), signWith: SignWith })
export type ReceiverTestSetup = z.infer<typeof ReceiverTestSetup>

/** The checks of a receiver test, in the order in which they finish. */
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

/** How a test delivery deliberately differs from a delivery of the service. */
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

/**
 * The receiver's response to a test delivery. cut: the connection ended without a response. `code`: the system's error code, empty if there is none.
 */
const Got = z.object({
  outcome: z.enum(['answered', 'late', 'stopped', 'cut', 'unreachable', 'as_stored']),
  status: z.number().nullable(),
  code: z.string(),
})
export type ReceiverGot = z.infer<typeof Got>

/** The reason for a check's result. `count`: number of deliveries, if the check sends several. `shared/text/receiver-test-text.ts` has the texts. */
export const ReceiverWhy = z.discriminatedUnion('code', [
  z.object({ code: z.literal('taken'), count: z.number(), retried: z.number() }),
  z.object({ code: z.literal('not_taken'), count: z.number(), types: z.array(z.string()), got: Got, attempt: z.number() }),
  z.object({ code: z.literal('refused') }),
  z.object({ code: z.enum(['forged_taken', 'forged_unanswered']), got: Got }),
  z.object({ code: z.literal('retry_taken'), attempt: z.number(), of: z.number() }),
  /** The receiver's response to an unknown event type. `status` null: no response. */
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
  /** The reason in a test report that an earlier version of the app stored as text. */
  z.object({ code: z.literal('as_stored'), text: z.string() }),
])
export type ReceiverWhy = z.infer<typeof ReceiverWhy>

/** The receiver's response to a delivery. `said`: the beginning of the response body, on one line. No other field contains text from the receiver. */
const Answered = Got.extend({ ms: z.number(), said: z.string() })
export type ReceiverAnswer = z.infer<typeof Answered>

/** One attempt: the request without secret and signature, and the receiver's response. */
const Exchange = z.object({
  sent: z.object({
    type: z.string(),
    eventId: z.string(),
    /** The number of the delivery attempt, from 1 to 4. */
    attempt: z.number(),
    /** The `X-Svc-Timestamp` header, in Unix seconds. */
    timestampS: z.number(),
    bytes: z.number(),
    /** How the test delivery was altered; null if not at all. `text`: a description stored by an earlier version of the app. */
    altered: z.union([Alteration, z.object({ text: z.string() })]).nullable(),
  }),
  answered: Answered,
})

/**
 * One check of the receiver. unknown: the check did not run, or its result cannot be seen from outside; see `why`. `rule`: the rule in the API
 * document that the check covers.
 */
export const ReceiverTestCheck = z.object({
  id: ReceiverCheckId,
  rule: z.string(),
  result: z.enum(['passed', 'failed', 'unknown']),
  why: ReceiverWhy,
  exchanges: z.array(Exchange),
})
export type ReceiverTestCheck = z.infer<typeof ReceiverTestCheck>

const Run = z.object({
  /** The receiver's URL, without its query. */
  url: z.string(),
  startedAtMs: z.number(),
  /** When the test ended; null: it is still running. */
  endedAtMs: z.number().nullable(),
  /** The result of the test; null while the test is running. stopped: the test ended early without a failed check. */
  verdict: z.enum(['passed', 'failed', 'stopped']).nullable(),
  /** true: the test comes from an earlier run of the app. */
  earlier: z.boolean(),
  /** All checks that the test will run, in this order. */
  planned: z.array(ReceiverCheckId),
  checks: z.array(ReceiverTestCheck),
})
export type ReceiverTestRun = z.infer<typeof Run>

export interface ReceiverReport {
  /** The result of the test. passed: no check failed. stopped: the test ended early, with no failed check. */
  readonly verdict: 'passed' | 'failed' | 'stopped'
  /** The receiver's URL, without its query. */
  readonly url: string
  readonly secret: 'throwaway' | 'own'
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly checks: readonly ReceiverTestCheck[]
}

/**
 * Calls that test a user's webhook receiver against everything that the API document promises or warns about (HOOK-05 to HOOK-08). Only one test
 * runs at a time. The app stores the last report.
 */
export const receiverTest = {
  /** Returns the setup and progress of the test. Main marks this query as stale when a check finishes. */
  'receiverTest.state': query(
    z.object({}),
    z.object({
      /**
       * true: a test secret exists. The app creates the test secret when it first needs one, and keeps it until the user creates a new test secret.
       */
      throwaway: z.boolean(),
      setup: ReceiverTestSetup.nullable(),
      run: Run.nullable(),
    }),
    'wallet',
  ),
  /** Validates an address while the user types it, and resolves its host name. Sends nothing to the address. */
  'receiverTest.target': query(
    z.object({ url: Address, effectsUrl: Address.nullable() }),
    z.discriminatedUnion('kind', [
      /** The app cannot send deliveries to this address. `issue`: why not. */
      z.object({ kind: z.literal('refused'), issue: InputIssue }),
      /**
       * The app can send deliveries to this address. `confirm`: what the user must type before the app sends to another computer; null: the receiver
       * is on this computer.
       */
      z.object({ kind: z.literal('read'), confirm: z.string().nullable(), effectsIssue: InputIssue.nullable() }),
    ]),
    'wallet',
  ),
  /** Creates a new test secret, which replaces the previous one. */
  'receiverTest.makeThrowaway': command(z.object({}), z.object({}), { invalidates: ['receiverTest.state'] }),
  /**
   * Copies the test secret to the clipboard, so that the user can configure the receiver with it. Main clears the clipboard later, as for every
   * copied secret.
   */
  'receiverTest.copyThrowaway': command(z.object({}), z.object({ clearsAtMs: z.number() }), { invalidates: ['receiverTest.state'] }),
  'receiverTest.revealThrowaway': command(z.object({}), z.object({ closesAtMs: z.number() }), { invalidates: ['receiverTest.state'] }),
  /**
   * Starts a test, and returns once it is running. `receiverTest.state` shows the progress. Fails with `wrong_state` if a test is already running,
   * and with `bad_input` for an invalid field.
   */
  'receiverTest.start': command(ReceiverTestSetup.extend({ confirmHost: z.string().max(512).nullable() }), z.object({}), {
    invalidates: ['receiverTest.state'],
  }),
  /** Sends one signed sample event once, and returns the receiver's response. Fails with `bad_input` for an invalid field. */
  'receiverTest.sendSample': command(
    z.object({ url: Address, signWith: SignWith, confirmHost: z.string().max(512).nullable(), type: z.enum(sentEvents) }),
    Answered,
    { invalidates: ['receiverTest.state'] },
  ),
  /** Ends the test. The results so far become its report. */
  'receiverTest.stop': command(z.object({}), z.object({}), { invalidates: ['receiverTest.state'] }),
  /** Saves the report to a file that the user chooses; `path` is null if the user cancelled. */
  'receiverTest.saveReport': command(z.object({ format: z.enum(['json', 'markdown']) }), z.object({ path: z.string().nullable() })),
} as const
