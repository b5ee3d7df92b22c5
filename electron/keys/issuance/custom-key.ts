import type { Failure } from '../../../shared/ipc/failure.ts'
import type { CustomKeyRequest, KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { markedLabel } from '../../service/credentials/credentials.ts'
import { heldBack } from '../../store/journal/journal.ts'
import type { KeyParts } from '../calls/key-deps.ts'
import { quotaIssue } from '../calls/quotas.ts'
import type { Issuance } from './issuance.ts'

export interface CustomKeys {
  /**
   * A key with chosen scopes, in one call (KEY-01). Answers once its secret is in the keychain and was read back, or is kept in memory.
   * `order` names the operation beforehand and what it is for. Fails as `Issuance.issue`, or with `bad_input` for a quota that is no number.
   */
  create(request: CustomKeyRequest, order?: { readonly operationId: string; readonly draft: string }): Promise<Result<KeySummary, Failure>>
}

export function createCustomKeys({ journal, credentials, calls, signIn }: KeyParts, issuance: Issuance): CustomKeys {
  return {
    create: async (request, order) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const issue = quotaIssue(request.quotas)
      if (issue !== null) return fail(issue)
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      const { session, wallet } = signed.value
      const marker = issuance.newMarker()
      const made = await issuance.issue({
        operationId: order?.operationId ?? null,
        session,
        wallet,
        label: request.label,
        marker,
        asked: { scopes: request.scopes, allowlist: request.ipAllowlist, agent: null },
        draft: order?.draft ?? null,
        send: () => calls.createCustom(session, request, markedLabel(request.label, marker)),
      })
      if (!made.ok) return made
      const { keyId, where, summary } = made.value
      return ok(summary ?? { ...unlisted(keyId, request, request.scopes), secret: where, inUse: credentials.inUse(wallet) === keyId })
    },
  }
}

/** What is known of a key that was created a moment ago and could not be listed. */
export const unlisted = (
  id: string,
  { label, ipAllowlist, quotas }: Pick<CustomKeyRequest, 'label' | 'ipAllowlist'> & { readonly quotas?: CustomKeyRequest['quotas'] | undefined },
  scopes: string[] | null,
): Omit<KeySummary, 'secret' | 'inUse'> => ({
  id,
  label,
  scopes,
  scopesFrom: scopes === null ? null : 'asked',
  status: 'unknown',
  createdAtMs: null,
  expiresAtMs: null,
  lastUsedAtMs: null,
  allowlist: ipAllowlist,
  agent: null,
  executor: null,
  quotas: quotas ?? null,
  note: null,
  masked: 'SVC••••••••',
  unknownFields: null,
})
