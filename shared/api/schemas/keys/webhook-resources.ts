import { z } from 'zod'
import { limits } from '../../limits.ts'
import { type AnswerOf, answerReader, listOf } from '../../reader/answer.ts'
import { may, must } from '../../reader/field.ts'
import { flag, id, text, time } from '../../reader/kinds.ts'
import { resource } from '../../reader/resource.ts'
import { endedAt, names, statesOf } from '../name-lists.ts'
import { missingOf } from '../page.ts'
import { recordWithin } from './grant-answer.ts'
import { credentialState, events, secretIn, stateOfCredential, url } from './one-time-secret.ts'

export interface WebhookRecord {
  readonly id: string
  readonly url: string | null
  readonly events: string[] | null
  /** The webhook's status. `unknown`: the service gave no status that the app recognises. */
  readonly status: 'active' | 'disabled' | 'unknown'
  readonly createdAtMs: number | null
  readonly unknownFields: string | null
}

export const webhook = resource({
  name: 'webhook',
  words: ['webhook', 'subscription', 'hook'],
  sentence:
    'Webhook subscriptions are listed under `webhooks`; each names its id, and may name URL, events, state, wallet and times. A creation answers the record under `webhook`, beside `signing_secret` or around it.',
  source: 'Resources: the webhook record not shown',
  fields: {
    id: must(['webhook_id', 'id', 'subscription_id', 'hook_id'], id),
    url: may(['url', 'endpoint', 'target_url', 'callback_url', 'target', 'endpoint_url', 'delivery_url', 'callback', 'destination', 'deliver_to'], url),
    events: may(
      ['events', 'event_types', 'topics', 'event_names', 'subscribed_events', 'types', 'subscriptions', 'subscribed_to', 'event_kinds', 'kinds', 'filters'],
      events,
    ),
    status: may(statesOf('webhook', 'subscription'), credentialState),
    active: may(['active', 'enabled'], flag),
    disabled: may(['disabled'], flag),
    createdAtMs: may(names.createdAt, time),
    disabledAtMs: may(endedAt, time),
    wallet: may(names.wallet, text),
  },
  keyed: { key: 'id' },
  finish: ({ active, disabled, disabledAtMs, status, wallet: _, ...rest }): WebhookRecord => {
    const state = stateOfCredential(status)
    const said = state === 'expired' || state === 'revoked' ? 'disabled' : state
    const derived = disabledAtMs !== null || active === false || disabled === true ? 'disabled' : active === true || disabled === false ? 'active' : 'unknown'
    return { ...rest, status: said ?? (status === null ? derived : 'unknown') }
  },
})

export const WebhookList = listOf(webhook, ['webhooks', 'subscriptions', 'hooks'], (list) => ({ webhooks: list.items, missing: missingOf(list) }))
export type WebhookList = AnswerOf<typeof WebhookList>

/** A new webhook with its signing secret, which may be beside or inside the record. The service shows this secret only once. */
export const WebhookSecret = answerReader((json, complain, context) => {
  const signingSecret = secretIn(json, { name: 'signing_secret', kind: 'webhook' })
  if (signingSecret === undefined) {
    complain(['signing_secret'], 'missing')
    return undefined
  }
  return { signingSecret, webhook: recordWithin(webhook, json, context) }
})
export type WebhookSecret = AnswerOf<typeof WebhookSecret>

export const CreateWebhookRequest = z.object({ url: z.url().max(limits.webhooks.urlLength), events: z.array(z.string()).min(1).optional() })
