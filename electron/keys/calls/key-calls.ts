import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { AuditLog, KeyPreparation, KeySecret, KeyRecord as ServiceKey } from '../../../shared/api/schemas/keys/key-resources.ts'
import type { BotReadyRequest, CustomKeyRequest } from '../../../shared/ipc/keys/keys.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import { createNamedCall } from '../../service/field-names/named-call.ts'
import type { ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../../service/transport/api-client.ts'
import type { Urgency } from '../../service/transport/limiter.ts'

export type KeyRecord = ServiceKey

export interface IssuedKey {
  readonly secret: Secret
  /** The key’s record; null if the answer contained none, so that the caller must read the key list. */
  readonly record: KeyRecord | null
}

/** The only periods, in days, that the expiry route accepts. */
export type ExpiryDays = 30 | 90 | 360 | 2_000

export interface KeyCalls {
  list(session: SessionCredential): Promise<Result<{ records: KeyRecord[]; missing: Missing; active: number | null; readAtMs: number }, ApiFailure>>
  prepare(session: SessionCredential, request: BotReadyRequest, label: string): Promise<Result<KeyPreparation, ApiFailure>>
  create(
    session: SessionCredential,
    request: BotReadyRequest,
    grant: { readonly label: string; readonly preparationId: string; readonly signature: Secret },
  ): Promise<Result<IssuedKey, ApiFailure>>
  createCustom(session: SessionCredential, request: CustomKeyRequest, label: string): Promise<Result<IssuedKey, ApiFailure>>
  rotate(session: SessionCredential, keyId: string): Promise<Result<IssuedKey, ApiFailure>>
  setExpiry(session: SessionCredential, keyId: string, days: ExpiryDays): Promise<Result<KeyRecord | null, ApiFailure>>
  /**
   * Revokes a key and returns the request id. `urgency`: `exit` (urgent) if the user pressed Revoke. Automatic retries use a lower urgency, so that
   * they wait as long as the service asks.
   */
  revoke(session: SessionCredential, keyId: string, urgency?: Urgency): Promise<Result<string | null, ApiFailure>>
  audit(session: SessionCredential): Promise<Result<AuditLog['entries'], ApiFailure>>
  /**
   * Tests a secret with a cheap read. Only a success or a 401 decides whether the secret works. A lost answer proves nothing, and a 403 may be
   * about the scope or the IP address.
   */
  probe(credential: KeyCredential, scopes: readonly string[] | null): Promise<'works' | 'dead' | 'cannot_tell'>
}

export function createKeyCalls({ api, fieldMap }: { readonly api: ApiClient; readonly fieldMap: Pick<FieldMapService, 'names'> }): KeyCalls {
  const named = createNamedCall({ api, fieldMap })
  const nothing = { params: {}, query: {}, body: undefined } as const
  const terms = ({ expiresInDays, ipAllowlist, quotas = [] }: BotReadyRequest, label: string) => ({
    label,
    expires_in_days: expiresInDays,
    ...(ipAllowlist.length === 0 ? {} : { ip_allowlist: ipAllowlist }),
    ...(quotas.length === 0 ? {} : { quotas: Object.fromEntries(quotas.map(({ name, value }) => [name, Number(value)])) }),
  })
  const issued = ({ apiKey, key }: KeySecret): IssuedKey => ({ secret: new Secret(apiKey), record: key })

  return {
    list: async (session) => {
      const answer = await api.call(endpoints.listKeys, { ...nothing, credential: session })
      if (!answer.ok) return answer
      const { keys, missing, active } = answer.value.value
      return ok({ records: keys, missing, active, readAtMs: answer.value.receivedAtMs })
    },
    prepare: async (session, request, label) => {
      const answer = await named('key_preparation', endpoints.prepareKey, { ...nothing, body: terms(request, label), credential: session })
      return answer.ok ? ok(answer.value.value) : answer
    },
    create: async (session, request, { label, preparationId, signature }) => {
      const body = { ...terms(request, label), preparation_id: preparationId, signature: signature.reveal() }
      const answer = await named('key_creation', endpoints.createKey, { ...nothing, body, credential: session })
      return answer.ok ? ok(issued(answer.value.value)) : answer
    },
    createCustom: async (session, request, label) => {
      const answer = await api.call(endpoints.createKey, { ...nothing, body: { ...terms(request, label), scopes: request.scopes }, credential: session })
      return answer.ok ? ok(issued(answer.value.value)) : answer
    },
    rotate: async (session, keyId) => {
      const answer = await api.call(endpoints.rotateKey, { ...nothing, params: { key_id: keyId }, credential: session })
      return answer.ok ? ok(issued(answer.value.value)) : answer
    },
    setExpiry: async (session, keyId, days) => {
      const answer = await named('key_expiry', endpoints.setKeyExpiry, {
        ...nothing,
        params: { key_id: keyId },
        body: { expires_in_days: days },
        credential: session,
      })
      return answer.ok ? ok(answer.value.value.key) : answer
    },
    revoke: async (session, keyId, urgency = 'exit') => {
      const answer = await api.call(endpoints.revokeKey, { ...nothing, params: { key_id: keyId }, credential: session, urgency })
      return answer.ok ? ok(answer.value.requestId) : answer
    },
    audit: async (session) => {
      const answer = await api.call(endpoints.listAudit, { ...nothing, credential: session })
      return answer.ok ? ok(answer.value.value.entries) : answer
    },
    probe: async (credential, scopes) => {
      const endpoint = scopes === null || scopes.includes('market:read') ? endpoints.getStatus : scopes.includes('account:read') ? endpoints.getAccount : null
      if (endpoint === null) return 'cannot_tell'
      const answer = await api.call(endpoint, { ...nothing, credential })
      if (answer.ok) return 'works'
      const { failure } = answer.failure
      return failure.kind === 'refused' && failure.status === 401 ? 'dead' : 'cannot_tell'
    },
  }
}

/** After this time (ms), a request on which the app gave up can no longer arrive at the service. No request lives longer than 10 s. */
export const settledAfterMs = 15 * second
