import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import { newId } from '../../base/tokens.ts'
import type { AuditRow, KeyRow, WebhookRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'

/**
 * Maximum number of audit rows, for all wallets together. Above that number, the exchange removes the oldest rows about calls until `callsLeft` rows
 * about calls remain. It never removes rows about changes, because there are only few of them.
 */
const rowsKept = 7_000
const callsLeft = 500

export interface Subject {
  readonly wallet: Address
  readonly key: KeyRow | null
  readonly webhook?: WebhookRow
  readonly ip: string
  readonly requestId: string
}

export interface Audit {
  /** Records a change of a credential, for example `key.created`. The audit row is saved together with the change. */
  change(event: string, subject: Subject): void
  call(event: 'key.call' | 'session.call', subject: Subject, call: { method: string; route: string; status: number }): void
  /** Returns the audit rows of a wallet, oldest first. */
  rows(wallet: Address): readonly AuditRow[]
}

export function createAudit({ store, clock }: { store: Store; clock: Clock }): Audit {
  const { state } = store
  const add = (event: string, { wallet, key, webhook, ip, requestId }: Subject, call: AuditRow['call']) => {
    const sequence = (state.audit.at(-1)?.sequence ?? 0) + 1
    const about = { keyId: key?.id ?? null, label: key?.label ?? null, ...(webhook !== undefined && { webhookId: webhook.id }) }
    state.audit.push({ id: newId('au_'), sequence, wallet, atMs: clock.now(), event, ...about, ip, requestId, call })
    if (state.audit.length > rowsKept) trim()
  }
  const trim = () => {
    const calls = state.audit.filter((row) => row.call !== null)
    const surplus = new Set(calls.slice(0, Math.max(0, calls.length - callsLeft)))
    const changes = state.audit.filter((row) => row.call === null)
    for (const row of changes.slice(0, Math.max(0, changes.length - (rowsKept - callsLeft)))) surplus.add(row)
    state.audit = state.audit.filter((row) => !surplus.has(row))
  }
  return {
    change: (event, subject) => add(event, subject, null),
    call: (event, subject, call) => {
      add(event, subject, call)
      store.touch()
    },
    rows: (wallet) => state.audit.filter((row) => row.wallet === wallet),
  }
}
