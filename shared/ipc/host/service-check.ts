import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { BlockReason, ComparisonLine } from '../intents/comparison-lines.ts'
import { IntentReason } from '../intents/reasons.ts'
import { Asks, RouterCheck } from '../intents/signing.ts'

/** A property of an answer that the app suggests to the user for a missing field. */
const Candidate = z.object({
  /** Path in the notation of a field map: `prices.mark`. */
  path: z.string(),
  /** The property's value, shortened and without secrets. */
  preview: z.string(),
  why: z.enum(['words', 'form']),
})

export const CheckedField = z.object({
  field: z.string(),
  state: z.enum(['read', 'unknown', 'missing']),
  path: z.string().nullable(),
  unit: z.string().nullable(),
  reason: z.enum(['unit', 'scale', 'conflict', 'form']).nullable(),
  required: z.boolean(),
  /** true if the API document shows this field. A field map then cannot change where the app reads it. */
  documented: z.boolean(),
  /** Properties of the answer that may be the missing field under another name, best match first. */
  suggestions: z.array(Candidate),
})
export type CheckedField = z.infer<typeof CheckedField>

export const CheckedResource = z.object({
  /** The name that a field map uses for this resource. */
  resource: z.string(),
  records: z.number().int(),
  /** Records that the app cannot read because a required field is missing. */
  incomplete: z.number().int(),
  fields: z.array(CheckedField),
  /** Properties of the records that the app did not recognise as fields. */
  unread: z.array(z.object({ path: z.string(), preview: z.string() })),
})
export type CheckedResource = z.infer<typeof CheckedResource>

/**
 * The result of one step of the service check.
 * read: the app understands all fields of the answer.
 * partly: some fields are unknown, or may have other names.
 * not: the app cannot use the answer.
 * empty: the answer contains no records.
 * nothing_yet: the account has no order, position or other record to ask about.
 * impossible: the account has nothing with which to prepare the action.
 * no_scope: no key on this computer has the required scope.
 * signed_out: the step needs a sign-in.
 * failed: the service refused or did not answer; `failure` has the reason.
 * acted: the service answered a dry run with a command or a transaction hash, so the check stopped.
 * waiting: not run yet.
 */
export const CheckOutcome = z.enum([
  'waiting',
  'read',
  'partly',
  'not',
  'empty',
  'nothing_yet',
  'impossible',
  'no_scope',
  'signed_out',
  'failed',
  'refused_as_expected',
  'acted',
])
export type CheckOutcome = z.infer<typeof CheckOutcome>

/** The message that the wallet would sign for a prepared action, compared with the request. */
export const CheckedMessage = z.object({
  /**
   * The verdict on the message. pass: the user could sign it without further confirmation. confirm: the signing format is new, so the user must
   * confirm it. block: the app would never let the wallet sign it.
   */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** The signature of the contract function to call; null for a message to sign. */
  signature: z.string().nullable(),
  digest: z.string(),
  lines: z.array(ComparisonLine),
  asks: Asks.nullable(),
  /** Why the app blocks the message; null unless the verdict is `block`. */
  blocked: BlockReason.nullable(),
})
export type CheckedMessage = z.infer<typeof CheckedMessage>

export const CheckedSigning = z.object({
  /**
   * How the prepared action compares with the request. unsigned: the service currently returns nothing to sign for this action. The other values mean
   * the same as for a single message.
   */
  verdict: z.enum(['pass', 'confirm', 'block', 'unsigned']),
  messages: z.array(CheckedMessage),
  /** Contracts that are not trusted yet, or that differ from the trusted contracts. */
  contracts: z.array(RouterCheck),
  reason: IntentReason.nullable(),
})
export type CheckedSigning = z.infer<typeof CheckedSigning>

export const CheckKind = z.enum(['read', 'preview', 'prepare', 'dry_run'])
export type CheckKind = z.infer<typeof CheckKind>

export const CheckRow = z.object({
  id: z.string(),
  kind: CheckKind,
  route: z.string(),
  /** The name of the action that the step prepares or sends to an executor; null for other steps. */
  action: z.string().nullable(),
  outcome: CheckOutcome,
  /** The scope that the step needs but no key has; null otherwise. */
  scope: z.string().nullable(),
  failure: Failure.nullable(),
  /** Number of fields that the app could read. `fields`: this number and the number of `unread` fields. An optional field that is absent counts nowhere. */
  read: z.number().int(),
  fields: z.number().int(),
  /** The fields that the app could not read. A row is read if it has none and no incomplete records, otherwise partly read. */
  unread: z.array(CheckedField.pick({ field: true, state: true, reason: true })),
  records: z.number().int(),
  /** Records that the app cannot read because a required field is missing. */
  incomplete: z.number().int(),
  checkedAtMs: z.number().nullable(),
})
export type CheckRow = z.infer<typeof CheckRow>

