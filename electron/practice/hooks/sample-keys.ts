import { type Address, getAddress } from 'viem'
import { day, hour, minute } from '../../../shared/time.ts'
import { agentGrant } from '../exchange/auth/agent-grant.ts'
import type { Quotas } from '../exchange/auth/quotas.ts'
import { allScopes, defaultScopes, type Scope } from '../exchange/auth/scopes.ts'
import { hashOf } from '../exchange/auth/tokens.ts'
import type { KeyRow } from '../exchange/state/state.ts'

export interface SampleKey {
  readonly row: KeyRow
  /** Works while the row is active. */
  readonly secret: string
}

type Standing = 'active' | 'expired' | 'revoked'

const labels = [
  'grid-btc',
  'market-maker fra-1',
  'risk dashboard',
  'backtest reader',
  'treasury sweep',
  'Zürich desk ✦ Αθήνα',
  'alerts',
  'copy of grid-btc',
  'ci',
  'funding-arbitrage eu-central production primary instance, the one with the allowlist; ask the desk before it is rotated or revoked',
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

/** Where the active ones stand among the others, the newest key being 0, and how long they still live. */
const activeAt = [0, 1, 3, 5, 8, 11, 15, 20, 27, 35]
const activeLeft = [2 * hour, 20 * hour, 2 * day, 6 * day, 13 * day, 29 * day, 89 * day, 179 * day, 359 * day, 1_999 * day]
const expiredSpans = [day, 7 * day, 30 * day, 90 * day]

const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('A list to pick from has something in it')
  return found
}

/**
 * Keys of every kind, newest first: states, scopes, lifetimes near and far, agents, executors, allowlists, quotas. The same
 * wallet gets the same ids and secrets each time.
 * @param active how many may be active, 10 at most
 */
export function sampleKeys({
  wallet,
  router,
  nowMs,
  count,
  active,
}: {
  wallet: Address
  router: Address
  nowMs: number
  count: number
  active: number
}): SampleKey[] {
  const activeIndexes = activeAt.slice(0, active)
  return Array.from({ length: count }, (_, index): SampleKey => {
    const print = hashOf(`sample key ${index} of ${wallet}`)
    const secret = `SVC${print.slice(0, 48)}`
    const place = activeIndexes.indexOf(index)
    const standing: Standing = place >= 0 ? 'active' : index % 3 === 0 ? 'expired' : 'revoked'
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
