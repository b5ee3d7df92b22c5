import { z } from 'zod'
import { command, query } from '../define.ts'
import { OperationNote } from '../reads/activity.ts'
import { KeyQuota } from './keys.ts'

/** The steps that a replacement may be taken to from where it is. */
export const ReplacementStep = z.enum([
  /** planned → granting or created: asks the service. */
  'begin',
  /** granting: the wallet signs through `keys.ask` and `keys.create` with `draftId`. */
  'sign_grant',
  /** granting: the wallet signs through `agents.*` for the new key. */
  'sign_agent',
  /** Reads the service's list and draws the conclusions. */
  'check',
  /** granting (agent): goes on without the agent. */
  'without_agent',
  /** created → probed: binds the executor, then tries the new key with a call. */
  'probe',
  /** probed → handed_over: the user's word that the bot runs with the new key. */
  'handed_over',
  /** handed_over or revoking → done. */
  'revoke',
  /** stuck: back to where it was. */
  'retry',
  'abandon',
])
export type ReplacementStep = z.infer<typeof ReplacementStep>

/**
 * no_room: as many keys are active as the service allows. creation_unknown: the answer was lost; `keys.orphans` names what may have come
 * of it. creation_unnamed: the user looked at a lost creation and left it. old_key_gone: it ended or was revoked elsewhere.
 * new_key_gone: the new one was. new_key_dead: its secret is refused; rotate it. secret_lost: the new key's secret is not here.
 */
export const StuckReason = z.enum(['no_room', 'creation_unknown', 'creation_unnamed', 'old_key_gone', 'new_key_gone', 'new_key_dead', 'secret_lost'])

export const ReplacementState = z.discriminatedUnion('state', [
  /** Nothing was asked of the service yet. */
  z.object({ state: z.literal('planned') }),
  /** preparation: nothing exists before the wallet signed. agent: the new key exists and waits for its agent's grant. */
  z.object({ state: z.literal('granting'), by: z.enum(['preparation', 'agent']), draftId: z.string().nullable() }),
  /** The new key exists and its secret is here. */
  z.object({ state: z.literal('created') }),
  /** cannot_tell: for example, the allowlist does not name this computer. */
  z.object({ state: z.literal('probed'), verdict: z.enum(['works', 'cannot_tell']) }),
  z.object({ state: z.literal('handed_over') }),
  /** The old key was asked to be revoked; whether it is was not answered yet. Asking again is safe. */
  z.object({ state: z.literal('revoking') }),
  z.object({ state: z.literal('done') }),
  /** none: there is no new key. kept: there is one, and both work. revoked: the new one was revoked again. */
  z.object({ state: z.literal('abandoned'), newKey: z.enum(['none', 'kept', 'revoked']) }),
  z.object({
    state: z.literal('stuck'),
    at: z.enum(['planned', 'granting', 'created', 'probed', 'handed_over', 'revoking']),
    reason: StuckReason,
  }),
])
export type ReplacementState = z.infer<typeof ReplacementState>

/** A new key in the place of another without a gap: both work until the bot has the new one (KEY-07: a rotation stops the old secret at once). */
export const Replacement = z.object({
  id: z.string(),
  oldKey: z.object({ id: z.string(), label: z.string() }),
  newKey: z.object({ id: z.string(), label: z.string(), kept: z.enum(['keychain', 'memory', 'elsewhere', 'removed']) }).nullable(),
  /** What the new key gets: as the old one has it. */
  plan: z.object({
    label: z.string(),
    scopes: z.array(z.string()),
    expiresInDays: z.number().int(),
    ipAllowlist: z.array(z.string()),
    quotas: z.array(KeyQuota),
    executor: z.string().nullable(),
    /** none: the old one has no agent. with_key: one signature makes key and agent (default scopes). after_key: the agent is granted to the key afterwards. */
    agent: z.enum(['none', 'with_key', 'after_key']),
  }),
  now: ReplacementState,
  next: z.array(ReplacementStep),
  /** From when on it is offered; null: at once. The user may begin earlier. */
  notBeforeMs: z.number().nullable(),
  due: z.boolean(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** Oldest first. */
  steps: z.array(z.object({ state: z.string(), atMs: z.number(), note: OperationNote.nullable() })),
})
export type Replacement = z.infer<typeof Replacement>

const id = { id: z.string() }
const changes = { invalidates: ['replacements.list', 'keys.list', 'keys.orphans', 'keys.draft', 'markets.list', 'app.attention', 'activity.secrets'] } as const

export const replacements = {
  /** Of the connected wallet, newest first. Of this computer alone. */
  'replacements.list': query(z.object({}), z.array(Replacement), 'wallet'),
  /** Plans only. null takes over what the old key has: label with a number, remaining days, at least one. */
  'replacements.start': command(
    z.object({
      keyId: z.string(),
      label: z.string().min(1).max(60).nullable(),
      expiresInDays: z.number().int().min(1).max(2000).nullable(),
      notBeforeMs: z.number().nullable(),
    }),
    Replacement,
    changes,
  ),
  /** `confirmLabel`: the old key's label, for `revoke` only. Every step may be asked for again; a step that is done is `wrong_state`. */
  'replacements.advance': command(
    z.object({
      ...id,
      step: z.enum(['begin', 'check', 'without_agent', 'probe', 'handed_over', 'revoke', 'retry']),
      confirmLabel: z.string().nullable(),
    }),
    Replacement,
    changes,
  ),
  /** The old key is left as it is. `newKey`: what becomes of the new one, if there is one. */
  'replacements.abandon': command(z.object({ ...id, newKey: z.enum(['keep', 'revoke']) }), Replacement, changes),
} as const
