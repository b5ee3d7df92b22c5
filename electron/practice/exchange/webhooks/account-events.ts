import type { Address, Hex } from 'viem'
import { type Clock, minute, second } from '../../../../shared/time.ts'
import type { Chain, TransactionState } from '../../chain/practice-chain.ts'
import type { Ledger } from '../positions/ledger.ts'
import type { State } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { type LifecycleEvent, reorganisation } from '../stream/lifecycle.ts'
import { createRowWatch, type RowWatch } from '../stream/row-watch.ts'

interface Parts {
  readonly chain: Chain
  readonly store: Store
  readonly ledger: Ledger
  readonly clock: Clock
  readonly announce: (wallet: Address, event: LifecycleEvent) => void
}

/** Sends account events to webhook subscriptions. Tracks only wallets that have active subscriptions. */
export interface AccountEvents {
  /**
   * Sends all account events since the last call. Call it after each new block and after each change of subscriptions. Tracks a wallet from its first
   * subscription on. Resolves once all events are queued, even if some are not delivered yet.
   */
  look(): Promise<void>
}

export function createAccountEvents({ chain, store, ledger, clock, announce }: Parts): AccountEvents {
  const followed = new Map<Address, { readonly rows: RowWatch; readonly finality: FinalityWatch }>()
  let looking: Promise<void> = Promise.resolve()

  const subscribers = () => new Set(store.state.webhooks.filter(({ disabledAtMs }) => disabledAtMs === null).map(({ wallet }) => wallet))

  const announceRows = () => {
    const wallets = subscribers()
    for (const wallet of followed.keys()) if (!wallets.has(wallet)) followed.delete(wallet)
    for (const wallet of wallets) {
      const watched = followed.get(wallet)
      if (watched !== undefined) for (const event of watched.rows.look().events) announce(wallet, event)
      else followed.set(wallet, { rows: createRowWatch({ store, ledger, clock }, wallet), finality: createFinalityWatch({ chain, store, clock }, wallet) })
    }
  }

  const announceFinality = async () => {
    for (const [wallet, { finality }] of [...followed]) for (const event of await finality.look()) announce(wallet, event)
  }

  return {
    look: () => {
      announceRows()
      // Run one check at a time. Two simultaneous checks could report the same transaction twice. If the network is down, the next block starts a new
      // check.
      looking = looking.then(announceFinality).catch(() => {})
      return looking
    },
  }
}

/**
 * A transaction, including a reverted one, is final once it has this many confirmations. With fewer, it is `PENDING_FINALITY` (API document:
 * Finality).
 */
const finalAfter = 8
/** How many blocks back to watch for reorganisations. No reorganisation is expected to be that deep. */
const watchedDepth = 128n
/** How long to keep looking for a reported transaction hash that the chain does not contain. */
const patience = 15 * minute
const watchedAtOnce = 64

/** Tracks the finality of one wallet's known transactions. Ignores a transaction that was final before the tracking started. */
interface FinalityWatch {
  /** Returns events for transactions that became final, or stopped being final, since the last call. Fails while the network is down. */
  look(): Promise<readonly LifecycleEvent[]>
}

interface Told {
  readonly block: bigint
  readonly event: LifecycleEvent
}

function createFinalityWatch({ chain, store, clock }: { chain: Chain; store: Store; clock: Clock }, wallet: Address): FinalityWatch {
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
      // After a reorganisation, the transaction may become final a second time in another block. The id contains the block number, so that the second
      // event has a different id.
      id: `evt_tx_${hash.slice(2, 18)}_${blockNumber}_${type}`,
      ...{ type, created_at: Math.floor(clock.now() / second) },
      data: { tx_hash: hash, intent_id: intentId, command_id: commandId, block_number: Number(blockNumber), confirmations },
    }
  }

  /** The events that correct a finality event after a reorganisation. `transaction.pending` revokes the event, and `chain.reorg` names the reason. */
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

/** A transaction whose hash the exchange knows: the exchange relayed it, an executor sent it, or a client reported it with a receipt. */
interface KnownTransaction {
  readonly hash: Hex
  readonly intentId: string | null
  readonly commandId: string | null
  readonly sinceMs: number
}

/**
 * The transactions about which the exchange sends events, each once (API document: Events). The relay or the delegated executor sent them, or a
 * client reported them to the receipt route. The exchange shows the effects of the wallet's other transactions, but sends no events about them.
 */
function knownTransactions({ intents, commands, receipts }: State, wallet: Address): readonly KnownTransaction[] {
  const known = new Map<string, KnownTransaction>()
  const add = (hash: string | null, sinceMs: number, of: { readonly intentId?: string; readonly commandId?: string }) => {
    if (hash === null || known.has(hash.toLowerCase())) return
    known.set(hash.toLowerCase(), { hash: hash.toLowerCase() as Hex, intentId: null, commandId: null, ...of, sinceMs })
  }
  // Skip an intent for which the wallet sends transactions (it has no signing mode). The exchange learns of such a transaction only from a receipt.
  for (const { id, wallet: owner, mode, txHash, createdAtMs } of intents) if (owner === wallet && mode !== null) add(txHash, createdAtMs, { intentId: id })
  for (const { id, wallet: owner, txHash, createdAtMs } of commands) if (owner === wallet) add(txHash, createdAtMs, { commandId: id })
  for (const { wallet: owner, intentId, txHash, atMs } of receipts) if (owner === wallet) add(txHash, atMs, { intentId })
  return [...known.values()]
}
