import { endpoints } from '../../shared/api/endpoints/all.ts'
import type { AuditLog, KeyPreparation, KeyRecord as ServiceKey } from '../../shared/api/schemas/keys.ts'
import type { BotReadyRequest } from '../../shared/ipc/keys.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../api/api-client.ts'
import { Secret } from '../secrets/secret.ts'

export type KeyRecord = ServiceKey

export interface IssuedKey {
  readonly secret: Secret
  /** null: the answer held no record; the list tells. */
  readonly record: KeyRecord | null
}

export interface KeyCalls {
  list(session: SessionCredential): Promise<Result<{ records: KeyRecord[]; active: number | null; limit: number | null; readAtMs: number }, ApiFailure>>
  prepare(session: SessionCredential, request: BotReadyRequest, label: string): Promise<Result<KeyPreparation, ApiFailure>>
  create(
    session: SessionCredential,
    request: BotReadyRequest,
    grant: { readonly label: string; readonly preparationId: string; readonly signature: Secret },
  ): Promise<Result<IssuedKey, ApiFailure>>
  rotate(session: SessionCredential, keyId: string): Promise<Result<IssuedKey, ApiFailure>>
  revoke(session: SessionCredential, keyId: string): Promise<Result<void, ApiFailure>>
  audit(session: SessionCredential): Promise<Result<AuditLog['entries'], ApiFailure>>
  /**
   * Whether a secret still works, by a cheap reading call: only an answer of success or 401 says so. A 403 proves nothing, since it may be
   * about the scope or the address, and neither does a lost answer.
   */
  probe(credential: KeyCredential, scopes: readonly string[] | null): Promise<'works' | 'dead' | 'cannot_tell'>
}

export function createKeyCalls({ api }: { readonly api: ApiClient }): KeyCalls {
  const nothing = { params: {}, query: {}, body: undefined } as const
  const terms = ({ expiresInDays, ipAllowlist }: BotReadyRequest, label: string) => ({
    label,
    expires_in_days: expiresInDays,
    ...(ipAllowlist.length === 0 ? {} : { ip_allowlist: ipAllowlist }),
  })

  return {
    list: async (session) => {
      const answer = await api.call(endpoints.listKeys, { ...nothing, credential: session })
      if (!answer.ok) return answer
      const { keys, active, limit } = answer.value.value
      return ok({ records: keys, active, limit, readAtMs: answer.value.receivedAtMs })
    },
    prepare: async (session, request, label) => {
      const answer = await api.call(endpoints.prepareKey, { ...nothing, body: terms(request, label), credential: session })
      return answer.ok ? ok(answer.value.value) : answer
    },
    create: async (session, request, { label, preparationId, signature }) => {
      const body = { ...terms(request, label), preparation_id: preparationId, signature: signature.reveal() }
      const answer = await api.call(endpoints.createKey, { ...nothing, body, credential: session })
      return answer.ok ? ok({ secret: new Secret(answer.value.value.apiKey), record: answer.value.value.key }) : answer
    },
    rotate: async (session, keyId) => {
      const answer = await api.call(endpoints.rotateKey, { ...nothing, params: { key_id: keyId }, credential: session })
      return answer.ok ? ok({ secret: new Secret(answer.value.value.apiKey), record: answer.value.value.key }) : answer
    },
    revoke: async (session, keyId) => {
      const answer = await api.call(endpoints.revokeKey, { ...nothing, params: { key_id: keyId }, credential: session })
      return answer.ok ? ok(undefined) : answer
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
