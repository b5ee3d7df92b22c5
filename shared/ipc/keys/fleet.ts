import { z } from 'zod'
import { command, query } from '../define.ts'
import { StuckReason } from './replacements.ts'
import { Handover } from './secrets.ts'

const name = z.string().max(256)
const optional = name.nullable()
const content = z.enum(['key', 'env']).default('key')
const [systemd, docker, kubernetes, github, ssh] = Handover.options

/**
 * Where a fleet plan delivers a new key, with the options that the user typed. Main validates all options again. Each target runs one fixed client with
 * the secret on its standard input; `gateway` runs none, because a bot of the gateway has no key.
 */
export const FleetTarget = z.discriminatedUnion('target', [
  systemd,
  docker,
  kubernetes,
  github,
  ssh,
  /** Moves the gateway's bots from the old key to the new one. For the other targets, they move just before the old key is revoked. */
  z.object({ target: z.literal('gateway'), options: z.object({}) }),
  /** `podman secret create NAME -`. create: fails if the secret exists. replace: with `--replace`, which podman has since 4.7. */
  z.object({ target: z.literal('podman'), options: z.object({ name, how: z.enum(['create', 'replace']), content }) }),
  /** `pass insert --multiline --force NAME`. */
  z.object({ target: z.literal('pass'), options: z.object({ name, content }) }),
  /** `glab variable set` or `update`, which also decides in which branches a job gets the variable. `repo` is `GROUP/NAME`. */
  z.object({
    target: z.literal('gitlab'),
    options: z.object({ name, repo: name, scope: optional, how: z.enum(['set', 'update']), branches: z.enum(['all', 'protected']).default('all'), content }),
  }),
  /** `vault kv put` (all fields are replaced) or `patch` (the other fields stay). */
  z.object({ target: z.enum(['vault', 'openbao']), options: z.object({ mount: name, path: name, field: name, how: z.enum(['put', 'patch']), content }) }),
  /** `aws secretsmanager put-secret-value`. `name`: the secret's name or ARN. */
  z.object({ target: z.literal('aws'), options: z.object({ name, region: optional, profile: optional, content }) }),
  /** `gcloud secrets versions add`. */
  z.object({ target: z.literal('google'), options: z.object({ name, project: optional, content }) }),
  /** `az keyvault secret set`. */
  z.object({ target: z.literal('azure'), options: z.object({ vault: name, name, content }) }),
  /** `op item edit`, which replaces the fields of the item. */
  z.object({ target: z.literal('onepassword'), options: z.object({ item: name, vault: name, content }) }),
])
export type FleetTarget = z.output<typeof FleetTarget>

/** What became of one run of a target's client. unknown: the app ended before the client did, or stopped it; the secret may have arrived. */
export const DeliveryOutcome = z.enum(['running', 'done', 'failed', 'missing', 'unknown'])

