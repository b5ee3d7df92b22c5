import { z } from 'zod'
import { command, query } from '../define.ts'
import { OperationNote } from '../reads/activity.ts'
import { KeyQuota } from './keys.ts'

/** Steps of a replacement. The current state determines which of them are possible next. */
export const ReplacementStep = z.enum([
  /** Sends the first request to the service. The state changes from planned to granting or created. */
  'begin',
  /** State granting: the wallet signs the grant that creates the new key, through `keys.ask` and `keys.create` with `draftId`. */
  'sign_grant',
  /** State granting: the wallet signs a grant for the new key's agent through `agents.*`. */
  'sign_agent',
  /** Reads the service's list of keys and updates the replacement's state to match. */
  'check',
  /** State granting: skips the grant for the agent of the new key, so the new key has no trading agent. */
  'without_agent',
  /** Binds the executor, then tests the new key with a call. The state changes from created to probed. */
  'probe',
  /** The user confirms that the bot now uses the new key. The state changes from probed to handed_over. */
  'handed_over',
  /** Revokes the old key. The state changes from handed_over or revoking to done. */
  'revoke',
  /** State stuck: returns to the state before the problem, to try again. */
  'retry',
  'abandon',
])
export type ReplacementStep = z.infer<typeof ReplacementStep>

/**
 * Why a replacement is stuck.
 * no_room: the wallet already has the maximum number of active keys.
 * creation_unknown: the response to the creation of the key was lost. `keys.unmatched` lists the keys that the call may have created.
 * creation_unnamed: the user closed that list without choosing the new key.
 * old_key_gone, new_key_gone: the key expired or was revoked elsewhere.
 * new_key_dead: the service refuses the new key's secret, so the key must be rotated.
 * secret_lost: the new key's secret is not on this computer.
 */
export const StuckReason = z.enum(['no_room', 'creation_unknown', 'creation_unnamed', 'old_key_gone', 'new_key_gone', 'new_key_dead', 'secret_lost'])

export const ReplacementState = z.discriminatedUnion('state', [
  /** The replacement is planned, and the app has not sent any request to the service yet. */
  z.object({ state: z.literal('planned') }),
  /**
   * The replacement waits for the wallet to sign a grant. preparation: no key exists until the wallet signs. agent: the new key exists, but its agent
   * still needs the grant.
   */
  z.object({ state: z.literal('granting'), by: z.enum(['preparation', 'agent']), draftId: z.string().nullable() }),
  /** The new key exists, and its secret is on this computer. */
  z.object({ state: z.literal('created') }),
  /**
   * The app has tested the new key. cannot_tell: the test proved nothing, for example because this computer's address is not on the key's allowlist.
   */
  z.object({ state: z.literal('probed'), verdict: z.enum(['works', 'cannot_tell']) }),
  z.object({ state: z.literal('handed_over') }),
  /** The app requested the revocation of the old key and has no response yet. Requesting it again is safe. */
  z.object({ state: z.literal('revoking') }),
  z.object({ state: z.literal('done') }),
  /**
   * Whether a new key exists after the replacement was abandoned. none: no new key. kept: the new key exists, and both keys work. unsure: the new
   * key exists, and a request to revoke the old key has no answer. revoked: the new key was revoked.
   */
  z.object({ state: z.literal('abandoned'), newKey: z.enum(['none', 'kept', 'unsure', 'revoked']) }),
  z.object({
    state: z.literal('stuck'),
    at: z.enum(['planned', 'granting', 'created', 'probed', 'handed_over', 'revoking']),
    reason: StuckReason,
  }),
])
export type ReplacementState = z.infer<typeof ReplacementState>

/**
 * The replacement of an old API key by a new key without downtime: both keys work until the bot uses the new key. A rotation, in contrast, would
 * disable the old secret at once (KEY-07).
 */
export const Replacement = z.object({
  id: z.string(),
  oldKey: z.object({ id: z.string(), label: z.string() }),
  newKey: z.object({ id: z.string(), label: z.string(), kept: z.enum(['keychain', 'memory', 'elsewhere', 'removed']) }).nullable(),
  /** The new key's label, scopes and other terms, copied from the old key. */
  plan: z.object({
    label: z.string(),
    scopes: z.array(z.string()),
    expiresInDays: z.number().int(),
    ipAllowlist: z.array(z.string()),
    quotas: z.array(KeyQuota),
    executor: z.string().nullable(),
    /**
     * How the new key gets a trading agent. none: the old key has no agent, so the new key needs none. with_key: one signature creates the key
     * together with its agent (default scopes). after_key: the key is created first, then the wallet signs a grant for its agent.
     */
    agent: z.enum(['none', 'with_key', 'after_key']),
  }),
  now: ReplacementState,
  next: z.array(ReplacementStep),
  /** From when the app suggests the replacement; null: immediately. The user may start it earlier. */
  notBeforeMs: z.number().nullable(),
  due: z.boolean(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** The states that the replacement has passed through, oldest first. */
  steps: z.array(z.object({ state: z.string(), atMs: z.number(), note: OperationNote.nullable() })),
})
export type Replacement = z.infer<typeof Replacement>

const id = { id: z.string() }
const changes = {
  invalidates: ['replacements.list', 'keys.list', 'keys.unmatched', 'keys.draft', 'markets.list', 'app.attention', 'activity.secrets'],
} as const

export const replacements = {
  /** Returns the connected wallet's replacements, newest first. Uses only data on this computer. */
  'replacements.list': query(z.object({}), z.array(Replacement), 'wallet'),
  /**
   * Plans a replacement and sends nothing yet. `label` null: the old key's label with a number appended. `expiresInDays` null: the old key's
   * remaining days, at least one.
   */
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
  /**
   * Executes one step of a replacement. `confirmLabel`: the old key's label, required only for `revoke`. Repeating a step that is still in progress
   * is safe. Repeating a finished step fails with `wrong_state`.
   */
  'replacements.advance': command(
    z.object({
      ...id,
      step: z.enum(['begin', 'check', 'without_agent', 'probe', 'handed_over', 'revoke', 'retry']),
      confirmLabel: z.string().nullable(),
    }),
    Replacement,
    changes,
  ),
  /** Ends a replacement without changing the old key. `newKey`: whether to keep or revoke the new key, if it exists. */
  'replacements.abandon': command(z.object({ ...id, newKey: z.enum(['keep', 'revoke']) }), Replacement, changes),
} as const
