import { csvTable } from '../../../shared/csv.ts'
import type { PanicRow } from '../../../shared/ipc/intents/panic.ts'
import type { SweepStep } from '../../../shared/ipc/intents/sweeps.ts'

const columns = ['what', 'name', 'id', 'outcome', 'transaction', 'request id', 'time', 'detail'] as const
const timeOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

/** Steps in their order, then the keys. Titles, labels and details are the service's words too. */
export const sweepReport = (steps: readonly SweepStep[], keys: readonly PanicRow[]): string =>
  csvTable(columns, [
    ...steps.map(({ kind, title, subject, state, txHash, atMs, detail }) => [kind, title, subject, state, txHash ?? '', '', timeOf(atMs), detail ?? '']),
    ...keys.map(({ label, keyId, outcome, requestId, atMs, detail }) => ['revoke', label, keyId, outcome, '', requestId ?? '', timeOf(atMs), detail ?? '']),
  ])
