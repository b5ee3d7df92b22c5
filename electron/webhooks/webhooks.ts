import { limits } from '../../shared/api/limits.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Handlers } from '../kernel/handlers.ts'
import type { Parsing } from '../kernel/parsing/parsing.ts'
import type { Secret } from '../kernel/secret.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import { createTakeIn } from '../keys/issuance/take-in.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { HoldKey } from '../store/secrets/held-key.ts'
import { LeavingSecret } from '../store/secrets/leaving-secret.ts'
import type { NoteSecretUse } from '../store/secrets/secret-use.ts'
import { createWebhookCreation } from './subscriptions/create-webhook.ts'
import { createWebhookDisabling } from './subscriptions/disable-webhook.ts'
import { createFindStanding } from './subscriptions/find-standing.ts'
import { createInspectPasted } from './subscriptions/inspect-pasted.ts'
import { createLostWebhooks } from './subscriptions/lost-webhooks.ts'
import { createWebhookCalls } from './subscriptions/webhook-calls.ts'
import type { LookUp } from './subscriptions/webhook-host.ts'
import { isWhole, listWebhooks, type WebhookListing, type WebhookParts } from './subscriptions/webhook-parts.ts'

export interface WebhooksDeps extends Omit<WebhookParts, 'calls' | 'findStanding'> {
  readonly api: ApiClient
  readonly lookUp: LookUp
  /** Puts a secret on the clipboard; gives the Unix ms at which it is cleared. */
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly outlets: Pick<SecretOutlets, 'unlocked'>
  readonly note: NoteSecretUse
  readonly parsing: Parsing
}

export interface Webhooks {
  /** Gives what the last run left half done its true state. Once, before the handlers are used. */
  recover(): Promise<void>
  /** For the ways in which a signing secret leaves the app. */
  readonly holdSecret: HoldKey
  attention(wallet: string): Attention[]
  readonly handlers: Handlers<
    | 'webhooks.list'
    | 'webhooks.create'
    | 'webhooks.disable'
    | 'webhooks.createAgain'
    | 'webhooks.orphans'
    | 'webhooks.settleOrphan'
    | 'webhooks.retryStore'
    | 'webhooks.copySecret'
    | 'webhooks.inspect'
    | 'webhooks.kept'
  >
}

