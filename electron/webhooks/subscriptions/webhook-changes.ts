import { z } from 'zod'
import type { Failure, InputIssue } from '../../../shared/ipc/failure.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { everyEvent } from '../../../shared/webhooks/events.ts'
import { readCallbackUrl } from '../../../shared/webhooks/public-address.ts'
import { settledAfterMs } from '../../keys/calls/key-calls.ts'
import { createRecordedCalls, createTidyUp } from '../../keys/calls/key-changes.ts'
import { answeredNothing } from '../../keys/calls/key-list.ts'
import { createSecretIssuer, type StoreSecret } from '../../keys/issuance/issue-secret.ts'
import type { SecretOperationRow } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/records/record.ts'
import {
  hostIssue,
  type IssuedWebhook,
  isWhole,
  type LookUp,
  listWebhooks,
  type SignedIn,
  type WebhookListing,
  type WebhookParts,
  type WebhookRequest,
} from './webhook-parts.ts'

export interface WebhookCreation {
  /** Looks up the host. Fails with the reason if the request cannot be sent; otherwise returns the request as it will be sent. */
  check(request: WebhookRequest): Promise<Result<WebhookRequest, Failure>>
  /** Creates a webhook. The service shows the signing secret only once (see `SecretIssuer.issue`). */
  create(request: WebhookRequest, signed: SignedIn): Promise<Result<WebhookSummary, Failure>>
}

const lost: Failure = { kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/webhooks' }
const bad = (field: 'url' | 'events', issue: InputIssue) => fail<Failure>({ kind: 'bad_input', field, issue })

const Request = z.object({ url: z.string(), events: z.array(z.string()) })

/** The request that the journal stored for an operation. If it is damaged, returns only the URL, which is the operation's label. */
export const requestOf = ({ draft, label }: Pick<SecretOperationRow, 'draft' | 'label'>): WebhookRequest =>
  readRecord(Request, draft) ?? { url: label, events: [] }

/** The URL in its standard form, which the service may list instead of the URL that the user typed. */
const standard = (url: string): string => (URL.parse(url)?.href ?? url).replace(/\/$/, '')

/** The webhooks that a creation may have made: those that were not listed before its request, and have its URL or none. */
export const newWebhooks = <W extends Pick<WebhookSummary, 'id' | 'url'>>(listed: readonly W[], { keyIdsBefore, label }: SecretOperationRow): W[] =>
  listed.filter(({ id, url }) => !keyIdsBefore.includes(id) && (url === null || standard(url) === standard(label)))

/** Returns the webhook that this creation made: the only one with its URL that was not listed before. `null` if there is none or if several fit. */
function newIn(listing: WebhookListing, operation: SecretOperationRow): string | null {
  if (!operation.keyIdsWhole || !isWhole(listing)) return null
  const [only, ...more] = newWebhooks(listing.webhooks, operation)
  return only !== undefined && more.length === 0 ? only.id : null
}

export function createWebhookCreation(
  parts: WebhookParts,
  { storeSecret, lookUp }: { readonly storeSecret: StoreSecret; readonly lookUp: LookUp },
): WebhookCreation {
  const { profile, journal, secrets, stored, calls, newId } = parts
  const issuer = createSecretIssuer({ profile, journal, newId, secrets, storeSecret, lost: { mayExist: 'webhook_may_exist', failure: lost } })

  return {
    check: async ({ url: typed, events }) => {
      const url = readCallbackUrl(typed, { practice: profile.kind === 'practice' })
      if (!url.ok) return bad('url', url.failure)
      if (events.includes(everyEvent) && events.length > 1) return bad('events', 'every_stands_alone')
      const issue = url.value.lookUp === null ? null : await hostIssue(url.value.lookUp, lookUp)
      return issue === null ? ok({ url: url.value.url, events }) : bad('url', issue)
    },
    create: async (request, signed) => {
      const { session, wallet } = signed
      const issued = await issuer.issue<IssuedWebhook>({
        plan: async () => {
          const before = await listWebhooks(parts, signed)
          if (!before.ok && !answeredNothing(before.failure)) return before
          const known = stored.entries().filter((entry) => entry.wallet === wallet)
          const keyIdsBefore = before.ok ? before.value.webhooks.map(({ id }) => id) : known.map(({ keyId }) => keyId)
          const draft = JSON.stringify(request)
          const keyIdsWhole = before.ok && isWhole(before.value)
          return ok({ kind: 'webhook_create', label: request.url, keyId: null, wallet, keyIdsBefore, keyIdsWhole, draft })
        },
        send: () => calls.create(session, request),
        idOf: async ({ record }, operation) => {
          if (record !== null) return record.id
          const after = await listWebhooks(parts, signed)
          return after.ok ? newIn(after.value, operation) : null
        },
      })
      if (!issued.ok) return issued
      const { id, answer } = issued.value
      const record = answer.record ?? { id, ...request, events: [...request.events], status: 'unknown' as const, createdAtMs: null, unknownFields: null }
      return ok({ ...record, secret: stored.whereIs(id) })
    },
  }
}

export interface WebhookDisabling {
  /**
   * Disables a webhook; calling it twice is safe. Deletes the secret from the keychain only after the service confirms. Works even if the disk is
   * full, the journal was rebuilt, the keychain is missing or the list is unreadable. `leftInKeychain`: see `Revocation`.
   */
  disable(webhookId: string, signed: SignedIn): Promise<Result<{ readonly leftInKeychain: boolean }, Failure>>
  /**
   * Decides the outcome of disable requests whose response was lost. A request succeeded if the list shows the webhook as disabled. It failed if the
   * webhook is still enabled although the request can no longer arrive.
   */
  settle(webhooks: readonly WebhookSummary[]): Promise<void>
}

export function createWebhookDisabling(parts: WebhookParts): WebhookDisabling {
  const { journal, stored, calls, clock, emit } = parts
  const operations = journal.secretOperations
  const recorded = createRecordedCalls(parts)
  const tidyUp = createTidyUp({ ...parts, kind: 'webhook_disable', changed: () => emit({ type: 'invalidate', queries: ['webhooks.list'] }) })

  return {
    disable: async (webhookId, signed) => {
      const { session, wallet } = signed
      // If this computer stores nothing about the webhook, only the service knows its URL. Use the id as the label.
      const label = stored.entries().find(({ keyId }) => keyId === webhookId)?.label ?? webhookId
      const disabled = await recorded.call({
        operation: { kind: 'webhook_disable', label, keyId: webhookId, wallet },
        send: () => calls.disable(session, webhookId),
        notes: { unanswered: 'disable_unanswered' },
        settled: () => 'confirmed',
      })
      if (!disabled.ok) return disabled
      recorded.settleEarlier(disabled.value.sent)
      const forgotten = await stored.forget(webhookId)
      return ok({ leftInKeychain: !forgotten.ok })
    },
    settle: async (webhooks) => {
      for (const { operation, found: webhook } of recorded.unanswered('webhook_disable', webhooks)) {
        if (webhook.status === 'disabled') {
          operations.move(operation.id, 'SETTLED', { note: 'listed_disabled' })
          await stored.forget(webhook.id)
        } else if (clock.now() >= operation.updatedAtMs + settledAfterMs) operations.move(operation.id, 'FAILED', { note: 'listed_not_disabled' })
      }
      void tidyUp(webhooks.filter(({ status }) => status === 'disabled').map(({ id }) => id))
    },
  }
}
