import { limits } from '../../shared/api/limits.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { leavesUnknown } from '../../shared/ipc/intents/intent-states.ts'
import type { UnmatchedWebhook, WebhookSummary } from '../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { Parsing } from '../kernel/parsing/parsing.ts'
import type { Secret } from '../kernel/secret.ts'
import { settledAfterMs } from '../keys/calls/key-calls.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import { createStoreSecret, type StoreSecret } from '../keys/issuance/issue-secret.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { SecretOperationRow } from '../store/journal/journal.ts'
import { isOfWebhook } from '../store/journal/tables/states.ts'
import { LeavingSecret } from '../store/secrets/leaving-secret.ts'
import { type NoteSecretUse, settleStopped } from '../store/secrets/secret-store.ts'
import type { HoldKey } from '../store/secrets/stored-secrets.ts'
import { createInspectPasted } from './subscriptions/inspect-pasted.ts'
import {
  createWebhookCreation,
  createWebhookDisabling,
  newWebhooks,
  requestOf,
  type WebhookCreation,
  type WebhookDisabling,
} from './subscriptions/webhook-changes.ts'
import {
  createFindUnindexed,
  createWebhookCalls,
  isWhole,
  type LookUp,
  listWebhooks,
  type WebhookListing,
  type WebhookParts,
} from './subscriptions/webhook-parts.ts'

export interface WebhooksDeps extends Omit<WebhookParts, 'calls' | 'findUnindexed'> {
  readonly api: ApiClient
  readonly lookUp: LookUp
  /** Copies a secret to the clipboard. Returns when the clipboard is cleared, as Unix ms. */
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly outlets: Pick<SecretOutlets, 'unlocked'>
  readonly note: NoteSecretUse
  readonly parsing: Parsing
}

export interface Webhooks {
  /** Decides the outcome of operations that the last run did not finish. Call once, before any handler. */
  recover(): Promise<void>
  /** Gets a signing secret, so that it can leave the app through one of the outlets for secrets. */
  readonly holdSecret: HoldKey
  attention(wallet: string): Attention[]
  /**
   * The wallet's webhooks whose secret is on this computer, but which are disabled: by another program or by the service. Empty until the app has
   * listed the webhooks once.
   */
  stopped(wallet: string): Attention[]
  /**
   * Lists the webhooks, so that the app notices a disabled one even if no window shows them. Does nothing without a sign-in, or if this computer stores
   * no signing secret of the wallet.
   */
  watch(): Promise<void>
  readonly handlers: Omit<HandlersOf<'webhooks'>, 'webhooks.reveal' | 'webhooks.saveEnv'>
}

/**
 * The connected wallet's webhook subscriptions: lists them, creates them with their one-time secret, disables them, and finds creations whose
 * response was lost.
 */
