import { csvTable } from '../../../shared/csv.ts'
import type { PanicRow, SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import { bulkDetailText, stepTitle } from '../../../shared/text/kill-switch-text.ts'

const columns = ['what', 'name', 'id', 'outcome', 'transaction', 'request id', 'time', 'detail'] as const
const timeOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

/** Steps in their order, then the keys. Titles, labels and details are the service's words too. */
export const sweepReport = (steps: readonly SweepStep[], keys: readonly PanicRow[]): string =>
  csvTable(columns, [
    ...steps.map((step) => [step.kind, stepTitle(step), step.subject, step.state, step.txHash ?? '', '', timeOf(step.atMs), bulkDetailText(step.detail)]),
    ...keys.map((key) => ['revoke', key.label, key.keyId, key.outcome, '', key.requestId ?? '', timeOf(key.atMs), bulkDetailText(key.detail)]),
  ])
