import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { Audit } from '../auth/audit-rows.ts'
import type { DeveloperAnswers } from '../auth/developer-answers.ts'
import { type Ask, invalid, notFound } from '../http/reply.ts'
import { type Route, signedIn } from '../http/router.ts'
import type { WebhookRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { names } from '../stream/lifecycle.ts'
import { callbackUrlFrom, type Resolve } from '../webhooks/callback-url.ts'
import type { Webhooks } from '../webhooks/webhook-subscriptions.ts'

interface Parts {
  readonly webhooks: Webhooks
  readonly audit: Audit
  readonly answers: DeveloperAnswers
  readonly store: Store
  readonly resolve: Resolve
  /** The routes call this after a webhook was created or disabled. */
  readonly onChange: () => void
}

/** Developer routes of webhook subscriptions, relative to `{host_url}`. */
export function webhookRoutes({ webhooks, audit, answers, store, resolve, onChange }: Parts): Route[] {
  const changed = (event: string, ask: Ask, webhook: WebhookRow) => {
    audit.change(event, { wallet: webhook.wallet, key: null, webhook, ip: ask.ip, requestId: ask.requestId })
    store.commit()
    onChange()
  }
  return [
    signedIn('GET /api/dex/developer/webhooks', (_, { wallet }) => answers.webhooks(wallet)),
    signedIn('POST /api/dex/developer/webhooks', async (ask, { wallet }) => {
      const events = eventsFrom(ask.body.events)
      if (!events.ok) return invalid('events', events.failure)
      const callback = await callbackUrlFrom(ask.body.url, resolve)
      if (!callback.ok) return invalid('url', callback.failure)
      const created = webhooks.create(wallet, callback.value, events.value)
      if (!created.ok) return created.failure
      changed('webhook.created', ask, created.value)
      return answers.webhookSecret(created.value)
    }),
    signedIn('DELETE /api/dex/developer/webhooks/{webhook_id}', (ask, { wallet }) => {
      const webhook = webhooks.find(wallet, ask.params.webhook_id ?? '')
      if (webhook === null) return notFound('The webhook')
      if (webhooks.disable(webhook)) changed('webhook.disabled', ask, webhook)
      return answers.webhook(webhook)
    }),
  ]
}

const isName = (name: unknown): boolean => names.some((each) => each === name)

const defaults = ['transaction.confirmed', 'transaction.reverted']

/** Parses a list of event names and removes duplicates. The list `["*"]` means all events. A failure says why the list is not valid. */
function eventsFrom(value: unknown): Result<readonly string[], string> {
  if (value === undefined) return ok(defaults)
  if (!Array.isArray(value) || value.length === 0) return fail('must be a list of event names, or ["*"]')
  const given: readonly unknown[] = value
  if (given.includes('*')) return given.length === 1 ? ok(['*']) : fail('"*" stands alone')
  const chosen = new Set<string>()
  for (const name of given) {
    if (typeof name !== 'string' || !isName(name)) return fail(`${JSON.stringify(name)} is not an event`)
    chosen.add(name)
  }
  return ok([...chosen])
}