/** One attempt to deliver a new key. `output`: the client's output, with secrets masked; at most 2,000 characters. */
export const Delivery = z.object({
  newKeyId: z.string(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  outcome: DeliveryOutcome,
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  output: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

/**
 * How the app knows that the bot uses the new key. audit: the service's audit shows a call from an allowed address. gateway: the bots of the gateway
 * moved to it, and the key works. user: the user said so.
 */
export const UseProof = z.object({
  newKeyId: z.string(),
  how: z.enum(['audit', 'gateway', 'user']),
  atMs: z.number(),
  /** The audit's row, for `audit`. */
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  usedAtMs: z.number().nullable(),
})
export type UseProof = z.infer<typeof UseProof>

/** waiting: not started. stopped: the old key was revoked outside the plan. ended: the user ended the plan before this key was done. */
export const FleetState = z.enum(['waiting', 'making', 'delivering', 'verifying', 'revoking', 'done', 'stopped', 'skipped', 'ended'])
export type FleetState = z.infer<typeof FleetState>

/**
 * Why a key of a plan does not move.
 * paused, other_wallet, sign_in, locked, turn: it waits for the plan, a wallet, a sign-in, the app or an earlier key of the wallet.
 * sign: the wallet signs for the new key. out_of_reach: the app cannot tell, because the service does not answer.
 * trouble: the app could not do the step. delivery_…: see `DeliveryOutcome`.
 * not_used: no call of the new key yet, and the wait is over. other_address: it was used from an address that is not allowed.
 * cannot_tell: a call that may be the bot's or the app's own. audit_unread: the app cannot read the service's audit, and the wait is over.
 * gateway_unproven: no bot of the gateway is known to use the new key. gateway_refused: the service refuses the new key, so the gateway's bots keep
 * the old one. not_in_keychain: the keychain does not take or hold the new key's secret. The rest: see `StuckReason`;
 * replacement_lost, abandoned: of the key's replacement.
 */
export const FleetReason = z.enum([
  ...(['paused', 'other_wallet', 'sign_in', 'locked', 'turn', 'sign', 'out_of_reach', 'trouble', 'disk_full'] as const),
  ...(['delivery_failed', 'delivery_missing', 'delivery_unknown', 'not_used', 'other_address', 'cannot_tell', 'gateway_unproven'] as const),
  ...(['gateway_refused', 'not_in_keychain', 'audit_unread'] as const),
  ...(['replacement_lost', 'abandoned'] as const),
  ...StuckReason.options,
])
export type FleetReason = z.infer<typeof FleetReason>

/**
 * What the user may do with a key of a plan. deliver: run the client again, or move the gateway's bots. confirm: say that the bot uses the new key.
 * retry: do the failed step again. remake: make another new key; see `remakes`.
 */
export const FleetChoice = z.enum(['deliver', 'confirm', 'retry', 'remake', 'skip'])
export type FleetChoice = z.infer<typeof FleetChoice>

export const FleetItem = z.object({
  id: z.string(),
  wallet: z.string(),
  oldKey: z.object({ id: z.string(), label: z.string() }),
  newKey: z.object({ id: z.string(), label: z.string() }).nullable(),
  target: FleetTarget,
  /** The target in one line, such as `me@host:bot/.env`. */
  place: z.string(),
  state: FleetState,
  reason: FleetReason.nullable(),
  /** Whether the user must act before this key moves on. */
  needsUser: z.boolean(),
  may: z.array(FleetChoice),
  /** What `remake` does with the present new key: keep it, because a bot may have it, or revoke it. Null if there is none, or it does not work. */
  remakes: z.enum(['keeps', 'revokes']).nullable(),
  /** The last attempts. The output is kept only of the last one, and only while the key is not over. */
  deliveries: z.array(Delivery),
  /** How often the plan tried to deliver the new key. */
  attempts: z.number().int(),
  /** The last delivery of the new key with its present secret; null if there is none. Only this one counts. */
  delivery: Delivery.nullable(),
  /** The new keys that still work and that the plan does not need: earlier ones, and one that no bot got before the old key was revoked elsewhere. */
  leftKeys: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Null also if the new key was delivered again or rotated since. */
  proof: UseProof.nullable(),
  /** When the service confirmed the plan's revocation of the old key, or else when the app learned of it; null if the plan did not revoke it. */
  revokedAtMs: z.number().nullable(),
  steps: z.array(z.object({ state: FleetState, atMs: z.number() })),
})
export type FleetItem = z.infer<typeof FleetItem>

export const FleetPlan = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['paused', 'running', 'ended']),
  /** From when the app proposes the plan; null: no proposal. The app never starts it. */
  dueAtMs: z.number().nullable(),
  isDue: z.boolean(),
  /** The addresses from which the bots call. */
  addresses: z.array(z.string()),
  waitMs: z.number(),
  createdAtMs: z.number(),
  items: z.array(FleetItem),
})
export type FleetPlan = z.infer<typeof FleetPlan>

/** The new key, the start of its last attempt and the reason of a key of a plan, as the page showed them. */
const SeenItem = z.object({ newKeyId: z.string().nullable(), startedAtMs: z.number().nullable(), reason: FleetReason.nullable() })

export const NewFleetPlan = z.object({
  name: z.string().trim().min(1).max(60),
  items: z
    .array(z.object({ keyId: z.string(), target: FleetTarget }))
    .min(1)
    .max(100),
  addresses: z.array(z.string().max(64)).max(50),
  waitMinutes: z.number().int().min(1).max(10_080),
  dueAtMs: z.number().nullable(),
})
export type NewFleetPlan = z.input<typeof NewFleetPlan>

const changes = { invalidates: ['fleet.list', 'replacements.list', 'keys.list', 'keys.draft', 'app.attention', 'activity.secrets'] } as const

export const fleet = {
  /** Returns the plans, newest first. Uses only data on this computer. */
  'fleet.list': query(z.object({}), z.array(FleetPlan), 'wallet'),
  /**
   * Makes a paused plan. Main first shows all commands in a system dialog. Fails with `bad_input` for an invalid target or address,
   * and for a key that is in another plan (`items.N.keyId`). Returns null if the user declines.
   */
  'fleet.create': command(NewFleetPlan, FleetPlan.nullable(), changes),
  /** pause: nothing more leaves. resume: the plan runs while its wallets are open. end: for good; keys and replacements stay as they are. */
  'fleet.set': command(z.object({ id: z.string(), to: z.enum(['pause', 'resume', 'end']) }), FleetPlan, changes),
  /** Does all that needs no signature now, and reads the service's audit. */
  'fleet.look': command(z.object({ id: z.string() }), FleetPlan, changes),
  /** `seen`: what the user saw of the key. If it has changed since, any choice but `skip` fails with `wrong_state`. */
  'fleet.choose': command(z.object({ id: z.string(), itemId: z.string(), choice: FleetChoice, seen: SeenItem.optional() }), FleetPlan, changes),
  /** Removes an ended plan with its report. Fails with `wrong_state` for another plan, and while the revocation of an ended one is under way. */
  'fleet.remove': command(z.object({ id: z.string() }), z.object({}), changes),
  /** Saves the plan's report as a table; null if the user cancels. */
  'fleet.save': command(z.object({ id: z.string() }), z.object({ path: z.string().nullable() })),
} as const
