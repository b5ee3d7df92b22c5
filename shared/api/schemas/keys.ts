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
  record,
  schemaOf,
  text,
  textList,
  time,
  wholeNumber,
} from '../loose.ts'
import { secretPrefixes } from '../redact.ts'
import { Scope } from '../scopes.ts'
import { joinFields } from '../unknown-fields.ts'
import { HexSignature, JsonObject } from './inputs.ts'
import { pageReader } from './page.ts'

const fields = assumed.keyRecord.fields

interface AgentRecord {
  readonly address: string | null
  readonly granted: boolean | null
  readonly unknownFields: string | null
}

const agentObject: Reader<AgentRecord> = objectReader({ address: may(fields.address, text), granted: may(fields.granted, flag) })
const agent: Reader<AgentRecord> = (value, complain) => {
  if (typeof value === 'string' && value !== '') return { address: value, granted: null, unknownFields: null }
  return agentObject(value, complain)
}

/** An executor is an address or an object that names one. */
const executor: Reader<string> = (value, complain) => text(value, complain) ?? (isRecord(value) ? text(readField(value, fields.address), complain) : undefined)

const keyFields = objectReader({
  id: must(fields.id, identifier),
  label: may(fields.label, text),
  scopes: may(fields.scopes, textList),
  status: may(fields.status, text),
  createdAtMs: may(fields.createdAt, time),
  expiresAtMs: may(fields.expiresAt, time),
  lastUsedAtMs: may(fields.lastUsedAt, time),
  revokedAtMs: may(fields.revokedAt, time),
  active: may(fields.active, flag),
  allowlist: may(fields.allowlist, textList),
  quotas: may(fields.quotas, record),
  agent: may(fields.agent, agent),
  executor: may(fields.executor, executor),
})

const statuses: Readonly<Record<string, KeyRecord['status']>> = {
  active: 'active',
  enabled: 'active',
  expired: 'expired',
  revoked: 'revoked',
  disabled: 'revoked',
  deleted: 'revoked',
}

export interface KeyRecord {
  readonly id: string
  readonly label: string | null
  readonly scopes: string[] | null
  /** unknown: the service did not say in words that this app knows. */
  readonly status: 'active' | 'expired' | 'revoked' | 'unknown'
  readonly createdAtMs: number | null
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
  readonly allowlist: string[] | null
  readonly quotas: Readonly<Record<string, unknown>> | null
  readonly agent: { readonly address: string | null; readonly granted: boolean | null } | null
  readonly executor: string | null
  readonly unknownFields: string | null
}

const keyRecord: Reader<KeyRecord> = (value, complain) => {
  const found = keyFields(value, complain)
  if (found === undefined) return undefined
  const { active, revokedAtMs, status, agent: held, unknownFields, ...rest } = found
  const word = status?.toLowerCase()
  const told = word !== undefined && Object.hasOwn(statuses, word) ? statuses[word] : undefined
  const derived = revokedAtMs !== null ? 'revoked' : active === true ? 'active' : 'unknown'
  return {
    ...rest,
    agent: held === null ? null : { address: held.address, granted: held.granted },
    status: told ?? (status === null ? derived : 'unknown'),
    unknownFields: held?.unknownFields == null ? unknownFields : joinFields({ '': unknownFields, agent: held.unknownFields }),
  }
}

/** A record under `key`, or the answer itself. */
const keyOf: Reader<KeyRecord> = (value, complain) => {
  const inner = isRecord(value) ? readField(value, assumed.keyAnswers.fields.key) : undefined
  return keyRecord(inner ?? value, complain)
}

const keyListFields = fieldsReader({ active: may(assumed.keyAnswers.fields.active, wholeNumber) })
const keyItems = listUnder(assumed.keyAnswers.fields.keys, keyRecord)

export interface KeyList {
  readonly keys: KeyRecord[]
  /** null: the service did not say; then it is counted where the states can be read. */
  readonly active: number | null
}
export const KeyList = schemaOf<KeyList>((value, complain) => {
  const keys = keyItems(value, complain)
  if (keys === undefined) return undefined
  const numbers = keyListFields(value, () => {})
  return { keys, active: numbers?.active ?? null }
})

const secret: Reader<string> = (value) => (typeof value === 'string' && value.startsWith(secretPrefixes.key) ? value : undefined)

const secretFields = fieldsReader({ apiKey: must(assumed.keyAnswers.fields.secret, secret) })

