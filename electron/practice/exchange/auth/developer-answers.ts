import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { allScopes } from '../../base/scopes.ts'
import { newApiKey } from '../../base/tokens.ts'
import type { WireTypedData } from '../../chain/wire-typed-data.ts'
import { onePage, page } from '../http/paging.ts'
import { type Ask, answer, type Reply } from '../http/reply.ts'
import { misleadPayment } from '../misbehaviour/payment.ts'
import type { SpokenForms } from '../signing/spoken-form.ts'
import type { AgentRow, AuditRow, KeyRow, PreparationRow, WebhookRow, WireTransaction } from '../state/state.ts'
import { activeWebhooksAllowed, type Webhooks } from '../webhooks/webhook-subscriptions.ts'
import { activeKeysAllowed, type Keys } from './api-keys.ts'

/**
 * Responses of the developer routes for which the API document says "not shown", so that only this code defines their fields.
 * The document shows only `api_key`, 201 for a creation, `signing_secret`, and that keys, agent, grant and transaction exist.
 */
export interface DeveloperAnswers {
  keys(wallet: Address): Reply
  key(key: KeyRow): Reply
  secret(key: KeyRow, secret: string, status: 200 | 201): Reply
  preparation(row: PreparationRow): Reply
  agent(agent: AgentRow): Reply
  payment(key: KeyRow, payment: { amountUsdc: string; spender: Address; transaction: WireTransaction }): Reply
  webhooks(wallet: Address): Reply
  webhook(webhook: WebhookRow): Reply
  webhookSecret(webhook: WebhookRow): Reply
  /** Returns all audit rows, or one page of them if the query has `limit` or `cursor`. */
  audit(ask: Ask, rows: readonly AuditRow[]): Reply
}

interface Parts {
  readonly keys: Keys
  readonly webhooks: Webhooks
  readonly clock: Clock
  readonly faults: Faults
  readonly forms: SpokenForms
}

export function createDeveloperAnswers({ keys, webhooks, clock, faults, forms }: Parts): DeveloperAnswers {
  const record = (key: KeyRow) => misleadRecord(keyRecord(key, keys.statusOf(key)), faults.keyRecord, clock.now())
  const grant = (data: AgentRow['grant']) => ({ typed_data: forms.typedData(faults.dialect, misleadGrant(data, faults.grant, clock.now())) })
  return {
    keys: (wallet) => answer({ success: true, keys: keys.list(wallet).map(record), active: keys.activeCount(wallet), limit: activeKeysAllowed }),
    key: (key) => answer({ success: true, key: record(key) }),
    secret: (key, secret, status) => answer({ success: true, ...misleadSecret('api_key', secret, faults.keySecret), key: record(key) }, status),
    preparation: (row) =>
      answer({
        success: true,
        preparation_id: row.id,
        agent: { address: row.agent },
        grant: grant(row.grant),
        expires_at_ms: row.expiresAtMs,
      }),
    agent: (agent) => answer({ success: true, agent: agentRecord(agent), grant: grant(agent.grant) }),
    payment: (key, { amountUsdc, spender, transaction }) =>
      answer({
        success: true,
        key_id: key.id,
        amount_usdc: amountUsdc,
        token: transaction.to,
        spender,
        transaction: misleadPayment(transaction, faults.payment, clock.now()),
      }),
    webhooks: (wallet) =>
      answer({ success: true, webhooks: webhooks.list(wallet).map(webhookRecord), active: webhooks.activeCount(wallet), limit: activeWebhooksAllowed }),
    webhook: (webhook) => answer({ success: true, webhook: webhookRecord(webhook) }),
    webhookSecret: (webhook) =>
      answer(
        {
          success: true,
          ...misleadSecret('signing_secret', webhooks.signingSecret(webhook), faults.keySecret),
          webhook: webhookRecord(webhook),
          ...(webhook.loopback && { notice: loopbackNotice }),
        },
        201,
      ),
    audit: ({ query }, rows) => {
      if (faults.audit === 'empty') return auditAnswer(onePage([], auditEntry))
      const isPaged = query.has('limit') || query.has('cursor') || faults.audit === 'paged'
      if (!isPaged) return auditAnswer(onePage(rows, auditEntry))
      const asked = page(rows, query, auditEntry)
      return asked.ok ? auditAnswer(asked.value) : asked.failure
    },
  }
}

