import { z } from 'zod'
import { command, query } from '../define.ts'
import { Title } from '../intents/titles.ts'

/** The checks that the app runs on an API key, in running order. The cheapest check comes first. */
export const DoctorCheckId = z.enum([
  'secret',
  'status',
  'expiry',
  'service',
  'clock',
  'accepted',
  'address',
  'wallet',
  'scope:market:read',
  'scope:account:read',
  'scope:trade:prepare',
  'scope:orders:manage',
  'scope:collateral:manage',
  'scope:trade:execute',
  'executor',
  'agent',
  'payment',
])
export type DoctorCheckId = z.infer<typeof DoctorCheckId>

const DoctorPlain = z.enum([
  'in_keychain',
  'only_in_memory',
  'not_here',
  'keychain_withholds',
  'listed_without_state',
  'not_listed',
  'never_listed',
  'end_unknown',
  'answers',
  'silent',
  'service_silent',
  'time_unknown',
  'time_untold',
  'clocks_agree',
  'taken',
  'known_at_rate_limit',
  'known',
  'says_expired',
  'says_revoked',
  'secret_replaced_elsewhere',
  'secret_refused',
  'not_reached',
  'no_answer_to_call',
  'address_not_refused',
  'account_without_wallet',
  'wallet_needs_account_read',
  'executor_missing',
  'executor_needs_scope',
  'executor_not_asked',
  'executor_not_listed',
  'executor_unclear',
  'agent_needs_sign_in',
  'agent_none',
  'agent_unclear',
  'payment_none',
  'no_secret',
  'not_let_in',
  'scope_not_made_with',
  'scope_at_rate_limit',
  'scope_no_answer',
])
export type DoctorPlain = z.infer<typeof DoctorPlain>

/**
 * Responses to a test call which show that the key has the scope: success, an error because the key has no executor, or an error about the request
 * body.
 */
const PastScope = z.enum(['answered', 'executor_missing', 'body_refused'])
/** The service's error code; null: it sent none. */
const said = z.string().nullable()
const status = z.enum(['active', 'expired', 'revoked', 'unknown'])

/** A finding of a key check. `renderer/text/doctor-text.ts` has the texts. */
export const DoctorFound = z.discriminatedUnion('code', [
  z.object({ code: DoctorPlain }),
  /** The key's status in the service's key list. `now` false: the app could not read the current list, so the status is from an earlier list. */
  z.object({ code: z.literal('listed_as'), status, now: z.boolean() }),
  z.object({ code: z.literal('expired'), atMs: z.number().nullable() }),
  z.object({ code: z.literal('ends'), atMs: z.number(), inMs: z.number() }),
  /** The clocks differ. `offsetMs`: the service's clock minus this computer's clock. */
  z.object({ code: z.literal('clocks_apart'), offsetMs: z.number() }),
  z.object({ code: z.literal('address_allowed'), allowlist: z.array(z.string()) }),
  z.object({ code: z.literal('address_refused'), seenAs: z.string().nullable(), allowlist: z.array(z.string()) }),
  z.object({ code: z.literal('call_refused'), said }),
  z.object({ code: z.literal('wallet_read'), wallet: z.string(), own: z.boolean() }),
  /** The key has an executor. `listed` true: only the service's key list says so. false: a test call confirmed it. */
  z.object({ code: z.literal('executor_bound'), executor: z.string(), listed: z.boolean() }),
  z.object({ code: z.literal('agent_not_granted'), agent: z.string().nullable() }),
  /** The key's agent has a grant. `atMs`: when the grant ends; null if unknown. */
  z.object({ code: z.literal('agent_granted'), agent: z.string().nullable(), atMs: z.number().nullable() }),
  z.object({ code: z.literal('agent_grant_over'), agent: z.string().nullable(), atMs: z.number() }),
  z.object({ code: z.literal('payment'), title: Title, state: z.string() }),
  z.object({ code: z.literal('scope_passed'), how: PastScope, said, unlisted: z.boolean() }),
  z.object({ code: z.enum(['scope_listed_body_refused', 'scope_body_refused', 'scope_listed_refused', 'scope_unclear']), said }),
  /** A finding in a report that an earlier version of the app stored as text. */
  z.object({ code: z.literal('as_stored'), text: z.string() }),
])
export type DoctorFound = z.infer<typeof DoctorFound>

export const DoctorCheck = z.object({
  id: DoctorCheckId,
  /** The result of the check. skipped: the check did not run, because an earlier check failed or the key lacks the scope that the check needs. */
  verdict: z.enum(['pass', 'warn', 'fail', 'skipped']),
  found: DoctorFound,
  /** Duration of the call in ms; null if the check made no call. */
  ms: z.number().nullable(),
  requestId: z.string().nullable(),
})
export type DoctorCheck = z.infer<typeof DoctorCheck>

export const DoctorReport = z.object({
  keyId: z.string(),
  label: z.string(),
  startedAtMs: z.number(),
  finishedAtMs: z.number(),
  checks: z.array(DoctorCheck),
  /** The first problem that prevents the key from working. */
  cause: z.enum([
    'healthy',
    'secret_missing',
    'keychain',
    'revoked',
    'missing_or_revoked',
    'expired',
    'service_down',
    'clock_skew',
    'ip_not_allowed',
    'other_wallet',
    'scope_missing',
    'executor_not_bound',
    'agent_not_granted',
    'rate_limited',
    'unclear',
  ]),
})
export type DoctorReport = z.infer<typeof DoctorReport>

const keyRef = z.object({ keyId: z.string() })

export const doctor = {
  /**
   * Tests an API key with harmless calls: the calls only read or prepare, or the service must refuse them. Executes nothing, signs nothing and
   * changes no key.
   */
  'doctor.run': command(keyRef, DoctorReport, { invalidates: ['doctor.last', 'audit.list'] }),
  /** Returns the last report for this key, even from an earlier run of the app; null if there is none. */
  'doctor.last': query(keyRef, DoctorReport.nullable(), 'wallet'),
} as const
