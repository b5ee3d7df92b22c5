import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { AgentGrant } from '../../../shared/api/schemas/keys/key-resources.ts'
import type { ExecutionPayment } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { ok, type Result } from '../../../shared/result.ts'
import type { Told } from '../../intents/ways/payment/payments.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import { createNamedCall } from '../../service/field-names/named-call.ts'
import type { ApiClient, ApiFailure, SessionCredential } from '../../service/transport/api-client.ts'
import type { KeyRecord } from '../calls/key-calls.ts'

/** Developer routes about one key of the wallet. `key` null: the answer held no record; the list tells. */
export interface AgentCalls {
  /** Creates the agent or returns it. Safe to repeat. */
  open(session: SessionCredential, keyId: string): Promise<Result<AgentGrant, ApiFailure>>
  store(session: SessionCredential, keyId: string, signature: Secret): Promise<Result<{ readonly key: KeyRecord | null }, ApiFailure>>
  /** The last one bound stands: safe to repeat. */
  bindExecutor(session: SessionCredential, keyId: string, executor: string): Promise<Result<{ readonly key: KeyRecord | null }, ApiFailure>>
  /** Nothing is sent to the chain by it: safe to repeat. */
  payment(session: SessionCredential, keyId: string, amountUsdc: string, ref: string): Promise<Result<Told<ExecutionPayment>, ApiFailure>>
}

export function createAgentCalls({ api, fieldMap }: { readonly api: ApiClient; readonly fieldMap: Pick<FieldMapBook, 'names'> }): AgentCalls {
  const named = createNamedCall({ api, fieldMap })
  const of = (keyId: string, credential: SessionCredential) => ({ params: { key_id: keyId }, query: {}, credential })

  return {
    open: async (session, keyId) => {
      const answer = await api.call(endpoints.createAgent, { ...of(keyId, session), body: undefined })
      return answer.ok ? ok(answer.value.value) : answer
    },
    store: async (session, keyId, signature) => {
      const answer = await named('agent_grant', endpoints.storeAgentGrant, { ...of(keyId, session), body: { signature: signature.reveal() } })
      return answer.ok ? ok(answer.value.value) : answer
    },
    bindExecutor: async (session, keyId, executor) => {
      const answer = await named('key_executor', endpoints.bindExecutor, { ...of(keyId, session), body: { executor } })
      return answer.ok ? ok(answer.value.value) : answer
    },
    payment: async (session, keyId, amountUsdc, ref) => {
      const answer = await named('execution_payment', endpoints.prepareExecutionPayment, {
        ...of(keyId, session),
        body: { amount_usdc: amountUsdc },
        intentRef: ref,
      })
      return answer.ok ? ok({ value: answer.value.value, requestId: answer.value.requestId }) : answer
    },
  }
}
