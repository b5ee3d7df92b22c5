import type { Clock } from '../../../../shared/time.ts'
import type { Agents } from '../auth/agents.ts'
import type { Audit } from '../auth/audit.ts'
import type { KeyCreation } from '../auth/key-creation.ts'
import { activeKeysAllowed, expiryAfter, type Keys, keyLimitReached } from '../auth/keys.ts'
import type { Sessions } from '../auth/sessions.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import { open, type Route, signedIn } from '../http/router.ts'
import type { KeyRow, SessionRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'

interface Parts {
  readonly sessions: Sessions
  readonly keys: Keys
  readonly creation: KeyCreation
  readonly agents: Agents
  readonly audit: Audit
  readonly store: Store
  readonly clock: Clock
}

/** Developer routes, relative to `{host_url}`. */
export function developerRoutes({ sessions, keys, creation, agents, audit, store, clock }: Parts): Route[] {
  const subject = (ask: Ask, key: KeyRow) => ({ wallet: key.wallet, key, ip: ask.ip, requestId: ask.requestId })

  /** A route about one key of the wallet; on a revoked one only revoking goes on. */
  const ofKey = (route: string, handle: (ask: Ask, key: KeyRow) => Reply | Promise<Reply>): Route =>
    signedIn(route, (ask, session: SessionRow) => {
      const key = keys.find(session.wallet, ask.params.key_id ?? '')
      if (key === null) return notFound('The key')
      if (!route.startsWith('DELETE ') && keys.statusOf(key) === 'revoked') return refuse(409, 'KEY_NOT_ACTIVE', 'This key was revoked')
      return handle(ask, key)
    })

  return [
    open('POST /api/dex/developer/challenge', sessions.challenge),
    open('POST /api/dex/developer/session', sessions.open),
    signedIn('GET /api/dex/developer/keys', (_, { wallet }) =>
      answer({ success: true, keys: keys.list(wallet).map(keys.record), active: keys.activeCount(wallet), limit: activeKeysAllowed }),
    ),
    signedIn('POST /api/dex/developer/keys', creation.create),
    signedIn('POST /api/dex/developer/keys/prepare', creation.prepare),
    ofKey('POST /api/dex/developer/keys/{key_id}/rotate', (ask, key) => {
      if (keys.statusOf(key) !== 'active') return refuse(409, 'KEY_NOT_ACTIVE', 'This key has expired')
      const secret = keys.rotate(key)
      audit.change('key.rotated', subject(ask, key))
      store.commit()
      return answer({ success: true, api_key: secret, key: keys.record(key) })
    }),
    ofKey('PUT /api/dex/developer/keys/{key_id}/expiry', (ask, key) => {
      const days = ask.body.expires_in_days
      if (typeof days !== 'number' || ![30, 90, 360, 2000].includes(days)) return invalid('expires_in_days', 'must be 30, 90, 360 or 2000')
      if (keys.statusOf(key) === 'expired' && !keys.hasRoom(key.wallet)) return keyLimitReached
      key.expiresAtMs = expiryAfter(clock.now(), days)
      audit.change('key.expiry_changed', subject(ask, key))
      store.commit()
      return answer({ success: true, key: keys.record(key) })
    }),
    ofKey('POST /api/dex/developer/keys/{key_id}/agent', agents.offer),
    ofKey('POST /api/dex/developer/keys/{key_id}/agent/grant', agents.grant),
    ofKey('PUT /api/dex/developer/keys/{key_id}/executor', (ask, key) => {
      const { executor } = ask.body
      if (typeof executor !== 'string' || !/^[A-Za-z0-9._:-]{1,96}$/.test(executor)) return invalid('executor', 'must be the name or address of one executor')
      key.executor = executor
      audit.change('key.executor_bound', subject(ask, key))
      store.commit()
      return answer({ success: true, key: keys.record(key) })
    }),
    ofKey('POST /api/dex/developer/keys/{key_id}/execution-payment', agents.payment),
    ofKey('DELETE /api/dex/developer/keys/{key_id}', (ask, key) => {
      if (key.revokedAtMs === null) {
        key.revokedAtMs = clock.now()
        if (key.agent !== null) key.agent.granted = false
        audit.change('key.revoked', subject(ask, key))
        store.commit()
      }
      return answer({ success: true, key: keys.record(key) })
    }),
    signedIn('GET /api/dex/developer/audit', (_, { wallet }) => answer({ success: true, entries: audit.entries(wallet) })),
  ]
}
