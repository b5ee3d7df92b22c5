import { unknownOfPrepared } from '../../../shared/api/schemas/prepared-action-resources.ts'
import type { PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { ExplainedTransaction } from '../../../shared/signing/transactions/transactions.ts'
import { inAMoment } from '../../service/transport/api-client.ts'
import type { IntentRow, TransactionRow } from '../../store/journal/journal.ts'
import { costsOf, noCosts, shownCosts } from '../../wallet/chain/transaction-costs.ts'
import { shownRouter } from '../../wallet/trusted-contracts/agreement.ts'
import type { EngineParts } from '../engine/engine-parts.ts'
import { endsRiskOf } from '../engine/intent-facts.ts'
import { isOnChain } from '../engine/intent-repository.ts'
import type { Verification } from './verification.ts'

/** How the service’s preparation arrived: when, as the answer to which request, and whether it repeats an earlier answer. */
export interface Arrival {
  readonly replayed: boolean
  /** The time of arrival in Unix ms, by the service’s clock. */
  readonly receivedAtMs: number
  readonly requestId: string | null
}

export type PreparedView = ReturnType<typeof createPreparedView>

/** The status of a transaction that is not in the journal because the app never sends it. */
const unsent = { state: 'waiting', txHash: null, confirmations: null, reason: null } as const

/** Index of the first transaction that the wallet has not sent yet; null if there is none or the intent has ended. */
function nextOf({ state }: IntentRow, rows: readonly TransactionRow[]): number | null {
  if (state !== 'PREPARED' && state !== 'ASKED') return null
  return rows.find((row) => row.state === 'waiting' || row.state === 'asked')?.position ?? null
}

/** The phrase that the user must type for a transaction. null if the user already types another phrase, to accept the signing format. */
const besidesFormat = ({ compared, expectedPhrase }: Pick<ExplainedTransaction, 'compared' | 'expectedPhrase'>): string | null =>
  compared.comparison.asks?.kind === 'format' ? null : expectedPhrase

export function createPreparedView({ repository, sendings, transactions, chain }: Pick<EngineParts, 'repository' | 'sendings' | 'transactions' | 'chain'>) {
  return async (row: IntentRow, checked: Verification, { replayed, receivedAtMs, requestId }: Arrival): Promise<PreparedOrder> => {
    const rows = sendings.of(row.ref)
    const { steps } = checked
    /** Waits only a short time for additional facts from the chain if the intent ends risk, so that they do not delay it. Then returns `instead`. */
    const soon = <T>(read: Promise<T>, instead: T): Promise<T> => (endsRiskOf(row) ? inAMoment(read, instead) : read)
    const next = nextOf(row, rows)
    const blocked = steps.find(({ compared }) => compared.comparison.verdict === 'block')
    const step = blocked ?? steps[next ?? steps.length - 1]
    const kinds = checked.prepared.execution.transactions ?? []
    const shownTransaction = async (explained: ExplainedTransaction, index: number): Promise<PreparedTransaction> => {
      const { contract, signature, compared, spending, transaction } = explained
      const { state, txHash, confirmations, reason } = rows[index] ?? unsent
      // Simulate the transaction only if all previous ones are on the chain, because it depends on their effects.
      const isTellable = checked.blocked === null && transaction !== null && state === 'waiting' && rows.slice(0, index).every(isOnChain)
      const costs = isTellable ? await soon(costsOf(transactions, transaction), noCosts) : noCosts
      return {
        ...{ index, kind: kinds[index]?.kind ?? null, contract, signature, comparison: compared.comparison, spending },
        expectedPhrase: besidesFormat(explained),
        ...shownCosts(costs),
        ...{ state, txHash, confirmations, reason },
      }
    }
    const { ready, status, mode, costs, simulation, deadlineMs } = checked
    return {
      ...{ intent: repository.view(row), ready, status, mode, costs, simulation, deadlineMs, next, requestId },
      reason: checked.reason ?? (steps.length > 0 && checked.blocked !== null ? { why: checked.blocked, raw: checked.status } : null),
      idempotentReplay: replayed,
      comparison: (checked.compared ?? step?.compared)?.comparison ?? null,
      contractWallet: await soon(chain.hasCode(row.wallet), null),
      spending: checked.spending ?? step?.spending ?? null,
      expectedPhrase: step === undefined ? null : besidesFormat(step),
      transactions: await Promise.all(steps.map(shownTransaction)),
      router: shownRouter(checked.router),
      token: shownRouter(checked.token),
      preparedAtMs: receivedAtMs,
      unknownFields: unknownOfPrepared(checked.prepared),
    }
  }
}
