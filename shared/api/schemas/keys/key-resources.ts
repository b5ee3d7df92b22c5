import { z } from 'zod'
import type { Missing } from '../../../ipc/missing.ts'
import { limits } from '../../limits.ts'
import { type AnswerOf, answerReader, inspectList, listIn, oneOf, recordIn } from '../../reader/answer.ts'
import { type Kind, may, must } from '../../reader/field.ts'
import { count, custom, flag, id, isRecord, record, text, texts, time } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import { resource } from '../../reader/resource.ts'
import { Scope } from '../../scopes.ts'
import { joinFields } from '../../unknown-fields.ts'
import { each, endedAt, idsOf, names, statesOf, timesOf } from '../name-lists.ts'
import { HexSignature, JsonObject, missingOf, readPage } from '../page.ts'
import { addressesIn, besideTypedData, handleIn, isAddress, recordWithin, typedDataIn } from './grant-answer.ts'
import { credentialState, ip, scopes, secretIn, stateOfCredential } from './one-time-secret.ts'

const noRecord = 'Resources, API key: fields of the key record not shown'

interface AgentRecord {
  readonly address: string | null
  readonly granted: boolean | null
  readonly unknownFields: string | null
}

const agentFields = resource({
  name: 'agent',
  words: ['agent', 'executor', 'trading'],
  sentence: null,
  source: '',
  fields: {
    address: may(
      [
        'address',
        'agent',
        'wallet',
        'executor',
        'public_key',
        ...each(['agent', 'executor', 'public', 'onchain', 'account', 'signer', 'evm', 'eth'], ['address']),
      ],
      text,
    ),
    granted: may(['granted', 'is_granted', 'active', 'authorized', 'authorised', 'grant_stored', 'grant_active', 'grant_valid', 'approved', 'enabled'], flag),
  },
})
const agent: Kind<AgentRecord> = custom('agent', (value, _, context) => {
  if (isAddress(value)) return { address: value, granted: null, unknownFields: null }
  if (!isRecord(value)) return undefined
  const [found] = readRecords(agentFields, [value], context, () => {}).items
  return found && { ...found, address: found.address ?? onlyOf(addressesIn(value)) }
})
const onlyOf = (addresses: readonly string[]): string | null => (addresses.length === 1 ? (addresses[0] ?? null) : null)

const agentNames = [
  ...['agent', 'agent_address', 'trading_agent', 'agent_wallet', 'delegate', 'delegated_signer', 'session_key', 'session_signer'],
  ...['linked_signer', 'api_wallet', 'api_agent', 'trading_key', 'bot', 'trading_bot'],
] as const

const executorFields = resource({
  name: 'executor',
  words: ['executor'],
  sentence: null,
  source: '',
  fields: { name: may(['address', 'id', 'name', 'executor', 'account', 'wallet', 'public_key'], text) },
})
/** Reads an executor from a name, an address, or an object with one of these. */
const executor: Kind<string> = custom('executor', (value, complain, context) =>
  isRecord(value) ? (readRecords(executorFields, [value], context, () => {}).items[0]?.name ?? undefined) : text.read(value, complain, context),
)

export interface KeyRecord {
  readonly id: string
  readonly label: string | null
  readonly scopes: string[] | null
  /** The key's status. `unknown`: the service gave no status that the app recognises. */
  readonly status: 'active' | 'expired' | 'revoked' | 'unknown'
  readonly createdAtMs: number | null
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
  /** true: the service says that the key was never used. Absent: the service sent a time of last use, or no information about use. */
  readonly neverUsed?: true
  /** Empty: the key works from any address. `null`: the service did not say, or in a form that the app cannot read. */
  readonly allowlist: string[] | null
  readonly quotas: Readonly<Record<string, unknown>> | null
  readonly agent: { readonly address: string | null; readonly granted: boolean | null } | null
  readonly executor: string | null
  readonly unknownFields: string | null
}

