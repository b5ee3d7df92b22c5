import type { Failure } from '../../../shared/ipc/failure.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { settledAfterMs } from '../../keys/calls/settled-after.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { SignedIn, WebhookParts } from './webhook-parts.ts'

export interface WebhookDisabling {
  /**
   * Disables one; repeating is safe. The secret leaves the keychain only after the service confirmed. Never held back by a full disk, a rebuilt
   * journal, a missing keychain or a list that cannot be read.
   */
  disable(webhookId: string, signed: SignedIn): Promise<Result<Record<never, never>, Failure>>
  /** Ends those whose answer was lost: the list says disabled, or still does not once nothing of them can arrive. */
  settle(webhooks: readonly WebhookSummary[]): Promise<void>
}

export function createWebhookDisabling(parts: WebhookParts): WebhookDisabling {
  const { profile, journal, held, calls, clock, newId } = parts
  const operations = journal.secretOperations

  return {
    disable: async (webhookId, signed) => {
      const { session, wallet } = signed
      // By its id alone; what the app does not know of it is the service's to say.
      const label = held.entries().find(({ keyId }) => keyId === webhookId)?.label ?? webhookId
      const about = { label, keyId: webhookId, profileId: profile.id, wallet, keyIdsBefore: [], marker: '', draft: null }
      const { id } = operations.plan({ id: newId(), kind: 'webhook_disable', ...about })
      operations.move(id, 'SENT')
      const answer = await calls.disable(session, webhookId)
      if (!answer.ok) {
        const unknown = outcomeOf(answer.failure) === 'unknown'
        operations.move(id, unknown ? 'UNKNOWN' : 'FAILED', { note: unknown ? 'disable_unanswered' : answer.failure.failure.kind })
        return fail(answer.failure.failure)
      }
      operations.move(id, 'SETTLED', { note: 'confirmed' })
      const forgotten = await held.forget(webhookId)
      return forgotten.ok ? ok({}) : forgotten
    },
    settle: async (webhooks) => {
      for (const operation of operations.unsettled(profile.id)) {
        if (operation.kind !== 'webhook_disable' || operation.state !== 'UNKNOWN') continue
        const webhook = webhooks.find(({ id }) => id === operation.keyId)
        if (webhook?.status === 'disabled') {
          operations.move(operation.id, 'SETTLED', { note: 'listed_disabled' })
          await held.forget(webhook.id)
        } else if (webhook !== undefined && clock.now() >= operation.updatedAtMs + settledAfterMs)
          operations.move(operation.id, 'FAILED', { note: 'listed_not_disabled' })
      }
    },
  }
}