export const keyRecord = (key: KeyRow, status: ReturnType<Keys['statusOf']>): Record<string, unknown> => ({
  key_id: key.id,
  label: key.label,
  wallet: key.wallet,
  scopes: key.scopes,
  status,
  created_at: iso(key.createdAtMs),
  expires_at: iso(key.expiresAtMs),
  last_used_at: key.lastUsedAtMs === null ? null : iso(key.lastUsedAtMs),
  last_used_ip: key.lastUsedIp,
  revoked_at: key.revokedAtMs === null ? null : iso(key.revokedAtMs),
  ip_allowlist: key.ipAllowlist,
  quotas: key.quotas,
  agent: key.agent === null ? null : agentRecord(key.agent),
  executor: key.executor,
  prefix: key.prefix,
})

export const webhookRecord = ({ id, wallet, url, events, createdAtMs, disabledAtMs }: WebhookRow): Record<string, unknown> => ({
  webhook_id: id,
  wallet,
  url,
  events,
  status: disabledAtMs === null ? 'active' : 'disabled',
  created_at: iso(createdAtMs),
  disabled_at: disabledAtMs === null ? null : iso(disabledAtMs),
})

const loopbackNotice = 'Only practice takes an address of this computer. The service itself takes HTTPS on port 443 or 8443, at a public address.'

const agentRecord = ({ address, granted }: AgentRow) => ({ address, granted })

const auditEntry = (row: AuditRow): Record<string, unknown> => ({
  id: row.id,
  at: iso(row.atMs),
  event: row.event,
  key_id: row.keyId,
  label: row.label,
  ...(row.webhookId !== undefined && { webhook_id: row.webhookId }),
  ip: row.ip,
  request_id: row.requestId,
  ...(row.call !== null && { method: row.call.method, route: row.call.route, status: row.call.status }),
})

const auditAnswer = ({ items, ...rest }: Record<string, unknown>): Reply => answer({ success: true, entries: items, ...rest })

const iso = (ms: number): string => new Date(ms).toISOString()

const stranger = '0x000000000000000000000000000000000000dEaD'

/** Alters the grant in a response according to the `grant` fault. The exchange still verifies the wallet's signature against the unaltered grant. */
function misleadGrant(grant: WireTypedData, fault: Faults['grant'], nowMs: number): WireTypedData {
  const saying = (message: Record<string, string>): WireTypedData => ({ ...grant, message: { ...grant.message, ...message } })
  switch (fault) {
    case null:
      return grant
    case 'agent':
      return saying({ agent: stranger })
    case 'wallet':
      return saying({ wallet: stranger })
    case 'chain':
      return { ...grant, domain: { ...grant.domain, chainId: 1 } }
    case 'router':
      return { ...grant, domain: { ...grant.domain, verifyingContract: stranger } }
    case 'expired':
      return saying({ expiresAt: String(Math.floor(nowMs / 1000) - 3_600) })
    case 'endless':
      return saying({ expiresAt: (2n ** 256n - 1n).toString() })
    case 'extra_field':
      return {
        ...grant,
        types: { ...grant.types, [grant.primaryType]: [...(grant.types[grant.primaryType] ?? []), { name: 'withdrawTo', type: 'address' }] },
        message: { ...grant.message, withdrawTo: stranger },
      }
  }
}

const keyAnswerStranger = '0x000000000000000000000000000000000000dEaD'

type Json = Readonly<Record<string, unknown>>

function misleadSecret(field: 'api_key' | 'signing_secret', secret: string, fault: Faults['keySecret']): Json {
  switch (fault) {
    case null:
      return { [field]: secret }
    case 'wrong':
      return { [field]: field === 'api_key' ? newApiKey() : `svc_whsec_${'0'.repeat(64)}` }
    case 'missing':
      return {}
  }
}

function misleadRecord(record: Json, fault: Faults['keyRecord'], nowMs: number): Json {
  switch (fault) {
    case null:
      return record
    case 'more_scopes':
      return { ...record, scopes: allScopes }
    case 'fewer_scopes':
      return { ...record, scopes: Array.isArray(record.scopes) ? record.scopes.slice(0, -1) : [] }
    case 'other_wallet':
      return { ...record, wallet: keyAnswerStranger }
    case 'other_executor':
      return { ...record, executor: keyAnswerStranger }
    case 'expired':
      return { ...record, status: 'expired', expires_at: new Date(nowMs - 1_000).toISOString() }
    case 'bare':
      return { key_id: record.key_id }
  }
}