export const key = resource({
  name: 'key',
  words: ['key', 'api', 'credential'],
  sentence: 'A key record names its id, label, scopes, state, times, allowlist, agent and executor under the usual names; only the id is required.',
  source: noRecord,
  fields: {
    id: must([...idsOf('key', 'api_key', 'credential'), 'access_key_id', 'id', 'kid'], id),
    label: may(['label', 'name', 'title', 'description', 'alias', 'nickname', 'memo', 'display_name'], text),
    scopes: may(
      ['scopes', 'scope', 'permissions', 'grants', 'rights', 'capabilities', 'entitlements', ...each(['allowed', 'granted', 'access', 'key'], ['scopes'])],
      scopes,
    ),
    status: may(statesOf('key'), credentialState),
    createdAtMs: may(names.createdAt, time),
    expiresAtMs: may(
      ['expires_at_ms', 'expires_at', 'expiry', 'valid_until', 'expiration', 'valid_to', 'ends_at', 'not_after', 'expiry_time', 'good_till', 'lapses_at'],
      time,
    ),
    lastUsedAtMs: may(
      [
        ...timesOf('last_used', 'last_seen', 'last_activity', 'last_access', 'last_request', 'last_call', 'last_active', 'used'),
        ...['last_use', 'latest_use', 'recent_use', 'most_recent_use', 'usage_last', 'usage_last_at', 'usage_latest'],
      ],
      time,
    ),
    revokedAtMs: may(endedAt, time),
    active: may(['active', 'is_active', 'enabled', 'usable'], flag),
    revoked: may(['revoked', 'is_revoked', 'disabled'], flag),
    allowlist: may(
      [
        ...['ip_allowlist', 'allowlist', 'ips', 'ip_whitelist', 'whitelist', 'ip_restrictions', 'cidrs', 'source_ranges'],
        ...each(['allowed', 'permitted', 'source', 'access', 'ip', 'network'], ['ips', 'ip_ranges', 'addresses', 'ranges', 'networks', 'ip_addresses']),
      ],
      texts,
    ),
    quotas: may(['quotas', 'rate_limits', 'limits', 'quota', 'rate_limit', 'throttle', 'throttling'], record),
    agent: may(agentNames, agent),
    /** The wallet that owns the key. The alias `api_wallet` is left out, because it means the key's agent. */
    wallet: may(names.wallet, text),
    executor: may(
      ['executor', 'executor_address', 'executor_id', 'executor_name', 'bound_executor', 'executor_binding', 'delegated_executor', 'operator', 'relayer'],
      executor,
    ),
  },
  keyed: { key: 'id' },
  tellsNone: ['lastUsedAtMs', 'allowlist'],
  finish: ({ active, revoked, revokedAtMs, status, agent: held, wallet: _, allowlist, unknownFields, none, ...rest }): KeyRecord => {
    const said = stateOfCredential(status)
    const derived = revokedAtMs !== null || revoked === true ? 'revoked' : active === true || revoked === false ? 'active' : 'unknown'
    return {
      ...rest,
      ...(none?.includes('lastUsedAtMs') === true && { neverUsed: true }),
      allowlist: allowlist ?? (none?.includes('allowlist') === true ? [] : null),
      agent: held === null ? null : { address: held.address, granted: held.granted },
      status: said ?? (status === null ? derived : 'unknown'),
      unknownFields: held?.unknownFields == null ? unknownFields : joinFields({ '': unknownFields, agent: held.unknownFields }),
    }
  },
})

export const keyAnswers = resource({
  name: 'keys',
  words: ['keys'],
  sentence: 'Key calls answer with the record under `key`; a list under `keys`; a new secret under `api_key`.',
  source: 'Resources, API key; Developer routes: answers not shown beyond `api_key`',
  fields: { active: may(['active', 'active_count', 'active_keys'], count) },
})
const keyLists = ['keys', 'api_keys', 'credentials'] as const
export interface KeyList {
  readonly keys: KeyRecord[]
  readonly missing: Missing
  /** The number of active keys that the service stated. If null, the app counts the active keys, provided that it can read their states. */
  readonly active: number | null
}
export const KeyList = answerReader<KeyList>(
  (json, complain, context) => {
    const list = listIn(key, keyLists, json, complain, context)
    return (
      list && {
        keys: list.items,
        missing: missingOf(list),
        active: readRecords(keyAnswers, [list.around], {}, () => {}).items[0]?.active ?? null,
      }
    )
  },
  (json, fieldMap) => [inspectList(key, keyLists, json, fieldMap)],
)

