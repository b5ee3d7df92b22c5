import type { Address } from 'viem'
import { type Clock, minute } from '../../../../shared/time.ts'
import type { Chain, SentTransaction, TransactionState } from '../../chain/practice-chain.ts'
import type { RouterEvent } from '../../chain/router-events.ts'
import type { Marks } from '../market/mark-prices.ts'
import { carryOut } from '../positions/carry-out.ts'
import { networkCostUsdc } from '../positions/fees.ts'
import type { Ledger } from '../positions/ledger.ts'
import type { MarketMoves } from '../positions/market-moves.ts'
import type { Placing } from '../positions/order-placement.ts'
import type { SpokenForms } from '../signing/spoken-form.ts'
import { instructionOf } from '../signing/wallet-transactions.ts'
import type { Change, Origin } from '../state/changes.ts'
import type { Instruction } from '../state/instructions.ts'
import type { CommandRow, IntentRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'

/** A transaction is final after this many confirmations. The exchange also detects much deeper reorganisations. */
const finalAfter = 8
const watchedDepth = 128n
const watchedFor = 15 * minute
const commandLifetime = 2 * minute

export interface Settlement {
  /** Updates the exchange's state from the chain. Only one run is active at a time. A call during a run starts another run afterwards. */
  run(): Promise<void>
  /** Like `run`, but does nothing if the last run already saw the newest block. Call this before reads. */
  catchUp(): Promise<void>
}

interface Parts {
  readonly chain: Chain
  readonly store: Store
  readonly ledger: Ledger
  readonly moves: MarketMoves
  readonly marks: Marks
  readonly clock: Clock
  readonly forms: SpokenForms
}

interface Asked {
  readonly wallet: Address
  readonly instruction: Instruction
  readonly placing: Placing
  readonly networkUsdc: string
}

const originOf = ({ name, args, txHash, blockNumber, ordinal }: RouterEvent): Origin => ({
  id: name === 'IntentAccepted' ? args.digest : name === 'CommandExecuted' ? itemId(args.commandId, Number(args.item)) : `${txHash}:${ordinal}`,
  txHash,
  blockNumber: blockNumber.toString(),
})

/** Returns the id of one item of a command, which the item's ledger rows contain. */
export const itemId = (commandId: string, item: number): string => `${commandId}:${item}`

/** Applies the actions that the router accepted, as reported by its events, and undoes actions that a reorganisation removed. */
export function createSettlement({ chain, store, ledger, moves, marks, clock, forms }: Parts): Settlement {
  const { state } = store
  let seenHead = -1n
  let running: Promise<void> | null = null
  let again = false

  const settle = async () => {
    const head = await chain.blockNumber()
    const from = head > watchedDepth ? head - watchedDepth : 0n
    const events = await chain.routerEvents(from)
    const known = new Set(state.ledger.flatMap(({ origin }) => (origin === null ? [] : [origin.id])))
    const fresh = events.filter((event) => !known.has(originOf(event).id))
    const senders = await sendersOf(fresh)
    const intents = await withTransactions(state.intents.filter(isWatched))
    const commands = await withTransactions(state.commands.filter(isWatched))
    // Do not use `await` from here on. Otherwise, a request could see a block that is only partly applied.
    let changed = ledger.takeBack(new Map(events.map((event) => [originOf(event).id, originOf(event)])), from)
    for (const event of fresh) changed = accept(event, senders.get(event.txHash) ?? null) || changed
    changed = moves.take(head !== seenHead) || changed
    for (const { row, tx } of intents) changed = set(row, intentState(tx, clock.now() >= row.expiresAtMs)) || changed
    for (const { row, tx } of commands) changed = follow(row, tx) || changed
    seenHead = head
    if (changed) store.commit()
  }

  /**
   * True if the exchange must still watch this intent or command on the chain. It watches a final intent or command for some time too, because a
   * reorganisation may be deeper than 8 blocks.
   */
  const isWatched = (row: IntentRow | CommandRow) => row.txHash !== null && (row.state === 'submitted' || clock.now() - row.createdAtMs < watchedFor)

  const withTransactions = <Row extends IntentRow | CommandRow>(rows: readonly Row[]) =>
    Promise.all(rows.map(async (row) => ({ row, tx: row.txHash === null ? null : await chain.transaction(row.txHash) })))

  /**
   * Returns the transactions that wallets sent themselves, not through the relay or an executor; by hash. The calldata of such a transaction shows
   * which intent it executes.
   */
  const sendersOf = async (events: readonly RouterEvent[]): Promise<Map<string, SentTransaction | null>> => {
    const hashes = new Set(events.filter(({ name }) => name !== 'IntentAccepted' && name !== 'CommandExecuted').map(({ txHash }) => txHash))
    const found = await Promise.all([...hashes].map(async (hash) => [hash, await chain.sentTransaction(hash)] as const))
    return new Map(found)
  }

  const accept = (event: RouterEvent, sender: SentTransaction | null): boolean => {
    const asked = askedBy(event, sender)
    // If no intent or command matches the event, ignore the event. It belongs to another exchange, or to a state file that was unreadable.
    if (asked === null) return false
    const { wallet, instruction, placing, networkUsdc } = asked
    const book = ledger.book(wallet)
    const charged: Change[] = networkUsdc === '0' ? [] : [{ kind: 'charged', usdc: networkUsdc }]
    const after = (changes: readonly Change[]) => ledger.simulate(book, wallet, [...charged, ...changes])
    // The chain has already transferred the tokens, so record the transfer even if the exchange would have refused it.
    const outcome =
      instruction.kind === 'collateral'
        ? { ok: true as const, value: [instruction] }
        : carryOut(instruction, { book, marks, nowMs: clock.now(), placing, asIfFilled: false, after })
    ledger.append(wallet, [...charged, ...(outcome.ok ? outcome.value : [{ kind: 'refused' as const, reason: outcome.failure }])], originOf(event))
    return true
  }

  const askedBy = (event: RouterEvent, sender: SentTransaction | null): Asked | null => {
    const { args, txHash } = event
    const wallet = args.trader
    if (event.name === 'IntentAccepted') {
      const intent = state.intents.find((row) => row.wallet === wallet && row.nonce === event.args.nonce.toString())
      if (intent === undefined) return null
      intent.txHash ??= txHash
      if (intent.state === 'prepared') intent.state = 'submitted'
      return { wallet, instruction: intent.instruction, placing: placingOf(intent), networkUsdc: networkCostUsdc }
    }
    if (event.name === 'CommandExecuted') {
      const command = state.commands.find((row) => row.id === event.args.commandId && row.wallet === wallet)
      const item = command?.items[Number(event.args.item)]
      if (command === undefined || item === undefined) return null
      command.txHash ??= txHash
      if (command.state === 'queued') command.state = 'submitted'
      const { nonce, clientOrderId, instruction } = item
      const placing = { nonce, intentId: null, clientOrderId, createdAtMs: command.createdAtMs }
      // A batch is one transaction, so only its first item pays the network cost.
      return { wallet, instruction, placing, networkUsdc: event.args.item === 0n ? networkCostUsdc : '0' }
    }
    const instruction = instructionOf(event, chain)
    const intent = state.intents.find((row) => row.txHash === txHash) ?? carriedOutBy(sender, wallet)
    if (intent !== undefined) {
      intent.txHash ??= txHash
      if (intent.state === 'prepared') intent.state = 'submitted'
    }
    const placing = { nonce: '0', intentId: intent?.id ?? null, clientOrderId: null, createdAtMs: clock.now() }
    const networkUsdc = intent?.mode === 'permit_deposit' ? networkCostUsdc : '0'
    return instruction === null ? null : { wallet, instruction, placing, networkUsdc }
  }

  const placingOf = ({ nonce, id, clientOrderId, createdAtMs }: IntentRow): Placing => ({ nonce: nonce ?? '0', intentId: id, clientOrderId, createdAtMs })

  /** Finds the newest intent for which exactly this transaction was prepared. */
  const carriedOutBy = (sender: SentTransaction | null, wallet: Address): IntentRow | undefined =>
    state.intents.findLast(
      (row) => row.wallet === wallet && row.txHash === null && row.transactions.length > 0 && forms.of(row).transactions.at(-1)?.data === sender?.data,
    )

  const set = <Row extends IntentRow | CommandRow>(row: Row, next: Row['state']): boolean => {
    if (row.state === next) return false
    row.state = next
    return true
  }

  const follow = (row: CommandRow, tx: TransactionState | null): boolean => {
    const isLost = tx === null && clock.now() - row.createdAtMs >= commandLifetime
    const reason = isLost ? 'transaction_lost' : tx?.status === 'reverted' ? 'transaction_reverted' : null
    const next = reason !== null ? 'failed' : tx?.status === 'success' ? 'included' : 'submitted'
    if (!set(row, next)) return false
    row.reason = reason
    row.updatedAtMs = clock.now()
    return true
  }

  const run = (): Promise<void> => {
    if (running !== null) {
      again = true
      return running
    }
    running = (async () => {
      try {
        do {
          again = false
          await settle()
        } while (again)
      } finally {
        running = null
      }
    })()
    return running
  }

  return {
    run,
    catchUp: async () => {
      if (running !== null || (await chain.blockNumber()) !== seenHead) await run()
    },
  }
}

function intentState(transaction: TransactionState | null, overdue: boolean): IntentRow['state'] {
  if (transaction === null) return overdue ? 'expired' : 'submitted'
  if (transaction.status === 'reverted') return 'reverted'
  return transaction.status === 'success' && transaction.confirmations >= finalAfter ? 'confirmed' : 'submitted'
}
