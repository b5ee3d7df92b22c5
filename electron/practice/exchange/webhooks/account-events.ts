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

/** Tells what happens to the wallets that have active subscriptions, and follows no other. */
export interface AccountEvents {
  /**
   * Announces what was indexed since the last look; to be called after the exchange has indexed a block, and when subscriptions have changed.
   * A wallet is followed from its first subscription on. Resolves when all of it is announced, not delivered.
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
      // One after the other, so that none tells twice what became final. While the network is away the next block asks again.
      looking = looking.then(announceFinality).catch(() => {})
      return looking
    },
  }
}

/** Finality: fewer than 8 confirmations is `PENDING_FINALITY`, of a reverted transaction as of any other. */
const finalAfter = 8
/** The app looks for reorganisations deeper than it expects any. */
const watchedDepth = 128n
/** How long a hash is looked for that no node knows. */
const patience = 15 * minute
const watchedAtOnce = 64

/** Follows the known transactions of one wallet. What was final when it began is not told. */
interface FinalityWatch {
  /** What has become final, or is no longer, since the last look. Fails while the network is away. */
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
      // The block makes the ID another one if a reorganisation puts the same transaction into another block.
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

/** A transaction that the service knows of by its hash. */
interface KnownTransaction {
  readonly hash: Hex
  readonly intentId: string | null
  readonly commandId: string | null
  readonly sinceMs: number
}

/**
 * Events: those submitted through the relay or the delegated executor, and those reported to the receipt route, each once. A wallet's own
 * transaction that was not reported is not among them, although the exchange indexes what it did.
 */
function knownTransactions({ intents, commands, receipts }: State, wallet: Address): readonly KnownTransaction[] {
  const known = new Map<string, KnownTransaction>()
  const add = (hash: string | null, sinceMs: number, of: { readonly intentId?: string; readonly commandId?: string }) => {
    if (hash === null || known.has(hash.toLowerCase())) return
    // Hashes come from the chain, or were checked by the route that took them.
    known.set(hash.toLowerCase(), { hash: hash.toLowerCase() as Hex, intentId: null, commandId: null, ...of, sinceMs })
  }
  // What has no mode is sent by the wallet.
  for (const { id, wallet: owner, mode, txHash, createdAtMs } of intents) if (owner === wallet && mode !== null) add(txHash, createdAtMs, { intentId: id })
  for (const { id, wallet: owner, txHash, createdAtMs } of commands) if (owner === wallet) add(txHash, createdAtMs, { commandId: id })
  for (const { wallet: owner, intentId, txHash, atMs } of receipts) if (owner === wallet) add(txHash, atMs, { intentId })
  return [...known.values()]
}
