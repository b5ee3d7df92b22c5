import type { Address } from 'viem'
import { day, minute } from '../../../shared/time.ts'
import { hashOf } from '../exchange/auth/tokens.ts'
import type { AuditRow, KeyRow } from '../exchange/state/state.ts'
import { numbers } from '../numbers.ts'

const span = 90 * day
const addresses = ['203.0.113.7', '203.0.113.9', '198.51.100.42', '2001:db8:4f::17', '127.0.0.1']

/** Each as often as it stands here. */
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

/** The last 90 days of these keys, oldest first: their creations and revocations when they were, and between them calls and changes. */
export function sampleAudit({ wallet, keys, nowMs, count }: { wallet: Address; keys: readonly KeyRow[]; nowMs: number; count: number }): AuditRow[] {
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
