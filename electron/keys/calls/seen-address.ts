import { isIP } from 'node:net'
import type { SeenAddress } from '../../../shared/ipc/keys/keys.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { KeyParts } from './key-list.ts'

/** How many of this app's newest requests to match against audit entries. */
const ownRequests = 500

/**
 * The address at which the exchange sees this computer: from an audit entry of one of this app’s own requests, or else from a refusal that named the
 * address. Null if neither names one. Asks no other server.
 */
export function createSeenAddress({ profile, journal, calls, signIn }: KeyParts, api: Pick<ApiClient, 'seenAs'>): () => Promise<SeenAddress | null> {
  return async () => {
    const refused = api.seenAs()
    const fromRefusal: SeenAddress | null = refused === null || isIP(refused.address) === 0 ? null : { ...refused, source: 'refusal' }
    const signed = await signIn()
    if (!signed.ok) return fromRefusal
    const log = await calls.audit(signed.value.session)
    if (!log.ok) return fromRefusal

    const own = new Map(journal.requests.list(profile.id, ownRequests).flatMap((row) => [row.id, row.requestId].map((id) => [id, row.atMs] as const)))
    const seen = log.value.flatMap(({ ip, requestId, atMs }): SeenAddress[] => {
      const sentAtMs = requestId === null ? undefined : own.get(requestId)
      return ip === null || isIP(ip) === 0 || sentAtMs === undefined ? [] : [{ address: ip, source: 'audit', atMs: atMs ?? sentAtMs }]
    })
    const newest = [...seen, ...(fromRefusal === null ? [] : [fromRefusal])].sort((a, b) => b.atMs - a.atMs)[0]
    return newest ?? null
  }
}
