import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { AgentGrant } from '../../../shared/api/schemas/keys/key-resources.ts'
import type { ExecutionPayment } from '../../../shared/api/schemas/prepared-action-resources.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { ListedKey } from '../../intents/methods/payment/payments.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import { createNamedCall } from '../../service/field-names/named-call.ts'
import type { ApiAnswer, ApiClient, ApiFailure, SessionCredential } from '../../service/transport/api-client.ts'
import type { Vault } from '../../store/journal/journal.ts'
import type { GrantDraft } from '../../store/records/key-records.ts'
import type { KeyRecord } from '../calls/key-calls.ts'
import { answeredNothing, type KeyParts } from '../calls/key-list.ts'

/** What the agent, executor and payment parts of a key need. */
export interface AgentParts extends Pick<KeyParts, 'profile' | 'journal' | 'list' | 'wallet' | 'signIn' | 'clock' | 'newId'> {
  readonly vault: Vault
  readonly calls: AgentCalls
}

/**
 * Returns a key from the service’s list. If the list cannot be read, returns the key as this app last saw it. Fails with `no_wallet`,
 * `sign_in_required`, `not_found`, the failure of the key list, or `wrong_wallet` if the user switched wallets meanwhile.
 */
export async function listedKey({ signIn, list, wallet }: Pick<AgentParts, 'signIn' | 'list' | 'wallet'>, keyId: string): Promise<Result<ListedKey, Failure>> {
  const signed = await signIn()
  if (!signed.ok) return signed
  const { session, wallet: address } = signed.value
  const listing = await list.read(session, address)
  if (!listing.ok && !answeredNothing(listing.failure)) return listing
  const now = wallet.current()?.address ?? 'none'
  if (now !== address) return fail({ kind: 'wrong_wallet', wallet: now, expected: address })
  const key = listing.ok ? listing.value.keys.find(({ id }) => id === keyId) : list.known(keyId, address)
  return key == null ? fail({ kind: 'not_found', what: 'key' }) : ok({ session, wallet: address, key })
}

/**
 * Like `listedKey`, but also fails for a revoked or expired key, because only an active key can get an agent, an executor or a payment.
 */
export async function activeKey(parts: Pick<AgentParts, 'signIn' | 'list' | 'wallet'>, keyId: string): Promise<Result<ListedKey, Failure>> {
  const listed = await listedKey(parts, keyId)
  if (!listed.ok) return listed
  const { status } = listed.value.key
  return status === 'revoked' || status === 'expired' ? fail({ kind: 'wrong_state', state: status, wanted: 'active' }) : listed
}

/** How long (ms) a request may take to reach the service. A request that is older and has no answer can no longer arrive. */
export const lostForGoodMs = 15_000

type AgentCalls = ReturnType<typeof createAgentCalls>

/**
 * Calls of the service’s developer routes for one key of the wallet. If `key` in a result is null, the answer contained no record of the key, so
 * the caller must read the key list.
 */
export function createAgentCalls({ api, fieldMap }: { readonly api: ApiClient; readonly fieldMap: Pick<FieldMapService, 'names'> }) {
  const named = createNamedCall({ api, fieldMap })
  const of = (keyId: string, credential: SessionCredential) => ({ params: { key_id: keyId }, query: {}, credential })
  type OfKey = Promise<Result<{ readonly key: KeyRecord | null }, ApiFailure>>

  return {
    /** Creates the key’s trading agent, or returns the agent that the key already has. It is safe to repeat this call. */
    open: async (session: SessionCredential, keyId: string): Promise<Result<AgentGrant, ApiFailure>> => {
      const answer = await api.call(endpoints.createAgent, { ...of(keyId, session), body: undefined })
      return answer.ok ? ok(answer.value.value) : answer
    },
    store: async (session: SessionCredential, keyId: string, signature: Secret): OfKey => {
      const answer = await named('agent_grant', endpoints.storeAgentGrant, { ...of(keyId, session), body: { signature: signature.reveal() } })
      return answer.ok ? ok(answer.value.value) : answer
    },
    /** Binds an executor to the key and replaces an earlier executor. It is safe to repeat this call. */
    bindExecutor: async (session: SessionCredential, keyId: string, executor: string): OfKey => {
      const answer = await named('key_executor', endpoints.bindExecutor, { ...of(keyId, session), body: { executor } })
      return answer.ok ? ok(answer.value.value) : answer
    },
    /** Prepares a payment without sending anything to the chain. It is safe to repeat this call. */
    payment: (session: SessionCredential, keyId: string, amountUsdc: string, ref: string): Promise<Result<ApiAnswer<ExecutionPayment>, ApiFailure>> =>
      named('execution_payment', endpoints.prepareExecutionPayment, { ...of(keyId, session), body: { amount_usdc: amountUsdc }, intentRef: ref }),
  }
}

export type GrantDrafts = ReturnType<typeof createGrantDrafts>

export function createGrantDrafts({ profile, journal, vault }: Pick<AgentParts, 'profile' | 'journal' | 'vault'>) {
  const { grantDrafts } = journal.records
  const { agentGrantSignatures } = vault
  const of = (keyId: string) => ({ profile: profile.id, keyId })

  return {
    /** The key’s grant draft, even if the time for sending its signature is over; null if the key has none. */
    find: (keyId: string, wallet: string): GrantDraft | null => {
      const draft = grantDrafts.read(of(keyId))
      return draft?.wallet === wallet ? draft : null
    },
    save: (draft: GrantDraft): GrantDraft => {
      grantDrafts.write(of(draft.keyId), draft)
      return draft
    },
    /** Deletes the grant draft and its signature. */
    drop: async (keyId: string): Promise<void> => {
      grantDrafts.delete(of(keyId))
      await agentGrantSignatures.delete(of(keyId))
    },
    keepSignature: ({ keyId }: GrantDraft, signature: Secret): Promise<void> => agentGrantSignatures.write(of(keyId), signature),
    signatureOf: ({ keyId }: GrantDraft): Promise<Secret | null> => agentGrantSignatures.read(of(keyId)),
  }
}