export const ServiceCheckState = z.object({
  /**
   * The progress of the check. none: the check was never started with this wallet. stopped: the check was started but not finished, so the user can
   * resume it.
   */
  phase: z.enum(['none', 'running', 'stopped', 'done']),
  rows: z.array(CheckRow),
  done: z.number().int(),
  startedAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  dryRuns: z.boolean(),
  /** The end of a waiting time that the service requested, Unix ms; null if there is none. */
  waitsUntilMs: z.number().nullable(),
  /**
   * Why the app suggests a check. first: the service was never checked. drift: the service has changed since the last check. null: no suggestion, or
   * the user dismissed it.
   */
  offer: z.enum(['first', 'drift']).nullable(),
})
export type ServiceCheckState = z.infer<typeof ServiceCheckState>

export const CheckDetail = z.object({ row: CheckRow, resources: z.array(CheckedResource), signing: CheckedSigning.nullable() })
export type CheckDetail = z.infer<typeof CheckDetail>

const Id = z.string().max(128)
const Path = z.string().max(512)
const changes = { invalidates: ['serviceCheck.state', 'serviceCheck.detail', 'serviceCheck.tops'] } as const

/** The best candidate for a field that the app could not read. If the user accepts it, the app reads the field at `path` from then on. */
export const TopCandidate = Candidate.extend({ resource: z.string(), field: z.string() })
export type TopCandidate = z.infer<typeof TopCandidate>

export const serviceCheck = {
  'serviceCheck.state': query(z.object({}), ServiceCheckState, 'wallet'),
  /** Returns the details of one step of the check. Fails with `not_found` if the check has not run that step yet. */
  'serviceCheck.detail': query(z.object({ id: Id }), CheckDetail, 'wallet'),
  /**
   * Starts the check of the connected wallet's keys, resumes a stopped check, or repeats the steps in `only`. Returns at once; `serviceCheck.state`
   * reports the progress. Fails with `no_wallet` or `api_key_required`.
   */
  'serviceCheck.start': command(
    z.object({
      /** Where the check starts. resume: continues a stopped check, or starts a new one. again: restarts from the first step. */
      how: z.enum(['resume', 'again']),
      /**
       * true: the check also asks the service to validate executor actions with `prepare_only`. The app must trust the service not to execute these
       * actions.
       */
      dryRuns: z.boolean(),
      only: z.array(Id).max(128).nullable(),
    }),
    z.object({}),
    changes,
  ),
  'serviceCheck.cancel': command(z.object({}), z.object({}), changes),
  /** Stores in the field map where to read a field, and reads the stored answer again. Fails with `not_found` or `field_map`. */
  'serviceCheck.accept': command(z.object({ id: Id, resource: Id, field: Id, path: Path, unit: z.string().max(64).nullable() }), CheckDetail, changes),
  /**
   * Returns the candidates that "accept all" would accept, from all answers of the check. Accepting them sets no unit. Empty while the check runs.
   */
  'serviceCheck.tops': query(z.object({}), z.object({ tops: z.array(TopCandidate) }), 'wallet'),
  /** Stores the best candidates in the field map as one change. Fails with `wrong_state` if they differ from the candidates that the user saw. */
  'serviceCheck.acceptTops': command(
    z.object({ tops: z.array(z.object({ resource: Id, field: Id, path: Path })).max(2_000) }),
    z.object({ accepted: z.number().int() }),
    changes,
  ),
  /**
   * Accepts the signing format of a prepared action, and trusts its contracts. `digests`: the digests of the messages that the user saw. Fails with
   * `signing_refused`, `confirmation_required` or `wrong_state`.
   */
  'serviceCheck.pin': command(z.object({ id: Id, digests: z.array(z.string()).max(32), typed: z.string().max(512).nullable() }), CheckDetail, changes),
  /**
   * Saves a report of the check to a file that the user chooses; null if the user cancelled. If `wallet` is false, the report does not contain the
   * wallet's address.
   */
  'serviceCheck.save': command(z.object({ wallet: z.boolean() }), z.object({ path: z.string().nullable() })),
  /** Dismisses the suggestion to run a check, until the service changes. */
  'serviceCheck.dismiss': command(z.object({}), z.object({}), { invalidates: ['serviceCheck.state'] }),
} as const
