import { z } from 'zod'
import { assumed } from '../assumptions.ts'
import { limits } from '../limits.ts'
import { fieldsReader, flag, identifier, isRecord, listUnder, may, must, objectReader, readField, schemaOf, text, textList, time } from '../loose.ts'
import { secretPrefixes } from '../redact.ts'

const fields = assumed.webhookRecord.fields

const webhook = objectReader({
  id: must(fields.id, identifier),
  url: may(fields.url, text),
  events: may(fields.events, textList),
  status: may(fields.status, text),
  active: may(fields.active, flag),
  createdAtMs: may(fields.createdAt, time),
})

export const WebhookList = schemaOf((value, complain) => {
  const webhooks = listUnder(fields.webhooks, webhook)(value, complain)
  return webhooks && { webhooks }
})
export type WebhookList = z.output<typeof WebhookList>

const secretFields = fieldsReader({
  signingSecret: must(fields.secret, (value) => (typeof value === 'string' && value.startsWith(secretPrefixes.webhook) ? value : undefined)),
})

/** `signingSecret` is a secret, shown by the service only this once. It may stand beside the record or in it. */
export const WebhookSecret = schemaOf((value, complain) => {
  const inner = isRecord(value) ? readField(value, fields.webhook) : undefined
  const found = secretFields(value, () => {}) ?? secretFields(inner ?? value, complain)
  if (found === undefined) return undefined
  const read = webhook(inner ?? value, () => {})
  return { signingSecret: found.signingSecret, webhook: read ?? null }
})
export type WebhookSecret = z.output<typeof WebhookSecret>

export const CreateWebhookRequest = z.object({ url: z.url().max(limits.webhooks.urlLength), events: z.array(z.string()).min(1).optional() })
