import type { Faults } from '../../faults.ts'
import { allScopes } from '../auth/scopes.ts'
import { newApiKey } from '../auth/tokens.ts'

/** Somebody whom the user never named. */
const stranger = '0x000000000000000000000000000000000000dEaD'

type Json = Readonly<Record<string, unknown>>

/** The secret part of an answer as the fault wants it. */
export function misleadSecret(field: 'api_key' | 'signing_secret', secret: string, fault: Faults['keySecret']): Json {
  switch (fault) {
    case null:
      return { [field]: secret }
    case 'wrong':
      return { [field]: field === 'api_key' ? newApiKey() : `svc_whsec_${'0'.repeat(64)}` }
    case 'missing':
      return {}
  }
}

/** A key record as the fault wants it. */
export function misleadRecord(record: Json, fault: Faults['keyRecord'], nowMs: number): Json {
  switch (fault) {
    case null:
      return record
    case 'more_scopes':
      return { ...record, scopes: allScopes }
    case 'fewer_scopes':
      return { ...record, scopes: Array.isArray(record.scopes) ? record.scopes.slice(0, -1) : [] }
    case 'other_wallet':
      return { ...record, wallet: stranger }
    case 'other_executor':
      return { ...record, executor: stranger }
    case 'expired':
      return { ...record, status: 'expired', expires_at: new Date(nowMs - 1_000).toISOString() }
    case 'bare':
      return { key_id: record.key_id }
  }
}
