import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import type { AuditRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { newId } from './tokens.ts'

/** Calls are many and changes few, so that calls never push a change out. */
const callsKept = 1_000
const changesKept = 2_000
const callsAnswered = 300

export interface Subject {
  readonly wallet: Address
  readonly key: KeyRow | null
  readonly ip: string
  readonly requestId: string
}

export interface Audit {
  /** A change of a credential, for example `key.created`. Written with the change's own commit. */
  change(event: string, subject: Subject): void
  /** One call made with a credential: `key.call` or `session.call`. */
  call(event: 'key.call' | 'session.call', subject: Subject, call: { method: string; route: string; status: number }): void
  /** Newest first. */
  entries(wallet: Address): Record<string, unknown>[]
}

export function createAudit({ store, clock }: { store: Store; clock: Clock }): Audit {
  const { state } = store
  const add = (event: string, { wallet, key, ip, requestId }: Subject, call: AuditRow['call']) => {
    state.audit.push({ id: newId('au_'), wallet, atMs: clock.now(), event, keyId: key?.id ?? null, label: key?.label ?? null, ip, requestId, call })
    if (state.audit.length > callsKept + changesKept) trim()
  }
  const trim = () => {
    const calls = state.audit.filter((row) => row.call !== null)
    const surplus = new Set(calls.slice(0, Math.max(0, calls.length - callsKept / 2)))
    const changes = state.audit.filter((row) => row.call === null)
    for (const row of changes.slice(0, Math.max(0, changes.length - changesKept))) surplus.add(row)
    state.audit = state.audit.filter((row) => !surplus.has(row))
  }
  return {
    change: (event, subject) => add(event, subject, null),
    call: (event, subject, call) => {
      add(event, subject, call)
      store.touch()
    },
    entries: (wallet) => {
      let calls = 0
      return state.audit
        .toReversed()
        .filter((row) => row.wallet === wallet)
        .filter((row) => {
          if (row.call !== null) calls += 1
          return row.call === null || calls <= callsAnswered
        })
        .map((row) => ({
          id: row.id,
          at: new Date(row.atMs).toISOString(),
          event: row.event,
          key_id: row.keyId,
          label: row.label,
          ip: row.ip,
          request_id: row.requestId,
          ...(row.call !== null && { method: row.call.method, route: row.call.route, status: row.call.status }),
        }))
    },
  }
}
