import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { Clock } from '../../../../shared/time.ts'
import { isAllowed } from '../../base/allowlist.ts'
import type { Faults } from '../../base/faults.ts'
import type { QuotaCaps } from '../../base/key-quotas.ts'
import { type Ask, type Refusal, refuse, tooMany } from '../http/reply.ts'
import type { Route } from '../http/router.ts'
import type { KeyRow, SessionRow } from '../state/state.ts'
import type { Keys } from './api-keys.ts'
import type { Limiter } from './limits.ts'
import { bearerOf, type Sessions } from './sessions.ts'

/** Requests per second that one IP address may make to developer routes (API document: Limits). */
const developerRequestsPerSecond = 10

/**
 * The refusal for a secret that is unknown or was replaced by a rotation. The exchange does not store replaced secrets, so it cannot distinguish the
 * two cases.
 */
const invalidKey = refuse(401, 'INVALID_API_KEY', 'This is not a valid API key')
const inactiveKey: Readonly<Record<'expired' | 'revoked', Refusal>> = {
  expired: refuse(401, 'API_KEY_EXPIRED', 'This API key has expired'),
  revoked: refuse(401, 'API_KEY_REVOKED', 'This API key was revoked'),
}

/** Who made a request. A refused request also has a caller if its credential is known, so that the audit log can name the caller. */
export type Admitted = { readonly as: 'anyone' } | { readonly as: 'session'; readonly session: SessionRow } | { readonly as: 'key'; readonly key: KeyRow }

export interface Admission {
  admit(route: Route, ask: Ask): Result<Admitted, { readonly refusal: Refusal; readonly key: KeyRow | null }>
}

export function createAdmission({
  keys,
  sessions,
  limiter,
  clock,
  faults,
  caps,
}: {
  keys: Keys
  sessions: Sessions
  limiter: Limiter
  clock: Clock
  faults: Pick<Faults, 'credential' | 'ipInRefusal'>
  caps: QuotaCaps
}): Admission {
  const no = (refusal: Refusal, key: KeyRow | null = null) => fail({ refusal, key })

  const admitKey = (route: Extract<Route, { access: 'key' }>, ask: Ask) => {
    const secret = apiKeyOf(ask)
    if (secret === null) return no(refuse(401, 'API_KEY_REQUIRED', 'Send the API key in X-Svc-API-Key'))
    const key = keys.bySecret(secret)
    if (key === null) return no(invalidKey)
    const standing = faults.credential ?? keys.statusOf(key)
    if (standing !== 'active') return no(standing === 'invalid' ? invalidKey : inactiveKey[standing], key)
    if (!isAllowed(key.ipAllowlist, ask.ip))
      return no(refuse(403, 'IP_NOT_ALLOWED', 'This address is not on the key’s allowlist', faults.ipInRefusal ? { ip: ask.ip } : {}), key)
    const wait = overQuota(key, route.path)
    if (wait !== null) return no(tooMany(wait), key)
    key.lastUsedAtMs = clock.now()
    key.lastUsedIp = ask.ip
    if (route.scope !== null && !key.scopes.includes(route.scope))
      return no(refuse(403, 'SCOPE_REQUIRED', `This call needs the scope ${route.scope}`, { required_scope: route.scope }), key)
    return ok({ as: 'key' as const, key })
  }

  const overQuota = (key: KeyRow, path: string): number | null => {
    const all = limiter.take(`key ${key.id}`, key.quotas.requests_per_second ?? caps.defaultKeyQuota)
    if (all !== null) return all
    const special = path.endsWith('/orders/prepare') ? 'prepare_per_second' : path.endsWith('/orders/execute') ? 'execute_per_second' : null
    const quota = special === null ? undefined : key.quotas[special]
    return quota === undefined ? null : limiter.take(`key ${key.id} ${special}`, quota)
  }

  return {
    admit: (route, ask) => {
      if (route.path.startsWith('/api/dex/developer/')) {
        const wait = limiter.take(`developer ${ask.ip}`, developerRequestsPerSecond)
        if (wait !== null) return no(tooMany(wait))
      }
      switch (route.access) {
        case 'open':
          return ok({ as: 'anyone' })
        case 'session': {
          const session = sessions.of(ask.headers.authorization)
          return session === null
            ? no(refuse(401, 'DEVELOPER_SESSION_REQUIRED', 'Send a developer session as Authorization: Bearer'))
            : ok({ as: 'session', session })
        }
        case 'key':
          return admitKey(route, ask)
      }
    },
  }
}

/** Reads the API key from the headers. `X-Svc-API-Key` takes precedence over `Authorization: Bearer` (Authentication 1). Ignores an empty header. */
function apiKeyOf(ask: Ask): string | null {
  const header = ask.headers['x-svc-api-key']
  const named = typeof header === 'string' ? header.trim() : ''
  return named === '' ? bearerOf(ask.headers.authorization) : named
}
