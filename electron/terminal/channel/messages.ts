import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Scope } from '../../../shared/api/scopes.ts'
import { CheckDetail, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { FleetPlan } from '../../../shared/ipc/keys/fleet.ts'
import { BotMode, GatewayStatus, Paused, TokenDays } from '../../../shared/ipc/keys/gateway.ts'

/** Version of the messages between `svc-desk` and the app. Each message is one JSON object on one line. */
export const lineVersion = 11

/** Maximum length of a message. It leaves room for the longest command line; a longer message ends the connection. */
export const largestMessage = 262_144

const Nonce = z.string().regex(/^[0-9a-f]{64}$/)
const Text = z.string().max(4_096)

export const Hello = z.object({ type: z.literal('hello'), version: z.literal(lineVersion), nonce: Nonce })
/** The command's proof that it can read the app's folder. The app must answer with its own proof for `nonce`. */
export const Proof = z.object({ type: z.literal('proof'), proof: Nonce, nonce: Nonce })
/**
 * `mark`: a file that the command must keep open, so that the operating system can report which process is connected. null if the operating system
 * cannot report this.
 */
export const Ready = z.object({ type: z.literal('ready'), proof: Nonce, mark: Text.nullable() })

/** The command that gets the secret. */
const command = { words: z.array(z.string().max(131_072)).min(1).max(4_096), program: Text, folder: Text }

const Limit = z.string().max(64).nullable().optional()

/** The changes that a command asks of a bot's policy. A limit that is absent stays as it is; null removes it. Markets are symbols or ids. */
const PolicyAsk = z.object({
  mode: BotMode.optional(),
  markets: z.array(Text).min(1).max(512).nullable().optional(),
  sides: z
    .array(z.enum(['long', 'short']))
    .min(1)
    .max(2)
    .nullable()
    .optional(),
  maxOrder: Limit,
  maxLeverage: Limit,
  maxOpen: Limit,
  ordersPerMinute: Limit,
  maxLoss: Limit,
  /** HH:MM-HH:MM in UTC. */
  hours: Limit,
  /** Seconds; with `:close` the gateway closes the bot's positions too. */
  silence: Limit,
})
export type PolicyAsk = z.infer<typeof PolicyAsk>

/** What a command wants of the gateway. `bot`: a bot's name or id; for `add` the new name. */
const GatewayAsk = z.discriminatedUnion('do', [
  z.object({ do: z.literal('status') }),
  z.object({ do: z.literal('on'), port: z.number().int().nullable() }),
  z.object({ do: z.literal('off') }),
  z.object({
    do: z.literal('add'),
    bot: z.string().trim().min(1).max(64),
    key: Text,
    scopes: z.array(Scope).nullable(),
    expiresInDays: TokenDays,
    policy: PolicyAsk,
  }),
  z.object({ do: z.literal('limits'), bot: Text, policy: PolicyAsk }),
  z.object({ do: z.enum(['pause', 'resume', 'revoke']), bot: Text }),
  z.object({ do: z.literal('stop') }),
])
export type GatewayAsk = z.infer<typeof GatewayAsk>

/** What a command wants of the fleet plans. `plan`: a plan's name or id. */
const FleetAsk = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list') }),
  z.object({ do: z.enum(['show', 'report', 'pause', 'resume', 'remove']), plan: Text }),
])
export type FleetAsk = z.infer<typeof FleetAsk>

/**
 * A fleet plan. `about`: null in the answer to `pause`, `resume` and `remove`, which says only what changed, because a pause works while the app is locked. `done`,
 * `needsUser`: numbers of keys. `lines`: the cells of the plan's report; empty for `list`.
 */
const FleetRow = FleetPlan.pick({ id: true, state: true }).extend({
  about: FleetPlan.pick({ name: true, isDue: true })
    .extend({ keys: z.number(), done: z.number(), needsUser: z.number(), lines: z.array(z.array(z.string())) })
    .nullable(),
})
export type FleetRow = z.infer<typeof FleetRow>

export const Asked = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    profile: Text.nullable(),
    key: Text.nullable(),
    webhook: Text.nullable(),
    ...command,
  }),
  /**
   * The request of `svc-desk listen`, which uses a signing secret itself. The app answers with a `run` message. If the request names no webhook,
   * the app chooses the only possible one.
   */
  z.object({ type: z.literal('listen'), profile: Text.nullable(), webhook: Text.nullable(), ...command }),
  z.object({ type: z.literal('list'), profile: Text.nullable() }),
  z.object({ type: z.literal('check'), profile: Text.nullable(), dryRuns: z.boolean(), acceptTops: z.boolean() }),
  z.object({ type: z.literal('rotate'), profile: Text.nullable(), key: Text }),
  z.object({ type: z.literal('revoke'), profile: Text.nullable(), key: Text }),
  z.object({ type: z.literal('gateway'), profile: Text.nullable(), does: GatewayAsk }),
  z.object({ type: z.literal('fleet'), profile: Text.nullable(), does: FleetAsk }),
  /** Asks for fingerprints of the profile's keys and signing secrets, which reveal none of them. */
  z.object({ type: z.literal('fingerprints'), profile: Text.nullable() }),
])
export type Asked = z.infer<typeof Asked>

