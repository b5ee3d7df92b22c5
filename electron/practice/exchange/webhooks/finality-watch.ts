import type { Address } from 'viem'
import { type Clock, minute, second } from '../../../../shared/time.ts'
import type { Chain, TransactionState } from '../../chain/chain.ts'
import type { Store } from '../state/store.ts'
import { type LifecycleEvent, reorganisation } from '../stream/lifecycle.ts'
import { type KnownTransaction, knownTransactions } from './known-transactions.ts'

/** Finality: fewer than 8 confirmations is `PENDING_FINALITY`, of a reverted transaction as of any other. */
const finalAfter = 8
/** Reorganisations are looked for a good deal deeper. */
const watchedDepth = 128n
/** How long a hash is looked for that no node knows. */
const patience = 15 * minute
const watchedAtOnce = 64

/** Follows the known transactions of one wallet. What was final when it began is not told. */
export interface FinalityWatch {
  /** What has become final, or is no longer, since the last look. Fails while the network is away. */
  look(): Promise<readonly LifecycleEvent[]>
}

interface Told {
  readonly block: bigint
  readonly event: LifecycleEvent
}

export function createFinalityWatch({ chain, store, clock }: { chain: Chain; store: Store; clock: Clock }, wallet: Address): FinalityWatch {
  const told = new Map<string, Told>()
  const unknownSince = new Map<string, number>()
  let isFirst = true

  const isWatched = ({ hash, sinceMs }: KnownTransaction, head: bigint): boolean => {
    const final = told.get(hash)
    if (final !== undefined) return head - final.block <= watchedDepth
    const unknownMs = unknownSince.get(hash)
    return unknownMs === undefined || clock.now() - Math.max(sinceMs, unknownMs) < patience
  }

  const finalEvent = ({ hash, intentId, commandId }: KnownTransaction, { status, blockNumber, confirmations }: TransactionState): LifecycleEvent => {
    const type = status === 'success' ? 'transaction.confirmed' : 'transaction.reverted'
    return {
      // The block tells it from what the same transaction comes to be after a reorganisation.
      id: `evt_tx_${hash.slice(2, 18)}_${blockNumber}_${type}`,
      ...{ type, created_at: Math.floor(clock.now() / second) },
      data: { tx_hash: hash, intent_id: intentId, command_id: commandId, block_number: Number(blockNumber), confirmations },
    }
  }

  /** `transaction.pending` says that the final event no longer holds, `chain.reorg` why. */
  const corrections = ({ hash, intentId, commandId }: KnownTransaction, { event, block }: Told): LifecycleEvent[] => {
    const created_at = Math.floor(clock.now() / second)
    const id = `evt_tx_${hash.slice(2, 18)}_${block}_transaction.pending`
    const data = { tx_hash: hash, intent_id: intentId, command_id: commandId, block_number: null, confirmations: 0 }
    return [reorganisation(event, created_at, { rows: [] }), { id, type: 'transaction.pending', created_at, revoked_event_id: event.id, data }]
  }

  const follow = (known: KnownTransaction, tx: TransactionState | null): LifecycleEvent[] => {
    const { hash } = known
    if (tx === null) unknownSince.set(hash, unknownSince.get(hash) ?? clock.now())
    else unknownSince.delete(hash)
    const before = told.get(hash)
    const block = tx === null || tx.status === 'pending' || tx.confirmations < finalAfter ? null : tx.blockNumber
    if (before?.block === (block ?? undefined)) return []
    if (before !== undefined) told.delete(hash)
    const events = before === undefined ? [] : corrections(known, before)
    if (tx === null || block === null) return events
    const event = finalEvent(known, tx)
    told.set(hash, { block, event })
    return [...events, event]
  }

  return {
    look: async () => {
      const head = await chain.blockNumber()
      const watched = knownTransactions(store.state, wallet)
        .filter((known) => isWatched(known, head))
        .slice(-watchedAtOnce)
      const seen = await Promise.all(watched.map(async (known) => ({ known, tx: await chain.transaction(known.hash) })))
      const events = seen.flatMap(({ known, tx }) => follow(known, tx))
      if (!isFirst) return events
      isFirst = false
      return []
    },
  }
}
