import type { Address } from 'viem'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { type Clock, day } from '../../../../shared/time.ts'
import { allowlistFrom } from '../../base/allowlist.ts'
import { type QuotaCaps, type Quotas, quotasFrom } from '../../base/key-quotas.ts'
import { type Scope, scopesFrom } from '../../base/scopes.ts'
import { hashOf, newApiKey, newId } from '../../base/tokens.ts'
import { invalid, type Refusal, refuse } from '../http/reply.ts'
import type { AgentRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'

/** How many active keys a wallet may have (API document: Authentication 7). */
export const activeKeysAllowed = 10
const keysListed = 64

export const keyLimitReached: Refusal = refuse(409, 'KEY_LIMIT_REACHED', `A wallet holds at most ${activeKeysAllowed} active keys`)

/**
 * The refusal of a request for a key that has expired or was revoked. Two routes accept such keys: the revocation route accepts both, the expiry
 * route accepts expired keys.
 */
export const keyNotActive = (status: 'expired' | 'revoked'): Refusal =>
  refuse(409, 'KEY_NOT_ACTIVE', status === 'revoked' ? 'This key was revoked' : 'This key has expired', { status })

export interface KeyRequest {
  readonly label: string
  readonly expiresInDays: number
  readonly ipAllowlist: readonly string[]
  readonly quotas: Quotas
}

export interface Keys {
  /** The wallet's active, expired and revoked keys, newest first. */
  list(wallet: Address): readonly KeyRow[]
  find(wallet: Address, keyId: string): KeyRow | null
  activeCount(wallet: Address): number
  /** True if the wallet may create another key, because it has fewer active keys than the maximum. */
  hasRoom(wallet: Address): boolean
  /** Finds the key with this secret, even if the key has expired or was revoked. */
  bySecret(secret: string): KeyRow | null
  statusOf(key: KeyRow): 'active' | 'expired' | 'revoked'
  /** Creates a key and returns its full secret. The exchange stores only a hash, so it cannot show the secret again. */
  create(
    wallet: Address,
    request: KeyRequest,
    more: { scopes: readonly Scope[]; agent: AgentRow | null; expiresAtMs: number },
  ): Result<{ secret: string; key: KeyRow }, Refusal>
  /** Replaces the secret and returns the new one. The previous secret stops working at once. */
  rotate(key: KeyRow): string
}

export function createKeys({ store, clock }: { store: Store; clock: Clock }): Keys {
  const { state } = store
  const statusOf = (key: KeyRow) => (key.revokedAtMs !== null ? 'revoked' : clock.now() >= key.expiresAtMs ? 'expired' : 'active')
  const own = (wallet: Address) => state.keys.filter((key) => key.wallet === wallet)
  const activeCount = (wallet: Address) => own(wallet).filter((key) => statusOf(key) === 'active').length
  const hasRoom = (wallet: Address) => activeCount(wallet) < activeKeysAllowed
  return {
    list: (wallet) => own(wallet).toReversed().slice(0, keysListed),
    find: (wallet, keyId) => own(wallet).find((key) => key.id === keyId) ?? null,
    activeCount,
    hasRoom,
    bySecret: (secret) => {
      const hash = hashOf(secret)
      return state.keys.find((key) => key.secretHash === hash) ?? null
    },
    statusOf,
    create: (wallet, request, { scopes, agent, expiresAtMs }) => {
      if (!hasRoom(wallet)) return fail(keyLimitReached)
      const secret = newApiKey()
      const key: KeyRow = {
        id: newId('key_', 10),
        wallet,
        label: request.label,
        scopes,
        secretHash: hashOf(secret),
        prefix: secret.slice(0, 6),
        createdAtMs: clock.now(),
        expiresAtMs,
        revokedAtMs: null,
        lastUsedAtMs: null,
        lastUsedIp: null,
        ipAllowlist: request.ipAllowlist,
        quotas: request.quotas,
        agent,
        executor: null,
      }
      state.keys.push(key)
      return ok({ secret, key })
    },
    rotate: (key) => {
      const secret = newApiKey()
      key.secretHash = hashOf(secret)
      key.prefix = secret.slice(0, 6)
      return secret
    },
  }
}

const longestLabel = 128

/** Parses the fields that every way of creating a key shares. `expires_in_days` is 1 to 2000, 180 by default (API document: API key). */
export function keyRequestFrom(body: Readonly<Record<string, unknown>>, caps: QuotaCaps): Result<KeyRequest, Refusal> {
  const { label = '', expires_in_days: days = 180 } = body
  if (typeof label !== 'string' || label.length > longestLabel) return fail(invalid('label', `must be a string of at most ${longestLabel} characters`))
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > 2000)
    return fail(invalid('expires_in_days', 'must be an integer from 1 to 2000'))
  const allowlist = allowlistFrom(body.ip_allowlist)
  if (!allowlist.ok) return fail(invalid('ip_allowlist', allowlist.failure))
  const quotas = quotasFrom(body.quotas, caps)
  if (!quotas.ok) return fail(invalid('quotas', quotas.failure))
  return ok({ label, expiresInDays: days, ipAllowlist: allowlist.value, quotas: quotas.value })
}

/** Parses the scopes of a new key. Fails if none of the scopes is valid. The API document does not show the HTTP status of such a refusal. */
export function keyScopesFrom(body: Readonly<Record<string, unknown>>): Result<readonly Scope[], Refusal> {
  const scopes = scopesFrom(body.scopes)
  return scopes === null ? fail(refuse(400, 'NO_VALID_SCOPES', 'scopes holds no valid scope', { field: 'scopes' })) : ok(scopes)
}

export const expiryAfter = (nowMs: number, days: number): number => nowMs + days * day