/** Webhook subscriptions of the connected wallet: their list, creation with the one-time secret, disabling, and what became of lost ones. */
export function createWebhooks({ api, lookUp, copySecret, outlets, note, parsing, ...given }: WebhooksDeps): Webhooks {
  const { profile, journal, secrets, held, wallet, signIn, clock, emit } = given
  const parts: WebhookParts = { ...given, calls: createWebhookCalls({ api }), findStanding: createFindStanding({ profile, journal, held, clock, emit }) }
  const takeIn = createTakeIn({ kind: 'webhook', profileId: profile.id, journal, held, emit })
  const creation = createWebhookCreation(parts, { takeIn, lookUp })
  const disabling = createWebhookDisabling(parts)
  const lost = createLostWebhooks(parts, { takeIn, creation, disabling })

  const read = async (): Promise<Result<WebhookListing, Failure>> => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const { wallet: asked } = signed.value
    const listing = await listWebhooks(parts, signed.value)
    // The answer belongs to the wallet that was connected when it was asked for (Authentication 3).
    const now = wallet.current()?.address ?? 'none'
    return now === asked ? listing : fail({ kind: 'wrong_wallet', wallet: now, expected: asked })
  }

  const entryOf = (webhookId: string) => held.entries().find(({ keyId }) => keyId === webhookId)

  const holdSecret: HoldKey = async (webhookId) => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const entry = entryOf(webhookId)
    if (entry?.wallet !== connected.value.address) return fail({ kind: 'not_found', what: 'secret' })
    const secret = await held.secretOf(webhookId)
    if (!secret.ok) return secret
    return secret.value === null
      ? fail({ kind: 'not_found', what: 'secret' })
      : ok({ keyId: webhookId, label: entry.label, secret: new LeavingSecret(secret.value, outlets.unlocked) })
  }

  return {
    recover: lost.recover,
    holdSecret,
    attention: (address) => [
      ...lost.waiting(address).map(
        (row): Attention => ({
          id: `orphan:${row.id}`,
          kind: 'orphan_webhook',
          severity: 'danger',
          title: 'A webhook may exist without its secret',
          text: 'The answer to its creation was lost. See what the service lists, then disable it.',
          action: { label: 'Resolve', to: '/webhooks' },
          atMs: row.updatedAtMs,
          untilMs: null,
        }),
      ),
      ...held
        .inMemory()
        .filter((entry) => entry.wallet === address)
        .map(
          ({ keyId }): Attention => ({
            id: `unstored:${keyId}`,
            kind: 'unstored_webhook',
            severity: 'danger',
            title: 'The secret of a webhook is only in memory',
            text: 'The keychain did not take it. It is lost when the app quits.',
            action: { label: 'Store', to: `/webhooks/${keyId}` },
            atMs: clock.now(),
            untilMs: null,
          }),
        ),
    ],
    handlers: {
      ...createInspectPasted({ held, clock, parsing }),
      'webhooks.list': async () => {
        const listing = await read()
        if (!listing.ok) return listing
        const { webhooks, missing, readAtMs } = listing.value
        const active = webhooks.filter(({ status }) => status !== 'disabled').length
        await disabling.settle(webhooks)
        return ok({ webhooks, missing, active: isWhole(listing.value) ? active : null, limit: limits.webhooks.active, readAtMs })
      },
      'webhooks.create': async (request) => {
        const checked = await creation.check(request)
        if (!checked.ok) return checked
        const signed = await signIn()
        return signed.ok ? creation.create(checked.value, signed.value) : signed
      },
      'webhooks.disable': async ({ webhookId }) => {
        const signed = await signIn()
        if (!signed.ok) return signed
        const disabled = await disabling.disable(webhookId, signed.value)
        return disabled
      },
      'webhooks.createAgain': async ({ webhookId }) => {
        const signed = await signIn()
        if (!signed.ok) return signed
        const listing = await listWebhooks(parts, signed.value)
        if (!listing.ok) return listing
        const webhook = listing.value.webhooks.find(({ id }) => id === webhookId)
        if (webhook === undefined) return fail({ kind: 'not_found', what: 'webhook' })
        if (webhook.url === null || webhook.events === null) return fail({ kind: 'wrong_state', state: 'unknown', wanted: 'a known URL and events' })
        // Checked before it is disabled: what cannot be made again is left as it is.
        const checked = await creation.check({ url: webhook.url, events: webhook.events })
        if (!checked.ok) return checked
        const canary = await secrets.probe()
        if (!canary.ok) return canary
        const disabled = await disabling.disable(webhookId, signed.value)
        return disabled.ok ? creation.create(checked.value, signed.value) : disabled
      },
      'webhooks.orphans': () => lost.read(),
      'webhooks.settleOrphan': ({ operationId, webhookId, action }) => lost.settle(operationId, webhookId, action),
      'webhooks.retryStore': async ({ webhookId }) => {
        const mine = await holdSecret(webhookId)
        if (!mine.ok) return mine
        const stored = await takeIn.retry(webhookId)
        if (!stored.ok) return stored
        if (stored.value !== null) journal.secretOperations.move(stored.value.id, 'VERIFIED')
        return ok({})
      },
      'webhooks.copySecret': async ({ webhookId }) => {
        const mine = await holdSecret(webhookId)
        const use = { use: 'copied', of: 'webhook', profileId: profile.id, keyId: webhookId, to: null, by: 'app' } as const
        const taken = mine.ok ? mine.value.secret.take() : mine
        note({ ...use, label: entryOf(webhookId)?.label ?? webhookId, outcome: taken.ok ? 'done' : 'failed' })
        return taken.ok ? ok({ clearsAtMs: await copySecret(taken.value) }) : taken
      },
    },
  }
}
