import { createHmac, randomBytes } from 'node:crypto'
import type { Address } from 'viem'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { Clock } from '../../../../shared/time.ts'
import { newId } from '../../base/tokens.ts'
import { type Refusal, refuse } from '../http/reply.ts'
import type { WebhookRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { CallbackUrl } from './callback-url.ts'

/** Maximum number of active webhooks per wallet (API document: Limits). */
export const activeWebhooksAllowed = 8

const limitReached: Refusal = refuse(409, 'WEBHOOK_LIMIT_REACHED', `A wallet holds at most ${activeWebhooksAllowed} active webhooks`)

export interface Webhooks {
  /** Returns the wallet's active and disabled webhooks, newest first. */
  list(wallet: Address): readonly WebhookRow[]
  find(wallet: Address, webhookId: string): WebhookRow | null
  activeCount(wallet: Address): number
  create(wallet: Address, callback: CallbackUrl, events: readonly string[]): Result<WebhookRow, Refusal>
  /** Disables a webhook. Returns whether it was active before. */
  disable(webhook: WebhookRow): boolean
  /**
   * Returns the signing secret, `svc_whsec_…`, with which the exchange signs deliveries. The client receives it only once, in the response that
   * creates the webhook.
   */
  signingSecret(webhook: WebhookRow): string
}

export function createWebhooks({ store, clock }: { store: Store; clock: Clock }): Webhooks {
  const { state } = store
  const own = (wallet: Address) => state.webhooks.filter((webhook) => webhook.wallet === wallet)
  const activeCount = (wallet: Address) => own(wallet).filter(({ disabledAtMs }) => disabledAtMs === null).length
  return {
    list: (wallet) => own(wallet).toReversed(),
    find: (wallet, webhookId) => own(wallet).find(({ id }) => id === webhookId) ?? null,
    activeCount,
    create: (wallet, { url, loopback }, events) => {
      if (activeCount(wallet) >= activeWebhooksAllowed) return fail(limitReached)
      const webhook: WebhookRow = { id: newId('wh_', 10), wallet, url, loopback, events, createdAtMs: clock.now(), disabledAtMs: null }
      state.webhooks.push(webhook)
      return ok(webhook)
    },
    disable: (webhook) => {
      if (webhook.disabledAtMs !== null) return false
      webhook.disabledAtMs = clock.now()
      return true
    },
    // Derive the secret from the stored seed, which is never sent, so that the state file contains no secret that a user has received.
    signingSecret: ({ id }) => {
      if (state.webhookSeed === '') {
        state.webhookSeed = randomBytes(32).toString('hex')
        store.commit()
      }
      return `svc_whsec_${createHmac('sha256', Buffer.from(state.webhookSeed, 'hex')).update(id).digest('hex')}`
    },
  }
}
