import { z } from 'zod'
import { assumed } from '../assumptions.ts'
import { limits } from '../limits.ts'
import {
  fieldsReader,
  flag,
  identifier,
  isRecord,
  listUnder,
  may,
  must,
  objectReader,
  type Reader,
  readField,
  schemaOf,
  text,
  textList,
  time,
} from '../loose.ts'
import { secretPrefixes } from '../redact.ts'

const fields = assumed.webhookRecord.fields

const recordFields = objectReader({
  id: must(fields.id, identifier),
  url: may(fields.url, text),
  events: may(fields.events, textList),
  status: may(fields.status, text),
  active: may(fields.active, flag),
  createdAtMs: may(fields.createdAt, time),
  disabledAtMs: may(fields.disabledAt, time),
  wallet: may(fields.wallet, text),
})

const statuses: Readonly<Record<string, WebhookRecord['status']>> = {
  active: 'active',
  enabled: 'active',
  disabled: 'disabled',
  inactive: 'disabled',
  deleted: 'disabled',
}

export interface WebhookRecord {
  readonly id: string
  readonly url: string | null
  readonly events: string[] | null
  /** unknown: the service did not say in words that this app knows. */
  readonly status: 'active' | 'disabled' | 'unknown'
  readonly createdAtMs: number | null
  readonly unknownFields: string | null
}

const webhook: Reader<WebhookRecord> = (value, complain) => {
  const found = recordFields(value, complain)
  if (found === undefined) return undefined
  const { active, disabledAtMs, status, wallet: _, ...rest } = found
  const word = status?.toLowerCase()
  const told = word !== undefined && Object.hasOwn(statuses, word) ? statuses[word] : undefined
  const derived = disabledAtMs !== null || active === false ? 'disabled' : active === true ? 'active' : 'unknown'
  return { ...rest, status: told ?? (status === null ? derived : 'unknown') }
}

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
