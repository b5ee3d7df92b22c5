import { z } from 'zod'
import { Scope } from '../../../shared/api/scopes.ts'
import { BotPolicy } from '../../../shared/ipc/keys/gateway.ts'
import { mark, record } from './record.ts'

const GatewaySettings = z.object({ isOn: z.boolean(), port: z.number().int(), callsPerSecond: z.number().int() })
export type GatewaySettings = z.infer<typeof GatewaySettings>

/** A bot of the gateway. The token itself is not stored, only its hash. */
const StoredBot = z.object({
  id: z.string(),
  label: z.string(),
  wallet: z.string(),
  keyId: z.string(),
  scopes: z.array(Scope),
  /** SHA-256 of the token's secret part, in hex. */
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  policy: BotPolicy,
  isPaused: z.boolean(),
  createdAtMs: z.number(),
  expiresAtMs: z.number().nullable(),
  lastUsedAtMs: z.number().nullable(),
  /** Whether the gateway watches for silence: true from the bot's first order until the gateway has acted on its silence. */
  isWatched: z.boolean(),
  /** The markets in which the bot has opened a position or an order. */
  openedIn: z.array(z.number().int()),
})
export type StoredBot = z.infer<typeof StoredBot>

const StoredAnswer = z.object({ status: z.number().int(), headers: z.record(z.string(), z.string()), body: z.string() })

/**
 * A call of a bot that may have an effect, stored before it leaves. sent: the answer is still missing. done: `answer` is the service's answer (the body
 * as Base64), with which the gateway answers each repetition. lapsed: no answer came, and the gateway no longer asks for one.
 */
export const StoredCall = z.object({
  route: z.enum(['execute', 'relay']),
  bot: z.string(),
  /** The wallet of the key. Empty in records from before it was stored. */
  wallet: z.string().default(''),
  /** SHA-256 of what the bot sent, independent of spaces and of the order of fields. */
  hash: z.string(),
  /** The body as sent to the service; null for a relay, because a signature is not stored. */
  body: z.string().nullable(),
  /** The key with which the call was sent. The service remembers idempotency keys per key (Idempotency rules 2). */
  keyId: z.string(),
  endsRisk: z.boolean(),
  /** Whether the call may leave again long after it was meant, and what it changes: see `repeatsLate` and `subjectsOf` of the gateway. */
  repeatsLate: z.boolean().default(false),
  subjects: z.array(z.string()).default([]),
  /** The value in USDC that counts beside the wallet's lists until these show the outcome; null: nothing, or the lists have shown it. */
  reservedUsdc: z.string().nullable().default(null),
  /** Number of actions in the call that may add risk. */
  orders: z.number().int(),
  clientOrderIds: z.array(z.string()),
  atMs: z.number(),
  state: z.enum(['sent', 'done', 'lapsed']),
  answer: StoredAnswer.nullable(),
  /** True for a call that was stored while the gateways' shared state was away. */
  isUnshared: z.boolean().default(false),
})
export type StoredCall = z.infer<typeof StoredCall>

/** An intent that the service prepared for a bot. `order` is what the bot asked for, as JSON; the relay of the intent is checked against it. */
const StoredIntent = z.object({ bot: z.string(), atMs: z.number(), order: z.string() })
export type StoredIntent = z.infer<typeof StoredIntent>

/** The records of the gateway. */
export const gatewayRecords = {
  gatewaySettings: record('gateway/{profile}/settings', GatewaySettings),
  bots: record('gateway/{profile}/bot/{id}', StoredBot),
  /** A record with this name exists if a bot had the key and has it no more. */
  formerBotKeys: mark('gateway/{profile}/former-key/{id}', 'yes'),
  botCalls: record('gateway/{profile}/call/{bot}/{key}', StoredCall),
  botIntents: record('gateway/{profile}/intent/{intent}', StoredIntent),
}