export function createWebhooks({ api, lookUp, copySecret, outlets, note, parsing, ...given }: WebhooksDeps): Webhooks {
  const { profile, journal, secrets, stored, wallet, signIn, clock, emit } = given
  const parts: WebhookParts = { ...given, calls: createWebhookCalls({ api }), findUnindexed: createFindUnindexed({ profile, journal, stored, clock, emit }) }
  const storeSecret = createStoreSecret({ kind: 'webhook', profileId: profile.id, journal, stored, emit })
  const creation = createWebhookCreation(parts, { storeSecret, lookUp })
  const disabling = createWebhookDisabling(parts)
  const lost = createLostWebhooks(parts, { storeSecret, creation, disabling })

  let disabled: ReadonlySet<string> = new Set()

  const read = async (): Promise<Result<WebhookListing, Failure>> => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const { wallet: asked } = signed.value
    const listing = await listWebhooks(parts, signed.value)
    // The wallet may have changed since the request was sent. The response belongs to the wallet that sent the request (Authentication 3).
    const now = wallet.current()?.address ?? 'none'
    return now === asked ? listing : fail({ kind: 'wrong_wallet', wallet: now, expected: asked })
  }

  const entryOf = (webhookId: string) => stored.entries().find(({ keyId }) => keyId === webhookId)

  const holdSecret: HoldKey = async (webhookId) => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const entry = entryOf(webhookId)
    if (entry?.wallet !== connected.value.address) return fail({ kind: 'not_found', what: 'secret' })
    const secret = await stored.secretOf(webhookId)
    if (!secret.ok) return secret
    return secret.value === null
      ? fail({ kind: 'not_found', what: 'secret' })
      : ok({ keyId: webhookId, label: entry.label, secret: new LeavingSecret(secret.value, outlets.unlocked) })
  }

  const list = async () => {
    const listing = await read()
    if (!listing.ok) return listing
    const { webhooks, missing, readAtMs } = listing.value
    const isCounted = isWhole(listing.value) && webhooks.every(({ status }) => status !== 'unknown')
    await disabling.settle(webhooks)
    disabled = new Set(webhooks.flatMap(({ id, status }) => (status === 'disabled' ? [id] : [])))
    return ok({
      webhooks,
      missing,
      active: isCounted ? webhooks.filter(({ status }) => status === 'active').length : null,
      limit: limits.webhooks.active,
      readAtMs,
    })
  }

  /** The webhooks that the app creates again at this moment. A second press would create two. */
  const again = new Set<string>()
  const createAgain = async (webhookId: string): Promise<Result<WebhookSummary, Failure>> => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const listing = await listWebhooks(parts, signed.value)
    if (!listing.ok) return listing
    const webhook = listing.value.webhooks.find(({ id }) => id === webhookId)
    if (webhook === undefined) return fail({ kind: 'not_found', what: 'webhook' })
    if (webhook.url === null || webhook.events === null) return fail({ kind: 'wrong_state', state: 'unknown', wanted: 'known_subscription' })
    // Check the URL and the events first: if the webhook cannot be created again, it must not be disabled.
    const checked = await creation.check({ url: webhook.url, events: webhook.events })
    if (!checked.ok) return checked
    const canary = await secrets.probe()
    if (!canary.ok) return canary
    const disabled = await disabling.disable(webhookId, signed.value)
    return disabled.ok ? creation.create(checked.value, signed.value) : disabled
  }

  return {
    recover: lost.recover,
    holdSecret,
    async watch() {
      const address = wallet.current()?.address
      if (!stored.entries().some((entry) => entry.wallet === address)) return
      const before = disabled
      await list()
      if (disabled.size !== before.size || [...disabled].some((id) => !before.has(id))) emit({ type: 'invalidate', queries: ['webhooks.list'] })
    },
    attention: (address) => [
      ...lost.waiting(address).map(
        (row): Attention => ({
          id: `orphan:${row.id}`,
          kind: 'orphan_webhook',
          severity: 'danger',
          to: '/webhooks',
          atMs: row.updatedAtMs,
          untilMs: null,
        }),
      ),
      ...stored
        .inMemory()
        .filter((entry) => entry.wallet === address)
        .map(
          ({ keyId }): Attention => ({
            id: `unstored:${keyId}`,
            kind: 'unstored_webhook',
            severity: 'danger',
            to: `/webhooks/${keyId}`,
            atMs: clock.now(),
            untilMs: null,
          }),
        ),
    ],
    stopped: (address) =>
      stored
        .entries()
        .filter((entry) => entry.wallet === address && disabled.has(entry.keyId))
        .map(({ keyId, label }) => ({
          id: `webhook-disabled:${keyId}`,
          kind: 'webhook_failing',
          severity: 'warn',
          label,
          why: 'disabled',
          count: 0,
          to: `/webhooks/${keyId}`,
          atMs: clock.now(),
          untilMs: null,
        })),
    handlers: {
      ...createInspectPasted({ stored, clock, parsing }),
      'webhooks.list': list,
      'webhooks.create': async (request) => {
        const checked = await creation.check(request)
        if (!checked.ok) return checked
        const signed = await signIn()
        return signed.ok ? creation.create(checked.value, signed.value) : signed
      },
      'webhooks.disable': async ({ webhookId }) => {
        const signed = await signIn()
        if (!signed.ok) return signed
        return disabling.disable(webhookId, signed.value)
      },
      'webhooks.createAgain': async ({ webhookId }) => {
        if (again.has(webhookId)) return fail({ kind: 'wrong_state', state: 'running', wanted: 'idle' })
        again.add(webhookId)
        try {
          return await createAgain(webhookId)
        } finally {
          again.delete(webhookId)
        }
      },
      'webhooks.unmatched': () => lost.read(),
      'webhooks.resolveUnmatched': ({ operationId, webhookId, action }) => lost.settle(operationId, webhookId, action),
      'webhooks.retryStore': async ({ webhookId }) => {
        const mine = await holdSecret(webhookId)
        if (!mine.ok) return mine
        const stored = await storeSecret.retry(webhookId)
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

interface LostWebhooks {
  /** Lists the creations with an unknown outcome, each with the webhooks that it may have made. */
  read(): Promise<Result<UnmatchedWebhook[], Failure>>
  settle(operationId: string, webhookId: string | null, action: 'create_again' | 'disable' | 'dismiss'): Promise<Result<Record<never, never>, Failure>>
  /** The unfinished operations of a wallet. Sends no request. */
  waiting(wallet: string): SecretOperationRow[]
  /** Decides the outcome of operations that the last run did not finish. Called at start. */
  recover(): Promise<void>
}

interface Work {
  readonly storeSecret: StoreSecret
  readonly creation: WebhookCreation
  readonly disabling: WebhookDisabling
}

const mostRecent = 500

function createLostWebhooks(parts: WebhookParts, { storeSecret, creation, disabling }: Work): LostWebhooks {
  const { profile, journal, wallet, signIn, clock, emit } = parts
  const operations = journal.secretOperations

  const waiting = (of: string): SecretOperationRow[] =>
    operations
      .unsettled(profile.id)
      .filter((row) => row.wallet === of && row.state === 'UNKNOWN' && row.kind === 'webhook_create' && !storeSecret.holds(row.id))

  /**
   * Returns the webhooks that a creation may have made: they appeared after its request, have its URL, and belong to no other operation. `null` if
   * the outcome is now certain.
   */
  const unmatchedOf = (row: SecretOperationRow, listing: Pick<WebhookListing, 'webhooks' | 'missing'>): UnmatchedWebhook | null => {
    const { webhooks: listed } = listing
    // The list from before the request and the present list must both be complete. Otherwise the created webhook may be missing here, or a candidate
    // may be older.
    const isSure = row.keyIdsWhole && isWhole(listing)
    const named = new Set(operations.list(profile.id, mostRecent).flatMap(({ id, keyId, kind }) => (kind === 'webhook_create' && id !== row.id ? [keyId] : [])))
    const since = newWebhooks(listed, row).filter(({ id }) => !named.has(id))
    const [here, ...others] = since.filter(({ secret }) => secret === 'keychain')
    // Exactly one candidate has a secret on this computer. It is certainly the created webhook if both lists are complete; otherwise the user
    // decides.
    if (isSure && here !== undefined && others.length === 0) {
      operations.move(row.id, 'VERIFIED', { keyId: here.id, note: 'secret_found' })
      return null
    }
    const candidates = since.filter(({ status, secret }) => status !== 'disabled' && secret === 'elsewhere')
    const [over] = since.filter(({ status }) => status === 'disabled')
    if (isSure && candidates.length === 0 && over !== undefined) {
      operations.move(row.id, 'SETTLED', { keyId: over.id, note: 'webhook_over' })
      return null
    }
    if (isWhole(listing) && candidates.length === 0 && clock.now() >= row.updatedAtMs + settledAfterMs) {
      operations.move(row.id, 'SETTLED', { note: 'no_new_webhook' })
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
      return ok(rows.flatMap((row) => unmatchedOf(row, listed.value) ?? []))
    },
    settle: async (operationId, webhookId, action) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const row = waiting(signed.value.wallet).find(({ id }) => id === operationId)
      if (row === undefined) return fail({ kind: 'not_found', what: 'operation' })
      if (action === 'dismiss') {
        operations.move(row.id, 'SETTLED', { note: 'dismissed' })
        return ok({})
      }
      const listed = await listWebhooks(parts, signed.value)
      if (!listed.ok) return listed
      const candidates = unmatchedOf(row, listed.value)?.candidates ?? []
      const target = candidates.find(({ id }) => id === webhookId)
      if (target === undefined) return fail({ kind: 'bad_input', field: 'webhookId', issue: 'webhook_needed' })
      const disabled = await disabling.disable(target.id, signed.value)
      if (!disabled.ok) return disabled
      operations.move(row.id, 'SETTLED', { keyId: target.id, note: 'orphan_disabled' })
      if (action === 'disable') return ok({})
      const again = await creation.create(requestOf(row), signed.value)
      if (again.ok) return ok({})
      // The window no longer shows the lost creation, so show a notice that the webhook was not created again. If the outcome of the second creation
      // is unknown too, no notice is needed, because the window lists the second creation.
      if (!leavesUnknown(again.failure))
        emit({
          type: 'notice',
          severity: 'warn',
          notice: { code: 'webhook_not_recreated', label: row.label },
          to: '/webhooks/new',
        })
      return again
    },
    recover: async () => {
      settleStopped(operations, profile.id, ({ kind }) => isOfWebhook(kind))
      for (const row of operations.list(profile.id, 100))
        if (row.kind === 'webhook_create' && row.state === 'STORED' && (await storeSecret.resume(row))) operations.move(row.id, 'VERIFIED')
    },
  }
}
