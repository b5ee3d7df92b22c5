import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { type Clock, day, hour, minute } from '../../../shared/time.ts'
import type { Quotas } from '../base/key-quotas.ts'
import { numbers } from '../base/random-numbers.ts'
import { allScopes, defaultScopes, type Scope } from '../base/scopes.ts'
import { hashOf } from '../base/tokens.ts'
import { agentGrant } from '../exchange/auth/agent-grant.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { AuditRow, KeyRow } from '../exchange/state/state.ts'

const activeAllowed = 10

export const WalletAddress = z
  .string()
  .refine((text) => isAddress(text))
  .transform((text) => getAddress(text))

/** Fills a wallet’s lists with sample rows, for screenshots and for tests of long lists. */
export const SampleHook = z.strictObject({
  /** The wallet whose lists to fill. By default, the wallet of the practice phone. */
  wallet: WalletAddress.optional(),
  keys: z.number().int().min(0).max(64).default(64),
  audit: z.number().int().min(0).max(5_000).default(5_000),
})
export type SampleHook = z.infer<typeof SampleHook>

/** The sample's active keys, with their secrets. */
export type Sample = readonly { readonly key_id: string; readonly label: string; readonly api_key: string }[]

/** Adds sample keys to the wallet, and makes as many of them active as the wallet may still have. Replaces an earlier sample. */
export function takeSample(
  { exchange, clock, chain }: { exchange: Exchange; clock: Clock; chain: { readonly router: `0x${string}` } },
  { wallet, keys, audit }: SampleHook & { readonly wallet: `0x${string}` },
): Sample {
  const nowMs = clock.now()
  const make = (active: number) => sampleKeys({ wallet, router: chain.router, nowMs, count: keys, active })
  const ids = new Set(make(0).map(({ row }) => row.id))
  const others = exchange.effects().keys.filter((key) => key.wallet === wallet && key.status === 'active' && !ids.has(String(key.key_id)))
  const made = make(Math.max(0, activeAllowed - others.length))
  const rows = made.map(({ row }) => row)
  exchange.adopt({ keys: rows, audit: sampleAudit({ wallet, keys: rows, nowMs, count: audit }) })
  const isActive = ({ expiresAtMs, revokedAtMs }: (typeof rows)[number]) => revokedAtMs === null && nowMs < expiresAtMs
  return made.filter(({ row }) => isActive(row)).map(({ row, secret }) => ({ key_id: row.id, label: row.label, api_key: secret }))
}

const span = 90 * day
const addresses = ['203.0.113.7', '203.0.113.9', '198.51.100.42', '2001:db8:4f::17', '127.0.0.1']

/** The routes that sample keys call. Routes that occur several times in this list are chosen more often. */
const keyCalls = [
  'GET /api/dex/v1/account',
  'GET /api/dex/v1/account',
  'GET /api/dex/v1/positions',
  'GET /api/dex/v1/positions',
  'GET /api/dex/v1/markets',
  'GET /api/dex/v1/markets/{pair_id}/funding',
  'GET /api/dex/v1/native/executions/{tx_hash}',
  'POST /api/dex/v1/orders/prepare',
  'POST /api/dex/v1/orders/prepare',
  'POST /api/dex/v1/orders/execute',
]
const sessionCalls = ['GET /api/dex/developer/keys', 'GET /api/dex/developer/audit', 'POST /api/dex/developer/keys/{key_id}/rotate']
const statuses = [...Array<number>(40).fill(200), 429, 429, 403, 401, 400, 503]
const keyChanges = ['key.rotated', 'key.expiry_changed', 'key.agent_created', 'key.agent_granted', 'key.executor_bound', 'key.payment_prepared']
const sessionChanges = ['session.created', 'session.created', 'session.refused', 'key.prepared']

/**
 * Invents audit entries for these keys over the last 90 days, oldest first. The entries for the creation and revocation of a key have the times that
 * the key stores. The key's other entries lie between these times.
 */
function sampleAudit({ wallet, keys, nowMs, count }: { wallet: Address; keys: readonly KeyRow[]; nowMs: number; count: number }): AuditRow[] {
  const next = numbers(20_261_118)
  const pick = <T>(list: readonly T[]): T | null => list[Math.floor(next() * list.length)] ?? null
  let made = 0
  const row = (atMs: number, event: string, key: KeyRow | null, call: AuditRow['call'] = null): AuditRow => {
    made += 1
    const print = hashOf(`sample audit ${made} of ${wallet}`)
    return {
      id: `au_S${print.slice(0, 15).toUpperCase()}`,
      sequence: made,
      wallet,
      atMs,
      event,
      keyId: key?.id ?? null,
      label: key?.label ?? null,
      ip: pick(addresses) ?? '127.0.0.1',
      requestId: `req_${print.slice(16, 36)}`,
      call,
    }
  }
  const call = (line: string | null, status: number): AuditRow['call'] => {
    const [method = '', route = ''] = (line ?? '').split(' ')
    return { method, route, status }
  }
  const between = (atMs: number): AuditRow => {
    const living = keys.filter((key) => key.createdAtMs < atMs && atMs < Math.min(key.expiresAtMs, key.revokedAtMs ?? Number.POSITIVE_INFINITY))
    const key = pick(living)
    const kind = next()
    if (key !== null && kind < 0.7) return row(atMs, 'key.call', key, call(pick(keyCalls), pick(statuses) ?? 200))
    if (kind < 0.8) return row(atMs, 'session.call', null, call(pick(sessionCalls), 200))
    if (key !== null && kind < 0.95) return row(atMs, pick(keyChanges) ?? 'key.rotated', key)
    return row(atMs, pick(sessionChanges) ?? 'session.created', null)
  }
  const since = nowMs - span
  const milestones = keys
    .flatMap((key) => [row(key.createdAtMs, 'key.created', key), ...(key.revokedAtMs === null ? [] : [row(key.revokedAtMs, 'key.revoked', key)])])
    .filter(({ atMs }) => atMs >= since)
    .slice(0, count)
  const rest = count - milestones.length
  const others = Array.from({ length: rest }, (_, index) => between(Math.floor(since + ((index + next()) * (span - minute)) / rest)))
  return [...milestones, ...others].toSorted((a, b) => a.atMs - b.atMs)
}

