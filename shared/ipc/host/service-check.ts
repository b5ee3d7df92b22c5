import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { Asks, ComparisonLine, RouterCheck } from '../intents/signing.ts'

/** A place in an answer that may hold a field. */
const Candidate = z.object({
  /** As a field map names it: `prices.mark`. */
  path: z.string(),
  /** The value there, secrets cut out, shortened. */
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
  /** The document shows it: no field map changes where it is read. */
  documented: z.boolean(),
  /** Best first. */
  suggestions: z.array(Candidate),
})
export type CheckedField = z.infer<typeof CheckedField>

export const CheckedResource = z.object({
  /** As a field map names it. */
  resource: z.string(),
  records: z.number().int(),
  /** Records that lack a field without which they are not read. */
  incomplete: z.number().int(),
  fields: z.array(CheckedField),
  /** Places that no field is read from. */
  unread: z.array(z.object({ path: z.string(), preview: z.string() })),
})
export type CheckedResource = z.infer<typeof CheckedResource>

/**
 * How a step of the check ended. read: every field that the answer holds is understood. partly: fields are unknown, or may stand under other names.
 * not: the app cannot use the answer. empty: an answer without records. nothing_yet: no id to ask for. impossible: the account has nothing to
 * prepare it with. no_scope: no key here may ask. signed_out: it takes a sign-in. failed: refused or unanswered; `failure` says why. acted: a dry
 * run was answered with a command or a hash, so the check stopped. waiting: not asked yet.
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

/** What a prepared action would have the wallet sign, held against what was asked for. */
export const CheckedMessage = z.object({
  /** pass: nothing is asked for it. confirm: its signing format is new. block: it would never be signed. */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** Of the call; null: it is a message to sign. */
  signature: z.string().nullable(),
  digest: z.string(),
  lines: z.array(ComparisonLine),
  asks: Asks.nullable(),
  sentence: z.string().nullable(),
})
export type CheckedMessage = z.infer<typeof CheckedMessage>

export const CheckedSigning = z.object({
  /** unsigned: the service has nothing to sign for it now. */
  verdict: z.enum(['pass', 'confirm', 'block', 'unsigned']),
  messages: z.array(CheckedMessage),
  /** Contracts that are not trusted yet, or differ from the trusted ones. */
  contracts: z.array(RouterCheck),
  /** As the service says why there is nothing to sign. */
  reason: z.string().nullable(),
})
export type CheckedSigning = z.infer<typeof CheckedSigning>

export const CheckKind = z.enum(['read', 'preview', 'prepare', 'dry_run'])
export type CheckKind = z.infer<typeof CheckKind>

export const CheckRow = z.object({
  id: z.string(),
  kind: CheckKind,
  route: z.string(),
  /** Of a prepared or delegated action. */
  action: z.string().nullable(),
  outcome: CheckOutcome,
  /** The scope that is missing. */
  scope: z.string().nullable(),
  failure: Failure.nullable(),
  /** Fields that are read, of all that the app knows. */
  read: z.number().int(),
  fields: z.number().int(),
  /** Fields that need the user's word. */
  open: z.number().int(),
  checkedAtMs: z.number().nullable(),
})
export type CheckRow = z.infer<typeof CheckRow>

export const ServiceCheckState = z.object({
  /** none: never begun with this wallet. stopped: begun and not ended; it can go on. */
  phase: z.enum(['none', 'running', 'stopped', 'done']),
  rows: z.array(CheckRow),
  /** Steps that are over. */
  done: z.number().int(),
  startedAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  dryRuns: z.boolean(),
  /** Until when the service asked to wait; null: it did not. */
  waitsUntilMs: z.number().nullable(),
  /** first: never checked. drift: the service has changed since. null: nothing to offer, or it was put away. */
  offer: z.enum(['first', 'drift']).nullable(),
})
export type ServiceCheckState = z.infer<typeof ServiceCheckState>

export const CheckDetail = z.object({ row: CheckRow, resources: z.array(CheckedResource), signing: CheckedSigning.nullable() })
export type CheckDetail = z.infer<typeof CheckDetail>

const Id = z.string().max(128)
const Path = z.string().max(512)
const changes = { invalidates: ['serviceCheck.state', 'serviceCheck.detail', 'serviceCheck.tops'] } as const

/** The first candidate of an open field: a place that is read once it is accepted. */
export const TopCandidate = Candidate.extend({ resource: z.string(), field: z.string() })
export type TopCandidate = z.infer<typeof TopCandidate>

export const serviceCheck = {
  'serviceCheck.state': query(z.object({}), ServiceCheckState, 'wallet'),
  /** Fails with `not_found` where that step was not asked yet. */
  'serviceCheck.detail': query(z.object({ id: Id }), CheckDetail, 'wallet'),
  /**
   * Begins the check of the connected wallet's keys, goes on with one that was stopped, or repeats the steps in `only`. Answers at once; the state
   * tells how it goes. Fails with `no_wallet` or `api_key_required`.
   */
  'serviceCheck.start': command(
    z.object({
      /** resume: goes on, or begins where there is none. again: begins from the first step. */
      how: z.enum(['resume', 'again']),
      /** Has delegated actions validated by the service (`prepare_only`), which trusts it not to carry them out. */
      dryRuns: z.boolean(),
      only: z.array(Id).max(128).nullable(),
    }),
    z.object({}),
    changes,
  ),
  'serviceCheck.cancel': command(z.object({}), z.object({}), changes),
  /** Remembers in the field map where a field stands, and reads the kept answer again. Fails with `not_found` or `field_map`. */
  'serviceCheck.accept': command(z.object({ id: Id, resource: Id, field: Id, path: Path, unit: z.string().max(64).nullable() }), CheckDetail, changes),
  /** What accepting all top candidates would accept, over all answers of the check. Never a unit, and none while the check runs. */
  'serviceCheck.tops': query(z.object({}), z.object({ tops: z.array(TopCandidate) }), 'wallet'),
  /** Remembers them in the field map, in one change of it. Fails with `wrong_state` where they are no longer those that were shown. */
  'serviceCheck.acceptTops': command(
    z.object({ tops: z.array(z.object({ resource: Id, field: Id, path: Path })).max(2_000) }),
    z.object({ accepted: z.number().int() }),
    changes,
  ),
  /**
   * Agrees to the signing format of a prepared action, and trusts its contracts. `digests`: of the messages that the user saw. Fails with
   * `signing_refused`, `confirmation_required` or `wrong_state`.
   */
  'serviceCheck.pin': command(z.object({ id: Id, digests: z.array(z.string()).max(32), typed: z.string().max(512).nullable() }), CheckDetail, changes),
  /** Into a file that the user chooses; null: none was chosen. Without `wallet` no address of it is in the file. */
  'serviceCheck.save': command(z.object({ wallet: z.boolean() }), z.object({ path: z.string().nullable() })),
  /** Puts the offer away until the service changes. */
  'serviceCheck.dismiss': command(z.object({}), z.object({}), { invalidates: ['serviceCheck.state'] }),
} as const