/** `apiKey` is a secret, shown by the service only this once. */
export interface KeySecret {
  readonly apiKey: string
  /** null: the answer held no record that could be read; the list tells. */
  readonly key: KeyRecord | null
}
export const KeySecret = schemaOf<KeySecret>((value, complain) => {
  const found = secretFields(value, complain)
  return found && { apiKey: found.apiKey, key: keyOf(value, () => {}) ?? null }
})

export const KeyAnswer = schemaOf<{ readonly key: KeyRecord | null }>((value) => (isRecord(value) ? { key: keyOf(value, () => {}) ?? null } : undefined))

/** How many entries a key takes is not shown: only the body's size bounds them (Limits). */
const IpAllowlist = z.array(z.string().min(1).max(64))
const ExpiresInDays = z.number().int().min(limits.keyExpiryDays.min).max(limits.keyExpiryDays.max)

export const CreateKeyRequest = z.object({
  label: z.string().optional(),
  scopes: z.array(Scope).min(1).optional(),
  expires_in_days: ExpiresInDays.optional(),
  ip_allowlist: IpAllowlist.optional(),
  quotas: JsonObject.optional(),
  /** With `signature`: the second step of a bot-ready key. */
  preparation_id: z.string().optional(),
  signature: HexSignature.optional(),
})

export const PrepareKeyRequest = z.object({
  label: z.string().optional(),
  expires_in_days: ExpiresInDays.optional(),
  ip_allowlist: IpAllowlist.optional(),
  quotas: JsonObject.optional(),
})

/** `{grant: {typed_data}}`, `{grant: <typed data>}`, `{typed_data}` or JSON text of it. */
const typedData: Reader<unknown> = (value) => {
  const preparation = assumed.keyPreparation.fields
  const source = typeof value === 'string' ? parsed(value) : value
  if (!isRecord(source)) return undefined
  if (isRecord(source.domain) && isRecord(source.types)) return source
  const inner = readField(source, preparation.typedData) ?? readField(source, preparation.grant)
  return inner === undefined ? undefined : typedData(inner, () => {})
}

const parsed = (written: string): unknown => {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

const preparationFields = fieldsReader({
  preparationId: must(assumed.keyPreparation.fields.id, identifier),
  agent: may(assumed.keyPreparation.fields.agent, agent),
  expiresAtMs: may(assumed.keyPreparation.fields.expiresAt, time),
})

export interface KeyPreparation {
  readonly preparationId: string
  readonly agent: string | null
  /** EIP-712 object as received, for `parseTypedData`. */
  readonly typedData: unknown
  readonly expiresAtMs: number | null
}
export const KeyPreparation = schemaOf<KeyPreparation>((value, complain) => {
  const found = preparationFields(value, complain)
  if (found === undefined) return undefined
  const grant = typedData(value, complain)
  if (grant === undefined) {
    complain(['grant'], 'missing')
    return undefined
  }
  return { preparationId: found.preparationId, agent: found.agent?.address ?? null, typedData: grant, expiresAtMs: found.expiresAtMs }
})

const agentGrantFields = fieldsReader({ agent: may(assumed.keyPreparation.fields.agent, agent) })

export interface AgentGrant {
  readonly agent: { readonly address: string | null; readonly granted: boolean | null } | null
  /** null where nothing is left to sign. */
  readonly typedData: unknown
}
export const AgentGrant = schemaOf<AgentGrant>((value, complain) => {
  const found = agentGrantFields(value, complain)
  return found && { agent: found.agent, typedData: typedData(value, complain) ?? null }
})

export const ExpiryRequest = z.object({ expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(360), z.literal(2_000)]) })
export const AgentGrantRequest = z.object({ signature: HexSignature })
export const ExecutorRequest = z.object({ executor: z.string().min(1).max(256) })

const audit = assumed.auditLog.fields
const auditEntry = objectReader({
  id: may(audit.id, identifier),
  atMs: may(audit.at, time),
  event: must(audit.event, text),
  keyId: may(audit.keyId, identifier),
  label: may(audit.label, text),
  ip: may(audit.ip, text),
  requestId: may(audit.requestId, text),
  /** Of a call that was made with a credential. */
  method: may(audit.method, text),
  route: may(audit.route, text),
  status: may(audit.status, wholeNumber),
})
const auditPage = pageReader(audit.entries, auditEntry)
export const AuditLog = schemaOf((value, complain) => {
  const page = auditPage(value, complain)
  return page && { entries: page.items, nextCursor: page.nextCursor, hasMore: page.hasMore }
})
export type AuditLog = z.output<typeof AuditLog>