/** A new key with its secret. The service shows the secret `apiKey` only in this answer. */
export interface KeySecret {
  readonly apiKey: string
  /** null if the answer contains no readable key record. The app then looks up the key in the key list. */
  readonly key: KeyRecord | null
}
export const KeySecret = answerReader<KeySecret>((json, complain, context) => {
  const apiKey = secretIn(json, { name: 'api_key', kind: 'key' })
  if (apiKey === undefined) complain(['api_key'], 'missing')
  return apiKey === undefined ? undefined : { apiKey, key: recordWithin(key, json, context) }
})

export const KeyAnswer = answerReader<{ readonly key: KeyRecord | null }>((json, _, context) =>
  isRecord(json) ? { key: recordWithin(key, json, context) } : undefined,
)

/** The list of allowed IP addresses. The API document limits only the size of the request body, and not the number of addresses (Limits). */
const IpAllowlist = z.array(z.string().min(1).max(64))
const ExpiresInDays = z.number().int().min(limits.keyExpiryDays.min).max(limits.keyExpiryDays.max)

export const CreateKeyRequest = z.object({
  label: z.string().optional(),
  scopes: z.array(Scope).min(1).optional(),
  expires_in_days: ExpiresInDays.optional(),
  ip_allowlist: IpAllowlist.optional(),
  quotas: JsonObject.optional(),
  /** The id of the preparation. Sent with `signature` in the second step of creating a bot-ready key. */
  preparation_id: z.string().optional(),
  signature: HexSignature.optional(),
})

export const PrepareKeyRequest = z.object({
  label: z.string().optional(),
  expires_in_days: ExpiresInDays.optional(),
  ip_allowlist: IpAllowlist.optional(),
  quotas: JsonObject.optional(),
})

export const keyPreparation = resource({
  name: 'key_preparation',
  words: ['preparation', 'key'],
  sentence: 'keys/prepare answers an id of the preparation, the agent and a grant as EIP-712 typed data; the signature goes back as `signature` with that id.',
  source: 'Developer routes: keys/prepare, request and answer not shown',
  fields: {
    preparationId: may(['preparation_id', 'prepare_id', 'draft_id', 'id', 'key_preparation_id', 'prepared_id'], id),
    agent: may(agentNames, agent),
    expiresAtMs: may(['expires_at_ms', 'expires_at', 'valid_until', 'expiry', 'expiration'], time),
  },
})

/** Returns the addresses that the answer contains outside the grant, except for the contract that receives the grant. */
function besideOf(around: unknown, grant: ReturnType<typeof typedDataIn>): readonly string[] {
  const domain = grant?.typedData.domain
  const contract = isRecord(domain) ? String(domain.verifyingContract).toLowerCase() : null
  return addressesIn(around).filter((address) => address.toLowerCase() !== contract)
}

export interface KeyPreparation {
  readonly preparationId: string
  readonly agent: string | null
  /** Addresses that the answer contains outside the grant. */
  readonly beside: readonly string[]
  /** EIP-712 object as received, for `parseTypedData`. */
  readonly typedData: unknown
  readonly expiresAtMs: number | null
}
export const KeyPreparation = answerReader<KeyPreparation>(
  (json, complain, context) => {
    const around = besideTypedData(json)
    const found = recordIn(keyPreparation, around, complain, context)
    if (found === undefined) return undefined
    const grant = typedDataIn(json)
    const preparationId = found.preparationId ?? handleIn(around)
    if (grant === undefined) complain(['grant'], 'missing')
    if (preparationId === undefined) complain(['preparation_id'], 'missing')
    return grant === undefined || preparationId === undefined
      ? undefined
      : { preparationId, agent: found.agent?.address ?? null, beside: besideOf(around, grant), typedData: grant.typedData, expiresAtMs: found.expiresAtMs }
  },
  (json, fieldMap) => oneOf(keyPreparation).inspect(besideTypedData(json), fieldMap),
)

