import type { Failure } from '../../../shared/ipc/failure.ts'
import { leavesUnknown } from '../../../shared/ipc/intents/leaves-unknown.ts'
import type { WebhookOrphan } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { settledAfterMs } from '../../keys/calls/settled-after.ts'
import type { TakeIn } from '../../keys/issuance/take-in.ts'
import type { SecretOperationRow } from '../../store/journal/journal.ts'
import { isOfWebhook } from '../../store/journal/webhook-operations.ts'
import { settleStopped } from '../../store/secrets/stopped-operations.ts'
import { requestOf, type WebhookCreation } from './create-webhook.ts'
import type { WebhookDisabling } from './disable-webhook.ts'
import { isWhole, listWebhooks, type WebhookListing, type WebhookParts } from './webhook-parts.ts'

export interface LostWebhooks {
  /** Creations whose outcome is not known, with the subscriptions that may have come of them. */
  read(): Promise<Result<WebhookOrphan[], Failure>>
  settle(operationId: string, webhookId: string | null, action: 'create_again' | 'disable' | 'dismiss'): Promise<Result<Record<never, never>, Failure>>
  /** Of a wallet, without asking the service. */
  waiting(wallet: string): SecretOperationRow[]
  /** At start: what the last run left half done is given its true state. */
  recover(): Promise<void>
}

interface Work {
  readonly takeIn: TakeIn
  readonly creation: WebhookCreation
  readonly disabling: WebhookDisabling
}

const mostRecent = 500

export function createLostWebhooks(parts: WebhookParts, { takeIn, creation, disabling }: Work): LostWebhooks {
  const { profile, journal, wallet, signIn, clock, emit } = parts
  const operations = journal.secretOperations

  const waiting = (of: string): SecretOperationRow[] =>
    operations.unsettled(profile.id).filter((row) => row.wallet === of && row.state === 'UNKNOWN' && row.kind === 'webhook_create' && !takeIn.holds(row.id))

  /** New since the call, with its URL, and named by no other operation. */
  const orphanOf = (row: SecretOperationRow, listing: Pick<WebhookListing, 'webhooks' | 'missing'>): WebhookOrphan | null => {
    const { webhooks: listed } = listing
    // One that is missing from the list may be it.
    const isSure = row.keyIdsWhole && isWhole(listing)
    const named = new Set(operations.list(profile.id, mostRecent).flatMap(({ id, keyId, kind }) => (kind === 'webhook_create' && id !== row.id ? [keyId] : [])))
    const since = listed.filter(({ id, url }) => !row.keyIdsBefore.includes(id) && !named.has(id) && (url === null || url === row.label))
    const [here, ...others] = since.filter(({ secret }) => secret === 'keychain')
    // Of ids that may be old ones nothing is concluded: the user looks at each.
    if (isSure && here !== undefined && others.length === 0) {
      operations.move(row.id, 'VERIFIED', { keyId: here.id, note: 'Its secret was found in the keychain.' })
      return null
    }
    const candidates = since.filter(({ status, secret }) => status !== 'disabled' && secret === 'elsewhere')
    const [over] = since.filter(({ status }) => status === 'disabled')
    if (isSure && candidates.length === 0 && over !== undefined) {
      operations.move(row.id, 'SETTLED', { keyId: over.id, note: 'It was disabled meanwhile.' })
      return null
    }
    if (isWhole(listing) && candidates.length === 0 && clock.now() >= row.updatedAtMs + settledAfterMs) {
      operations.move(row.id, 'SETTLED', { note: 'The service lists no new webhook: nothing was created.' })
      return null
    }
    const { url, events } = requestOf(row)
    return { operationId: row.id, url, events: [...events], startedAtMs: row.atMs, candidates, missing: listing.missing }
  }

  return {
    waiting,
    read: async () => {
      const connected = wallet.connected()
      if (!connected.ok) return connected
      const rows = waiting(connected.value.address)
      if (rows.length === 0) return ok([])
      const signed = await signIn()
      if (!signed.ok) return signed
      const listed = await listWebhooks(parts, signed.value)
      if (!listed.ok) return listed
      return ok(rows.flatMap((row) => orphanOf(row, listed.value) ?? []))
    },
    settle: async (operationId, webhookId, action) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const row = waiting(signed.value.wallet).find(({ id }) => id === operationId)
      if (row === undefined) return fail({ kind: 'not_found', what: 'operation' })
      if (action === 'dismiss') {
        operations.move(row.id, 'SETTLED', { note: 'Dismissed by the user.' })
        return ok({})
      }
      const listed = await listWebhooks(parts, signed.value)
      if (!listed.ok) return listed
      const candidates = orphanOf(row, listed.value)?.candidates ?? []
      const target = candidates.find(({ id }) => id === webhookId)
      if (target === undefined) return fail({ kind: 'bad_input', field: 'webhookId', issue: 'name the webhook' })
      const disabled = await disabling.disable(target.id, signed.value)
      if (!disabled.ok) return disabled
      operations.move(row.id, 'SETTLED', { keyId: target.id, note: 'It was disabled.' })
      if (action === 'disable') return ok({})
      const again = await creation.create(requestOf(row), signed.value)
      if (again.ok) return ok({})
      // The note that it was asked from is gone by now.
      if (!leavesUnknown(again.failure))
        emit({
          type: 'notice',
          severity: 'warn',
          title: 'The webhook was disabled and not created again',
          text: `Create it anew for ${row.label}.`,
          to: '/webhooks/new',
        })
      return again
    },
    recover: async () => {
      settleStopped(operations, profile.id, ({ kind }) => isOfWebhook(kind))
      for (const row of operations.list(profile.id, 100))
        if (row.kind === 'webhook_create' && row.state === 'STORED' && (await takeIn.resume(row))) operations.move(row.id, 'VERIFIED')
    },
  }
}
