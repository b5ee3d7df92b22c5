import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { CheckDetail, TopCandidate } from '../../../shared/ipc/host/service-check.ts'

/** Version of the messages between `svc-desk` and the app: one JSON object per line. */
export const lineVersion = 6

/** Larger than the longest command line that is passed on. A longer message ends the connection. */
export const largestMessage = 262_144

const Nonce = z.string().regex(/^[0-9a-f]{64}$/)
const Text = z.string().max(4_096)

export const Hello = z.object({ type: z.literal('hello'), version: z.literal(lineVersion), nonce: Nonce })
/** The command proves that it has read the app's own folder, and asks for the same proof. */
export const Proof = z.object({ type: z.literal('proof'), proof: Nonce, nonce: Nonce })
/** `mark`: a file that the command must keep open, so that the operating system can report which process it is. null if the system cannot. */
export const Ready = z.object({ type: z.literal('ready'), proof: Nonce, mark: Text.nullable() })

/** The command that gets the secret. */
const command = { words: z.array(z.string().max(131_072)).min(1).max(4_096), program: Text, folder: Text }

export const Asked = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    profile: Text.nullable(),
    key: Text.nullable(),
    webhook: Text.nullable(),
    ...command,
  }),
  /**
   * `svc-desk listen` asks for a signing secret that it uses itself. The app answers with `run`. Without a webhook, the app picks the only possible
   * one.
   */
  z.object({ type: z.literal('listen'), profile: Text.nullable(), webhook: Text.nullable(), ...command }),
  z.object({ type: z.literal('list'), profile: Text.nullable() }),
  z.object({ type: z.literal('check'), profile: Text.nullable(), dryRuns: z.boolean(), acceptTops: z.boolean() }),
  z.object({ type: z.literal('rotate'), profile: Text.nullable(), key: Text }),
  z.object({ type: z.literal('revoke'), profile: Text.nullable(), key: Text }),
])
export type Asked = z.infer<typeof Asked>

export const ListedKey = z.object({
  id: z.string(),
  label: z.string(),
  /** null for a key of the connected wallet that has no stored record on this computer. */
  wallet: z.string().nullable(),
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  scopes: z.array(z.string()).nullable(),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  /** Whether the key's secret is on this computer. */
  here: z.boolean(),
})
export type ListedKey = z.infer<typeof ListedKey>

/** `wallet`: the wallet that owns the key, if a different wallet is connected. `profile`: the profile to open. */
const MissingSignIn = z.object({ wallet: z.string().nullable(), profile: z.string().nullable() })
export type MissingSignIn = z.infer<typeof MissingSignIn>

export const Answered = z.discriminatedUnion('type', [
  /** The app is asking the user; another answer follows. */
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
    /** computer: the keys as last listed, because the app could not ask the service; `why` names the cause. */
    source: z.enum(['service', 'computer']),
    why: z.string().nullable(),
    keys: z.array(ListedKey),
  }),
  z.object({ type: z.literal('done'), action: z.enum(['rotate', 'revoke']), profile: z.string(), key: ListedKey }),
  /** One step of the check has ended; more follow. Contains no secrets and no wallet. */
  z.object({ type: z.literal('step'), detail: CheckDetail }),
  /** The user accepted all top candidates. The check now reports every step again. */
  z.object({ type: z.literal('accepted'), tops: z.array(TopCandidate) }),
  z.object({ type: z.literal('checked') }),
  /** `signIn`: the missing sign-in. The app shows its own notice about it, in the user's language. */
  z.object({ type: z.literal('refused'), exitCode: z.number().int(), sentence: z.string(), signIn: MissingSignIn.optional() }),
])
export type Answered = z.infer<typeof Answered>

/** Proves that a side knows the token. Includes the other side's nonce and its own name, so that no proof can be reused. */
export const proofOf = (token: string, side: 'app' | 'command', nonce: string): string => createHmac('sha256', token).update(`${side} ${nonce}`).digest('hex')

export const sameProof = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
