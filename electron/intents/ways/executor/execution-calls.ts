import { endpoints } from '../../../../shared/api/endpoints/all-endpoints.ts'
import type { AnswerOf } from '../../../../shared/api/reader/answer.ts'
import type { DelegatedExecution, DelegatedStatus } from '../../../../shared/api/schemas/intents.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { DelegatedBody } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import { findOrder } from '../../../reads/account/open-orders.ts'
import type { Credentials } from '../../../service/credentials/credentials.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../../service/transport/api-client.ts'
import type { Urgency } from '../../../service/transport/limiter.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'

type Accepted = ApiAnswer<AnswerOf<typeof DelegatedExecution>>

export interface ExecutionCalls {
  /** Sends the journalled `body` byte for byte; its idempotency key stands in the payload (Idempotency rules 6). */
  execute(row: IntentRow, credential: KeyCredential, urgency: Urgency): Promise<Result<Accepted, ApiFailure>>
  /** Validates without submitting. */
  dryRun(body: DelegatedBody, credential: KeyCredential): Promise<Result<Accepted, ApiFailure>>
  status(row: IntentRow, commandId: string): Promise<Result<ApiAnswer<DelegatedStatus>, ApiFailure>>
  /** Whether one of these order ids stands among the orders of the wallet. */
  listsOrder(row: IntentRow, clientOrderIds: readonly string[]): Promise<Result<boolean, ApiFailure>>
}

export function createExecutionCalls({ api, credentials }: { readonly api: ApiClient; readonly credentials: Credentials }): ExecutionCalls {
  const nothing = { params: {}, query: {}, body: undefined } as const

  /** A key of the intent's own wallet, whichever wallet is connected now. */
  const reader = async (row: IntentRow): Promise<Result<KeyCredential, ApiFailure>> => {
    const credential = await credentials.forScope(row.wallet, 'account:read')
    return credential.ok ? credential : fail({ failure: credential.failure, sent: 'no' })
  }

  return {
    execute: (row, credential, urgency) =>
      api.call(endpoints.executeOrder, { params: {}, query: {}, body: JSON.parse(row.body), rawBody: row.body, credential, intentRef: row.ref, urgency }),
    dryRun: (body, credential) => api.call(endpoints.executeOrder, { params: {}, query: {}, body: { ...body, payload: { ...body.payload } }, credential }),
    status: async (row, commandId) => {
      const credential = await reader(row)
      if (!credential.ok) return credential
      // Built from the command alone: `status_url` is the service's word, and may lead to another host.
      return api.call(endpoints.getDelegatedExecution, { ...nothing, params: { command_id: commandId }, credential: credential.value, intentRef: row.ref })
    },
    listsOrder: async (row, clientOrderIds) => {
      const credential = await reader(row)
      if (!credential.ok) return credential
      const found = await findOrder(api, row.wallet, credential.value, ({ clientOrderId }) => clientOrderId !== null && clientOrderIds.includes(clientOrderId))
      return found.ok ? ok(found.value.order !== null) : found
    },
  }
}
