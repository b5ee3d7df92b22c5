import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { HeldSecrets } from '../../store/secrets/held-secrets.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { FindStanding } from './find-standing.ts'
import type { WebhookCalls } from './webhook-calls.ts'

export interface SignedIn {
  readonly session: SessionCredential
  readonly wallet: string
}

/** What every part of webhook management works with. */
export interface WebhookParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly secrets: SecretStore
  /** Of webhooks. */
  readonly held: HeldSecrets
  readonly calls: WebhookCalls
  readonly wallet: WalletReport
  /** The connected wallet's sign-in, or `no_wallet` / `sign_in_required`. */
  readonly signIn: () => Promise<Result<SignedIn, Failure>>
  readonly clock: Clock
  readonly emit: Emit
  readonly newId: () => string
  readonly findStanding: FindStanding
}

export interface WebhookListing {
  readonly webhooks: WebhookSummary[]
  readonly missing: Missing
  readonly readAtMs: number
}

/** The service's list, joined with where each signing secret is. */
export async function listWebhooks(
  { calls, held, findStanding }: Pick<WebhookParts, 'calls' | 'held' | 'findStanding'>,
  { session, wallet }: SignedIn,
): Promise<Result<WebhookListing, Failure>> {
  const answer = await calls.list(session)
  if (!answer.ok) return fail(answer.failure.failure)
  const { records, missing, readAtMs } = answer.value
  await findStanding(wallet, records)
  return ok({ webhooks: records.map((record) => ({ ...record, secret: held.whereIs(record.id) })), missing, readAtMs })
}

/** Whether these are all webhooks of the wallet. */
export const isWhole = ({ missing }: Pick<WebhookListing, 'missing'>): boolean => missing.unreadable === 0 && !missing.more
