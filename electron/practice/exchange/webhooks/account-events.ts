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

/** Announces account events of wallets with active subscriptions. Follows no other wallet. */
export interface AccountEvents {
  /**
   * Announces everything indexed since the last call. Call it after the exchange has indexed a block, and when subscriptions have
   * changed.
   * A wallet is followed from its first subscription on. Resolves when all events are announced, but not necessarily delivered.
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
      // Runs are sequential, so that no final event is announced twice. If the network is down, the next block retries.
      looking = looking.then(announceFinality).catch(() => {})
      return looking
    },
  }
}

/** Finality: fewer than 8 confirmations is `PENDING_FINALITY`. This also applies to reverted transactions. */
const finalAfter = 8
/** Reorganisations are detected far deeper than any that is expected. */
const watchedDepth = 128n
/** How long to look for a hash that no node knows. */
const patience = 15 * minute
const watchedAtOnce = 64

/** Follows the known transactions of one wallet. Ignores those that were final at the start. */
interface FinalityWatch {
  /** Transactions that became final, or stopped being final, since the last call. Fails while the network is down. */
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
      // The block number makes the id unique if a reorganisation moves the transaction to another block.
      id: `evt_tx_${hash.slice(2, 18)}_${blockNumber}_${type}`,
      ...{ type, created_at: Math.floor(clock.now() / second) },
      data: { tx_hash: hash, intent_id: intentId, command_id: commandId, block_number: Number(blockNumber), confirmations },
    }
  }

  /** `transaction.pending` revokes the final event, and `chain.reorg` gives the reason. */
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

/** A transaction whose hash the service knows. */
interface KnownTransaction {
  readonly hash: Hex
  readonly intentId: string | null
  readonly commandId: string | null
  readonly sinceMs: number
}

/**
 * Events: transactions sent through the relay or the delegated executor, and those reported to the receipt route, each once. A
 * wallet’s own unreported transaction is not included, although the exchange indexes its effects.
 */
function knownTransactions({ intents, commands, receipts }: State, wallet: Address): readonly KnownTransaction[] {
  const known = new Map<string, KnownTransaction>()
  const add = (hash: string | null, sinceMs: number, of: { readonly intentId?: string; readonly commandId?: string }) => {
    if (hash === null || known.has(hash.toLowerCase())) return
    // Hashes come from the chain or were validated by their route.
    known.set(hash.toLowerCase(), { hash: hash.toLowerCase() as Hex, intentId: null, commandId: null, ...of, sinceMs })
  }
  // A row without a mode is a transaction that the wallet sends itself.
  for (const { id, wallet: owner, mode, txHash, createdAtMs } of intents) if (owner === wallet && mode !== null) add(txHash, createdAtMs, { intentId: id })
  for (const { id, wallet: owner, txHash, createdAtMs } of commands) if (owner === wallet) add(txHash, createdAtMs, { commandId: id })
  for (const { wallet: owner, intentId, txHash, atMs } of receipts) if (owner === wallet) add(txHash, atMs, { intentId })
  return [...known.values()]
}
