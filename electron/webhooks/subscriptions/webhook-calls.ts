import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { WebhookRecord } from '../../../shared/api/schemas/keys/webhook-resources.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiClient, ApiFailure, SessionCredential } from '../../service/transport/api-client.ts'

export interface IssuedWebhook {
  readonly secret: Secret
  /** null: the answer held no record; the list tells. */
  readonly record: WebhookRecord | null
}

export interface WebhookRequest {
  readonly url: string
  readonly events: readonly string[]
}

export interface WebhookCalls {
  list(session: SessionCredential): Promise<Result<{ records: WebhookRecord[]; missing: Missing; readAtMs: number }, ApiFailure>>
  create(session: SessionCredential, request: WebhookRequest): Promise<Result<IssuedWebhook, ApiFailure>>
  disable(session: SessionCredential, webhookId: string): Promise<Result<null, ApiFailure>>
}

export function createWebhookCalls({ api }: { readonly api: ApiClient }): WebhookCalls {
  const nothing = { params: {}, query: {}, body: undefined } as const
  return {
    list: async (session) => {
      const answer = await api.call(endpoints.listWebhooks, { ...nothing, credential: session })
      if (!answer.ok) return answer
      const { webhooks, missing } = answer.value.value
      return ok({ records: webhooks, missing, readAtMs: answer.value.receivedAtMs })
    },
    create: async (session, { url, events }) => {
      const answer = await api.call(endpoints.createWebhook, { ...nothing, body: { url, events: [...events] }, credential: session })
      if (!answer.ok) return answer
      const { signingSecret, webhook } = answer.value.value
      return ok({ secret: new Secret(signingSecret), record: webhook })
    },
    disable: async (session, webhookId) => {
      const answer = await api.call(endpoints.deleteWebhook, { ...nothing, params: { webhook_id: webhookId }, credential: session })
      return answer.ok ? ok(null) : answer
    },
  }
}