export const ListedKey = z.object({
  id: z.string(),
  label: z.string(),
  /** The wallet that owns the key. null if this computer stores nothing about the key; the connected wallet then owns it. */
  wallet: z.string().nullable(),
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  scopes: z.array(z.string()).nullable(),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  /** Whether the key's secret is on this computer. */
  here: z.boolean(),
})
export type ListedKey = z.infer<typeof ListedKey>

/** The user must sign in first. `wallet`: the wallet that must sign in, if another wallet is connected. `profile`: the profile to open before. */
const MissingSignIn = z.object({ wallet: z.string().nullable(), profile: z.string().nullable() })
export type MissingSignIn = z.infer<typeof MissingSignIn>

const Base64 = z.base64()
/**
 * Fingerprints of keys and signing secrets: HMAC-SHA256 with the salt. `glances`: short hashes of the first characters of the secrets, which start at
 * `seed`. `lengths`: the lengths of the secrets.
 */
export const FingerprintFile = z.object({
  format: z.literal('svc-desk fingerprints'),
  version: z.literal(1),
  salt: Base64.max(64),
  seed: z.number().int(),
  lengths: z.array(z.number().int().min(16).max(256)).max(256),
  glances: z.array(z.number().int()).max(10_000),
  secrets: z.array(z.object({ print: Base64.max(64), id: z.string().max(256), label: z.string().max(256) })).max(10_000),
})
export type FingerprintFile = z.infer<typeof FingerprintFile>

export const Answered = z.discriminatedUnion('type', [
  /** Sent while the app is asking the user. Another message follows. */
  z.object({ type: z.literal('waiting'), sentence: z.string() }),
  /** The secrets that the command receives; null for a secret that it did not request. */
  z.object({
    type: z.literal('run'),
    apiKey: z.string().nullable(),
    webhookSecret: z.string().nullable(),
    /** The webhook's delivery URL. */
    webhookUrl: z.string().nullable(),
    baseUrl: z.string(),
  }),
  z.object({
    type: z.literal('list'),
    profile: z.string(),
    /**
     * Where the list comes from. `service`: the app asked the service. `computer`: the app couldn't ask, and shows the last list that it stored;
     * `why` gives the reason.
     */
    source: z.enum(['service', 'computer']),
    why: z.string().nullable(),
    keys: z.array(ListedKey),
  }),
  z.object({ type: z.literal('done'), action: z.enum(['rotate', 'revoke']), profile: z.string(), key: ListedKey }),
  /** One step of the service check has ended, and more follow. Contains no secrets and no wallet. */
  z.object({ type: z.literal('step'), detail: CheckDetail }),
  /**
   * Sent with `--accept-top`, after the app accepted the most likely place in the service's answer for each missing field. The check then runs again
   * and reports every step again.
   */
  z.object({ type: z.literal('accepted'), tops: z.array(TopCandidate) }),
  z.object({ type: z.literal('checked') }),
  /** The gateway after the command. `token`: the new bot's token. `paused`: the orders that were under way. */
  z.object({ type: z.literal('gateway'), profile: z.string(), status: GatewayStatus, token: z.string().nullable(), paused: Paused.nullable() }),
  z.object({ type: z.literal('fleet'), profile: z.string(), plans: z.array(FleetRow) }),
  /** `missing`: how many secrets the keychain does not have. */
  z.object({ type: z.literal('fingerprints'), profile: z.string(), file: FingerprintFile, missing: z.number().int() }),
  /**
   * The app refused the request. `signIn` is set if the user must sign in first; the app's window then also shows a notice, in the user's language.
   */
  z.object({ type: z.literal('refused'), exitCode: z.number().int(), sentence: z.string(), signIn: MissingSignIn.optional() }),
])
export type Answered = z.infer<typeof Answered>

/**
 * Computes the proof that the app or the command knows the token. The proof includes the receiver's nonce and the sender's name (`side`), so that it
 * can't be replayed.
 */
export const proofOf = (token: string, side: 'app' | 'command', nonce: string): string => createHmac('sha256', token).update(`${side} ${nonce}`).digest('hex')

export const sameProof = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