const agentAnswer = resource({
  name: 'agent_grant',
  words: ['key'],
  sentence: null,
  source: '',
  fields: { agent: may(agentNames, agent) },
})

export interface AgentGrant {
  readonly agent: { readonly address: string | null; readonly granted: boolean | null } | null
  /** Addresses that the answer contains outside the grant. */
  readonly beside: readonly string[]
  /** The grant that the wallet must sign, as received; null if there is nothing to sign. */
  readonly typedData: unknown
}
export const AgentGrant = answerReader<AgentGrant>((json, complain, context) => {
  const around = besideTypedData(json)
  const found = recordIn(agentAnswer, around, complain, context)
  const grant = typedDataIn(json)
  return found && { agent: found.agent, beside: besideOf(around, grant), typedData: grant?.typedData ?? null }
})

export const ExpiryRequest = z.object({ expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(360), z.literal(2_000)]) })
export const AgentGrantRequest = z.object({ signature: HexSignature })
export const ExecutorRequest = z.object({ executor: z.string().min(1).max(256) })

export const auditEntry = resource({
  name: 'audit_entry',
  words: ['entry', 'audit', 'event'],
  sentence:
    'The audit log is a list under `entries`, each with a time, an event name and the key that it concerns; where it is cut into pages, `next_cursor` goes back as `cursor`.',
  source: 'Developer routes: audit, answer not shown',
  fields: {
    id: may(['id', 'entry_id', 'event_id', 'audit_id'], id),
    atMs: may(['at_ms', 'at', ...names.createdAt, ...timesOf('occurred', 'logged', 'recorded', 'happened'), 'when', 'as_of', 'date'], time),
    event: may(['event', 'type', 'action', 'event_type', 'event_name', 'operation', 'activity', 'what', 'what_happened'], text),
    name: may(['name', 'title'], text),
    keyId: may([...idsOf('key', 'api_key', 'credential'), 'access_key_id', 'kid', 'resource_id', 'key', 'target'], id),
    label: may(['label', 'key_label', 'key_name', 'alias', 'nickname', 'memo'], text),
    ip: may(['ip', 'ip_address', 'remote_ip', 'client_ip', 'source_ip', 'remote_address', 'from'], ip),
    requestId: may(['request_id', 'x_request_id', 'trace_id', 'correlation_id', 'req_id', 'call_id'], text),
    /** The HTTP method, if the event is an API call. */
    method: may(['method', 'http_method', 'verb', 'request_method'], text),
    route: may(['route', 'path', 'endpoint', 'url', 'resource', 'request_path'], text),
    status: may(['status', 'status_code', 'http_status', 'response_status', 'code'], count),
  },
  // If no other field states the event, `name` is the event. Otherwise `name` is the key's label, unless it looks like an event.
  finish: ({ event, name, label, ...rest }, complain) => {
    if (event === null && name === null) complain(['event'], 'missing')
    const said = event ?? name
    return said === null ? undefined : { ...rest, event: said, label: label ?? (event === null || name === null || isEventName.test(name) ? null : name) }
  },
})
const isEventName = /^[a-z]+(?:[._:][a-z_]+)+$/i
const auditLists = ['entries', 'audit', 'events', 'log', 'logs', 'audit_log'] as const
export const AuditLog = answerReader(
  (json, complain, context) => {
    const page = readPage(auditEntry, auditLists, json, complain, context)
    return page && { entries: page.items, unreadable: page.unreadable, nextCursor: page.nextCursor, hasMore: page.hasMore }
  },
  (json, fieldMap) => [inspectList(auditEntry, auditLists, json, fieldMap)],
)
export type AuditLog = AnswerOf<typeof AuditLog>
