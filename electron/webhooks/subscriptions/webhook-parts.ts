import { lookup } from 'node:dns/promises'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { WebhookRecord } from '../../../shared/api/schemas/keys/webhook-resources.ts'
import type { Failure, InputIssue } from '../../../shared/ipc/failure.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiClient, ApiFailure, SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { KeychainFailure, SecretStore } from '../../store/secrets/secret-store.ts'
import type { StoredSecrets } from '../../store/secrets/stored-secrets.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'

export interface SignedIn {
  readonly session: SessionCredential
  readonly wallet: string
}

export interface WebhookParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly secrets: SecretStore
  readonly stored: StoredSecrets
  readonly calls: WebhookCalls
  readonly wallet: WalletReport
  /** Returns the connected wallet's sign-in. Fails with `no_wallet` or `sign_in_required`. */
  readonly signIn: () => Promise<Result<SignedIn, Failure>>
  readonly clock: Clock
  readonly emit: Emit
  readonly newId: () => string
  readonly findUnindexed: FindUnindexed
}

export interface WebhookListing {
  readonly webhooks: WebhookSummary[]
  readonly missing: Missing
  readonly readAtMs: number
}

/** Returns the service's list of webhooks, with the place where each signing secret is stored. */
export async function listWebhooks(
  { calls, stored, findUnindexed }: Pick<WebhookParts, 'calls' | 'stored' | 'findUnindexed'>,
  { session, wallet }: SignedIn,
): Promise<Result<WebhookListing, Failure>> {
  const answer = await calls.list(session)
  if (!answer.ok) return fail(answer.failure.failure)
  const { records, missing, readAtMs } = answer.value
  await findUnindexed(wallet, records)
  return ok({ webhooks: records.map((record) => ({ ...record, secret: stored.whereIs(record.id) })), missing, readAtMs })
}

/** Whether the list contains all webhooks of the wallet. */
export const isWhole = ({ missing }: Pick<WebhookListing, 'missing'>): boolean => missing.unreadable === 0 && !missing.more

export interface IssuedWebhook {
  readonly secret: Secret
  /** The created webhook. `null`: the response contained none, so the app looks for the webhook in the list. */
  readonly record: WebhookRecord | null
}

export interface WebhookRequest {
  readonly url: string
  readonly events: readonly string[]
}

interface WebhookCalls {
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

/** A webhook whose signing secret is on this computer. */
export interface AccessibleWebhook {
  readonly webhookId: string
  readonly url: string
  readonly wallet: string
  readonly storedAtMs: number | null
}

/** The signing secrets of a profile, for all its wallets. */
export interface WebhookAccess {
  list(): AccessibleWebhook[]
  /** Reads a signing secret; `null` if it is no longer on this computer. */
  secretOf(webhookId: string): Promise<Result<Secret | null, KeychainFailure>>
}

export const createWebhookAccess = (stored: Pick<StoredSecrets, 'entries' | 'secretOf'>): WebhookAccess => ({
  list: () => stored.entries().map(({ keyId, label, wallet, storedAtMs }) => ({ webhookId: keyId, url: label, wallet, storedAtMs })),
  secretOf: stored.secretOf,
})

/** Returns all addresses of a name. Rejects with the same `code` as `node:dns`. */
export type LookUp = (host: string) => Promise<readonly string[]>

const patienceMs = 5 * second

export const systemLookUp: LookUp = async (host) => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${host} was not resolved in time`)), patienceMs)
  try {
    const found = await Promise.race([lookup(host, { all: true }), late])
    return found.map(({ address }) => address)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The reason why the service cannot deliver to a host, for example because an address of the host is not public (HOOK-01); `null` if no reason was
 * found.
 * If the resolver does not answer, returns `null`: the service then decides.
 */
export async function hostIssue(host: string, lookUp: LookUp): Promise<InputIssue | null> {
  try {
    const addresses = await lookUp(host)
    const inner = addresses.find((address) => !isPublicAddress(address))
    return inner === undefined ? null : `inner_address ${host} ${inner}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code === 'ENOTFOUND' || code === 'ENODATA' ? `no_address ${host}` : null
  }
}

/**
 * Finds signing secrets of listed webhooks that are in the keychain but not in the app's index. A crash between the two writes, or a lost journal,
 * can cause this.
 * Searches once per journal for each webhook, and only in the keychain entries of its ID. A webhook never has a second secret.
 */
export type FindUnindexed = (wallet: string, webhooks: readonly WebhookRecord[]) => Promise<void>

export function createFindUnindexed({
  profile,
  journal,
  stored,
  clock,
  emit,
}: Pick<WebhookParts, 'profile' | 'journal' | 'stored' | 'clock' | 'emit'>): FindUnindexed {
  const { soughtWebhooks } = journal.records
  let notBefore = Number.NEGATIVE_INFINITY

  return async (wallet, webhooks) => {
    if (clock.monotonic() < notBefore) return
    for (const { id, url, status } of webhooks) {
      if (status === 'disabled' || stored.whereIs(id) !== 'elsewhere' || soughtWebhooks.read({ profile: profile.id, id }) !== null) continue
      const found = await stored.inKeychain(id)
      if (!found.ok) {
        // If the keychain has failed, wait a minute before asking it again.
        notBefore = clock.monotonic() + minute
        break
      }
      const [first] = found.value
      if (first !== undefined && stored.whereIs(id) === 'elsewhere') {
        stored.promote({ wallet, keyId: id, label: url ?? id, ...first })
        // The windows may have read webhook lists during the search, which lack the found secret. Let them read the lists again.
        emit({ type: 'invalidate', queries: ['webhooks.list', 'webhooks.unmatched', 'app.attention'] })
      }
      soughtWebhooks.write({ profile: profile.id, id }, 'yes')
    }
  }
}
