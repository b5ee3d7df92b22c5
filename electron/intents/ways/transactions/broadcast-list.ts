import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Broadcast } from '../../../../shared/ipc/intents/receipts.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import type { HandlersOf } from '../../../kernel/handlers.ts'
import type { ProfileFacts } from '../../../kernel/profile-facts.ts'
import type { IntentRow, Journal } from '../../../store/journal/journal.ts'
import type { WalletReport } from '../../../wallet/connection/wallet.ts'
import type { Receipts } from './receipts.ts'

interface Deps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'intents' | 'transactions'>
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly receipts: Pick<Receipts, 'again'>
  /** An intent of the wallet that is shown. */
  readonly shown: (ref: string) => Result<IntentRow, Failure>
}

/** Intents that are looked through for those that were sent by the wallet, and transactions that are shown at most. */
const mostIntents = 500
const mostShown = 50

/** Own broadcasts and whether the service knows their hashes, without which it sends no `transaction.*` event of them (HOOK-09). */
export function createBroadcastList({ profile, journal, wallet, receipts, shown }: Deps): HandlersOf<'receipts'> {
  const broadcastsOf = (row: IntentRow): Broadcast[] => {
    const all = journal.transactions.of(row.ref)
    return all.flatMap(({ position, kind, txHash, receipt, askedAtMs }) =>
      txHash === null || receipt === null
        ? []
        : [{ ref: row.ref, index: position, of: all.length, kind, title: row.title, txHash, receipt, atMs: askedAtMs ?? row.createdAtMs }],
    )
  }

  return {
    'receipts.list': async ({ ref }) => {
      if (ref !== null) {
        const row = shown(ref)
        return row.ok ? ok({ broadcasts: broadcastsOf(row.value) }) : row
      }
      const whose = wallet.shown()
      if (!whose.ok) return whose
      if (whose.value === null) return ok({ broadcasts: [] })
      const { intents } = journal.intents.list(profile.id, { wallet: whose.value, beforeMs: null, limit: mostIntents })
      const sent = intents.filter(({ way }) => way === 'transactions').flatMap((row) => broadcastsOf(row).toReversed())
      return ok({ broadcasts: sent.slice(0, mostShown) })
    },
    'receipts.report': async ({ ref, index }) => {
      const row = shown(ref)
      if (!row.ok) return row
      const receipt = await receipts.again(row.value, index)
      return receipt === null ? fail({ kind: 'not_found', what: 'transaction' }) : ok({ receipt })
    },
  }
}
