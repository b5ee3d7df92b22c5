import { z } from 'zod'
import { Scope } from '../../api/scopes.ts'
import { botRanges } from '../../input-limits.ts'
import { command, query } from '../define.ts'
import { RiskLimits } from '../intents/risk-limits.ts'
import { Side } from '../intents/tickets.ts'
import { Decimal } from '../reads/markets.ts'

const inRange = ([from, to]: readonly [number, number]) => z.number().int().min(from).max(to)

/**
 * What a bot may do. observe: only reads. dry_run: prepares orders, and the gateway turns every execution into a validation. live: everything that
 * its scopes and limits allow.
 */
export const BotMode = z.enum(['observe', 'dry_run', 'live'])
export type BotMode = z.infer<typeof BotMode>

const minuteOfDay = inRange([0, 1_439])

/** The limits of one bot. null: no such limit. They hold back only new risk, never a close or a cancel of what the bot itself opened. */
export const BotPolicy = z.object({
  mode: BotMode,
  limits: RiskLimits,
  /** The sides on which the bot may open. */
  sides: z.array(Side).min(1).max(2).nullable(),
  /** Largest value of all positions and waiting orders of the wallet together, in USDC, after the bot's order. */
  openNotionalUsdc: Decimal.nullable(),
  /** Number of actions that may add risk in any period of one minute. */
  ordersPerMinute: inRange(botRanges.ordersPerMinute).nullable(),
  /** When the bot may add risk, in minutes since midnight UTC. If `toMinute` is before `fromMinute`, the period lasts over midnight. */
  hours: z.object({ fromMinute: minuteOfDay, toMinute: minuteOfDay }).nullable(),
  /** What the gateway does once a bot that has traded sends nothing for this many seconds. */
  silence: z.object({ afterSeconds: inRange(botRanges.silenceSeconds), does: z.enum(['cancel', 'cancel_and_close']) }).nullable(),
})
export type BotPolicy = z.infer<typeof BotPolicy>

/** no_key: this computer no longer has the secret of the bot's key, or the key is revoked or expired. */
export const BotState = z.enum(['running', 'paused', 'expired', 'no_key'])
export type BotState = z.infer<typeof BotState>

export const BotRow = z.object({
  id: z.string(),
  label: z.string(),
  wallet: z.string(),
  keyId: z.string(),
  keyLabel: z.string().nullable(),
  scopes: z.array(Scope),
  policy: BotPolicy,
  state: BotState,
  createdAtMs: z.number(),
  /** When the token ends (Unix ms); null: never. */
  expiresAtMs: z.number().nullable(),
  lastUsedAtMs: z.number().nullable(),
  /** Calls in the last ten seconds, per second. */
  callsPerSecond: z.number(),
  /** Calls since the gateway started, and how many of them the service or the gateway answered with an error. */
  calls: z.number().int(),
  errors: z.number().int(),
  /** Median time from a call to its answer in ms, of the last 100 calls; null before the first. */
  latencyMs: z.number().nullable(),
  /** How often the gateway refused a call since it started, by code. */
  refused: z.array(z.object({ code: z.string(), count: z.number().int() })),
  /** Orders sent since the gateway started. */
  orders: z.number().int(),
  /** Executions whose answer was lost and whose outcome is still unknown. */
  unknown: z.number().int(),
})
export type BotRow = z.infer<typeof BotRow>

export const GatewayStatus = z.object({
  isOn: z.boolean(),
  port: z.number().int(),
  /** Calls per second that all bots share. */
  callsPerSecond: z.number().int(),
  /** The URL for bots, as they use it in place of the exchange's `{host_url}`; null while the gateway is off or cannot listen. */
  hostUrl: z.string().nullable(),
  /** The path of the unix socket; null where there is none. */
  socket: z.string().nullable(),
  /** Why the gateway could not listen on a port: port_taken, or failed with the system's code. It may still listen on its former port. */
  trouble: z.object({ code: z.enum(['port_taken', 'failed']), port: z.number().int(), detail: z.string() }).nullable(),
  bots: z.array(BotRow),
})
export type GatewayStatus = z.infer<typeof GatewayStatus>

/** The orders that were under way when bots were paused. Each may still take effect. */
export const Paused = z.object({ bots: z.number().int(), underWay: z.array(z.object({ botId: z.string(), key: z.string(), sinceMs: z.number() })) })
export type Paused = z.infer<typeof Paused>

const old = { invalidates: ['gateway.status'] } as const
const Bot = z.object({ botId: z.string().min(1).max(64) })
const label = z.string().trim().min(1).max(64)

/** In how many days a bot's token ends; null: never. */
export const TokenDays = inRange(botRanges.tokenDays).nullable()

/** Calls for the gateway, over which bots use the exchange without a key of their own. */
export const gateway = {
  'gateway.status': query(z.object({}), GatewayStatus, 'wallet'),
  /** Switches the gateway on or off, or sets its port and the calls per second that all bots share. A setting that is left out stays as it is. */
  'gateway.set': command(
    z.object({ isOn: z.boolean(), port: z.number().int().min(1_024).max(65_535), callsPerSecond: z.number().int().min(1).max(10_000) }).partial(),
    GatewayStatus,
    old,
  ),
  /**
   * Adds a bot and shows its token once, in the window for secrets; the page never gets it. Fails with
   * `api_key_required` if the key is not on this computer, and with `scope_missing` if the key lacks a scope.
   */
  'gateway.addBot': command(
    z.object({
      label,
      keyId: z.string().min(1).max(256),
      scopes: z.array(Scope).min(1),
      expiresInDays: TokenDays,
      policy: BotPolicy,
    }),
    z.object({ botId: z.string(), closesAtMs: z.number() }),
    old,
  ),
  'gateway.setPolicy': command(Bot.extend({ policy: BotPolicy }), z.object({}), old),
  /** Pauses one bot, or all of them (`botId` null). No request of a paused bot leaves afterwards. */
  'gateway.pause': command(z.object({ botId: z.string().min(1).max(64).nullable() }), Paused, old),
  'gateway.resume': command(Bot, z.object({}), old),
  /** Ends a bot's token for good. */
  'gateway.revoke': command(Bot, z.object({}), old),
} as const
