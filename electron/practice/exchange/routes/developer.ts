import { getAddress, isAddress } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import { expiryAfter, type Keys, keyLimitReached, keyNotActive } from '../auth/api-keys.ts'
import type { Audit } from '../auth/audit-rows.ts'
import type { DeveloperAnswers } from '../auth/developer-answers.ts'
import type { ExecutionPayment } from '../auth/execution-payment.ts'
import type { Agents } from '../auth/key-agents.ts'
import type { KeyCreation } from '../auth/key-creation.ts'
import type { Sessions } from '../auth/sessions.ts'
import { type Ask, invalid, notFound, type Reply } from '../http/reply.ts'
import { open, type Route, signedIn } from '../http/router.ts'
import type { KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'

interface Parts {
  readonly sessions: Sessions
  readonly keys: Keys
  readonly creation: KeyCreation
  readonly agents: Agents
  readonly payment: ExecutionPayment
  readonly audit: Audit
  readonly answers: DeveloperAnswers
  readonly store: Store
  readonly clock: Clock
}

/** The values that the expiry route accepts, in days from now (API document: Limits). */
const expirySpans: readonly unknown[] = [30, 90, 360, 2000]

/** Developer routes, relative to `{host_url}`. */
export function developerRoutes({ sessions, keys, creation, agents, payment, audit, answers, store, clock }: Parts): Route[] {
  type Handler = (ask: Ask, key: KeyRow) => Reply | Promise<Reply>

  /** Defines a route for one key of the signed-in wallet. Responds “not found” if the key belongs to another wallet. */
  const ofKey = (route: string, allowed: readonly ReturnType<Keys['statusOf']>[], handle: Handler): Route =>
    signedIn(route, (ask, { wallet }) => {
      const key = keys.find(wallet, ask.params.key_id ?? '')
      if (key === null) return notFound('The key')
      const status = keys.statusOf(key)
      return status === 'active' || allowed.includes(status) ? handle(ask, key) : keyNotActive(status)
    })

  const changed = (event: string, ask: Ask, key: KeyRow) => {
    audit.change(event, { wallet: key.wallet, key, ip: ask.ip, requestId: ask.requestId })
    store.commit()
  }

  const rotate: Handler = (ask, key) => {
    const secret = keys.rotate(key)
    changed('key.rotated', ask, key)
    return answers.secret(key, secret, 200)
  }

  const setExpiry: Handler = (ask, key) => {
    const { expires_in_days: days } = ask.body
    if (typeof days !== 'number' || !expirySpans.includes(days)) return invalid('expires_in_days', `must be one of ${expirySpans.join(', ')}`)
    if (keys.statusOf(key) === 'expired' && !keys.hasRoom(key.wallet)) return keyLimitReached
    key.expiresAtMs = expiryAfter(clock.now(), days)
    changed('key.expiry_changed', ask, key)
    return answers.key(key)
  }

  const bindExecutor: Handler = (ask, key) => {
    const { executor } = ask.body
    if (typeof executor !== 'string' || !/^[A-Za-z0-9._:-]{1,96}$/.test(executor)) return invalid('executor', 'must be the name or address of one executor')
    key.executor = isAddress(executor, { strict: false }) ? getAddress(executor.toLowerCase()) : executor
    changed('key.executor_bound', ask, key)
    return answers.key(key)
  }

  /** Revokes a key and its agent. Repeated calls succeed and change nothing. */
  const revoke: Handler = (ask, key) => {
    if (key.revokedAtMs === null) {
      key.revokedAtMs = clock.now()
      if (key.agent !== null) key.agent.granted = false
      changed('key.revoked', ask, key)
    }
    return answers.key(key)
  }

  return [
    open('POST /api/dex/developer/challenge', sessions.challenge),
    open('POST /api/dex/developer/session', sessions.open),
    signedIn('GET /api/dex/developer/keys', (_, { wallet }) => answers.keys(wallet)),
    signedIn('POST /api/dex/developer/keys', creation.create),
    signedIn('POST /api/dex/developer/keys/prepare', creation.prepare),
    ofKey('POST /api/dex/developer/keys/{key_id}/rotate', [], rotate),
    ofKey('PUT /api/dex/developer/keys/{key_id}/expiry', ['expired'], setExpiry),
    ofKey('POST /api/dex/developer/keys/{key_id}/agent', [], agents.offer),
    ofKey('POST /api/dex/developer/keys/{key_id}/agent/grant', [], agents.grant),
    ofKey('PUT /api/dex/developer/keys/{key_id}/executor', [], bindExecutor),
    ofKey('POST /api/dex/developer/keys/{key_id}/execution-payment', [], payment.prepare),
    ofKey('DELETE /api/dex/developer/keys/{key_id}', ['expired', 'revoked'], revoke),
    signedIn('GET /api/dex/developer/audit', (ask, { wallet }) => answers.audit(ask, audit.rows(wallet))),
  ]
}