interface SampleKey {
  readonly row: KeyRow
  readonly secret: string
}

type SampleStatus = 'active' | 'expired' | 'revoked'

const labels = [
  'grid-btc',
  'market-maker fra-1',
  'risk dashboard',
  'backtest reader',
  'treasury sweep',
  'Zürich client ✦ Αθήνα',
  'alerts',
  'copy of grid-btc',
  'ci',
  'funding-arbitrage eu-central production primary instance, the one with the allowlist; ask the client before it is rotated or revoked',
  '',
]
const scopeSets: readonly (readonly Scope[])[] = [
  defaultScopes,
  ['market:read'],
  ['market:read', 'account:read'],
  ['market:read', 'account:read', 'trade:prepare'],
  allScopes,
  ['orders:manage'],
  ['market:read', 'collateral:manage'],
]
const allowlists: readonly (readonly string[])[] = [
  [],
  ['127.0.0.1'],
  ['203.0.113.0/28', '2001:db8:4f::/64'],
  [],
  ['198.51.100.7', '198.51.100.8', '198.51.100.9', '2001:db8::1', '10.0.0.0/8'],
  ['0.0.0.0/0'],
]
const quotas: readonly Quotas[] = [{}, { requests_per_second: 20 }, {}, { requests_per_second: 50, prepare_per_second: 5, execute_per_second: 2 }]
const executors = [null, 'exec-fra-1', null, null, '0x52908400098527886E0F7030069857D2E4169EE7']

const activeAt = [0, 1, 3, 5, 8, 11, 15, 20, 27, 35]
const activeLeft = [2 * hour, 20 * hour, 2 * day, 6 * day, 13 * day, 29 * day, 89 * day, 179 * day, 359 * day, 1_999 * day]
const expiredSpans = [day, 7 * day, 30 * day, 90 * day]

const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('A list to pick from has something in it')
  return found
}

/**
 * Keys of every kind, newest first: states, scopes, short and long lifetimes, agents, executors, allowlists, quotas. The same wallet
 * always gets the same ids and secrets.
 * @param active how many keys may be active, at most 10
 */
function sampleKeys({ wallet, router, nowMs, count, active }: { wallet: Address; router: Address; nowMs: number; count: number; active: number }): SampleKey[] {
  const activeIndexes = activeAt.slice(0, active)
  return Array.from({ length: count }, (_, index): SampleKey => {
    const print = hashOf(`sample key ${index} of ${wallet}`)
    const secret = `SVC${print.slice(0, 48)}`
    const place = activeIndexes.indexOf(index)
    const standing: SampleStatus = place >= 0 ? 'active' : index % 3 === 0 ? 'expired' : 'revoked'
    const createdAtMs = nowMs - index * 6 * day - 3 * hour
    const life = { active: pick(activeLeft, Math.max(0, place)) + nowMs - createdAtMs, expired: pick(expiredSpans, index), revoked: 180 * day }[standing]
    const expiresAtMs = standing === 'expired' ? Math.min(createdAtMs + life, nowMs - hour) : createdAtMs + life
    const revokedAtMs = standing === 'revoked' ? createdAtMs + Math.floor((Math.min(nowMs, expiresAtMs) - createdAtMs) / 2) : null
    const end = Math.min(nowMs, expiresAtMs, revokedAtMs ?? nowMs)
    const isUsed = index % 4 !== 3
    const agent = getAddress(`0x${print.slice(0, 40)}`)
    const row: KeyRow = {
      id: `key_S${print.slice(-9).toUpperCase()}`,
      wallet,
      label: pick(labels, index),
      scopes: pick(scopeSets, index),
      secretHash: hashOf(secret),
      prefix: secret.slice(0, 6),
      createdAtMs,
      expiresAtMs,
      revokedAtMs,
      lastUsedAtMs: isUsed ? Math.max(createdAtMs + minute, end - index * minute) : null,
      lastUsedIp: isUsed ? pick(['203.0.113.7', '127.0.0.1', '2001:db8:4f::17'], index) : null,
      ipAllowlist: pick(allowlists, index),
      quotas: pick(quotas, index),
      agent:
        index % 5 < 3
          ? { address: agent, grant: agentGrant({ wallet, agent, router, keyExpiresAtMs: expiresAtMs }), granted: standing !== 'revoked' && index % 5 < 2 }
          : null,
      executor: pick(executors, index),
    }
    return { row, secret }
  })
}
