import type { Address } from 'viem'
import { type Clock, minute } from '../../../../shared/time.ts'
import type { QuotaCaps } from '../../base/key-quotas.ts'
import { newId } from '../../base/tokens.ts'
import { isSignedBy, type WireTypedData } from '../../chain/wire-typed-data.ts'
import { type Ask, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import type { PreparationRow, SessionRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { agentGrant, newAgent } from './agent-grant.ts'
import { expiryAfter, type KeyRequest, type Keys, keyRequestFrom, keyScopesFrom } from './api-keys.ts'
import type { Audit } from './audit-rows.ts'
import type { DeveloperAnswers } from './developer-answers.ts'

/** How long a key preparation is valid (API document: Limits, key-preparation validity). */
const preparationLifetime = 30 * minute

interface Parts {
  readonly store: Store
  readonly keys: Keys
  readonly audit: Audit
  readonly answers: DeveloperAnswers
  readonly clock: Clock
  readonly router: Address
  /** Converts a grant to the signing format in which the wallet receives it, which is that of a dialect if one is set. */
  readonly spoken: (grant: WireTypedData) => WireTypedData
  readonly caps: QuotaCaps
}

export interface KeyCreation {
  /** `POST /api/dex/developer/keys/prepare`. Creates an agent and its grant, but no key. */
  prepare(ask: Ask, session: SessionRow): Reply
  /** `POST /api/dex/developer/keys`: creates a plain key, or a bot-ready key if `preparation_id` and `signature` are given. */
  create(ask: Ask, session: SessionRow): Promise<Reply>
}

export function createKeyCreation({ store, keys, audit, answers, clock, router, caps, spoken }: Parts): KeyCreation {
  const { state } = store

  const finish = (ask: Ask, session: SessionRow, request: KeyRequest, preparation: PreparationRow | null): Reply => {
    const scopes = keyScopesFrom(ask.body)
    if (!scopes.ok) return scopes.failure
    const created = keys.create(session.wallet, request, {
      scopes: scopes.value,
      agent: preparation === null ? null : { address: preparation.agent, grant: preparation.grant, granted: true },
      expiresAtMs: preparation?.keyExpiresAtMs ?? expiryAfter(clock.now(), request.expiresInDays),
    })
    if (!created.ok) return created.failure
    const { key, secret } = created.value
    if (preparation !== null) preparation.keyId = key.id
    audit.change('key.created', { wallet: session.wallet, key, ip: ask.ip, requestId: ask.requestId })
    store.commit()
    return answers.secret(key, secret, 201)
  }

  const createPrepared = async (ask: Ask, session: SessionRow, request: KeyRequest): Promise<Reply> => {
    const { preparation_id: id, signature } = ask.body
    const preparation = state.preparations.find((row) => row.id === id && row.wallet === session.wallet)
    if (preparation === undefined) return notFound('The preparation')
    if (clock.now() >= preparation.expiresAtMs) return refuse(410, 'PREPARATION_EXPIRED', 'The preparation is older than 30 minutes; nothing was created')
    if (ask.body.expires_in_days !== undefined && request.expiresInDays !== preparation.expiresInDays)
      return invalid('expires_in_days', 'differs from the preparation, whose grant was signed')
    if (!(await isSignedBy(session.wallet, spoken(preparation.grant), signature)))
      return refuse(400, 'BAD_SIGNATURE', 'The signature of the grant is not the wallet’s')
    // Make this check only after verifying the signature, because verifying takes time. Otherwise, two simultaneous requests could pass the check and
    // create two keys.
    if (preparation.keyId !== null) return refuse(409, 'PREPARATION_ALREADY_USED', 'This preparation has made a key', { key_id: preparation.keyId })
    return finish(
      ask,
      session,
      {
        label: ask.body.label === undefined ? (preparation.label ?? '') : request.label,
        expiresInDays: preparation.expiresInDays,
        ipAllowlist: ask.body.ip_allowlist === undefined ? preparation.ipAllowlist : request.ipAllowlist,
        quotas: ask.body.quotas === undefined ? preparation.quotas : request.quotas,
      },
      preparation,
    )
  }

  return {
    prepare: (ask, session) => {
      const request = keyRequestFrom(ask.body, caps)
      if (!request.ok) return request.failure
      const now = clock.now()
      const keyExpiresAtMs = expiryAfter(now, request.value.expiresInDays)
      const agent = newAgent()
      const preparation: PreparationRow = {
        id: newId('kp_', 16),
        wallet: session.wallet,
        agent,
        grant: agentGrant({ wallet: session.wallet, agent, router, keyExpiresAtMs }),
        label: ask.body.label === undefined ? null : request.value.label,
        keyExpiresAtMs,
        expiresInDays: request.value.expiresInDays,
        ipAllowlist: request.value.ipAllowlist,
        quotas: request.value.quotas,
        expiresAtMs: now + preparationLifetime,
        keyId: null,
      }
      state.preparations.push(preparation)
      audit.change('key.prepared', { wallet: session.wallet, key: null, ip: ask.ip, requestId: ask.requestId })
      store.commit()
      return answers.preparation(preparation)
    },
    create: async (ask, session) => {
      const request = keyRequestFrom(ask.body, caps)
      if (!request.ok) return request.failure
      return ask.body.preparation_id === undefined ? finish(ask, session, request.value, null) : createPrepared(ask, session, request.value)
    },
  }
}
