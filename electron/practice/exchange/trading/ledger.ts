import type { Address } from 'viem'
import { add, multiply, negate, subtract } from '../../../../shared/decimal.ts'
import type { Clock } from '../../../../shared/time.ts'
import type { Store } from '../state/store.ts'
import { type Book, emptyBook, type Order, type Position } from './book.ts'
import { close, type Draft, fill, marginFor } from './book-fills.ts'
import type { Change, LedgerRow, Origin } from './changes.ts'

export interface Ledger {
  book(wallet: Address): Book
  /** Wallets to which anything has happened. */
  wallets(): readonly Address[]
  append(wallet: Address, changes: readonly Change[], origin: Origin | null): void
  /** The rows that this origin caused. */
  rowsOf(originId: string): readonly LedgerRow[]
  /** Why the exchange could not carry out what a transaction brought; null when it could. */
  refusalOf(wallet: Address, txHash: string): string | null
  /** What these changes would make of a book. Nothing is kept. */
  simulate(book: Book, wallet: Address, changes: readonly Change[]): Book
  /**
   * Removes what no longer stands on chain from a block on, and for those wallets what the market did since, for it did it to
   * a book that is no more. Tells whether there was any.
   */
  takeBack(standing: ReadonlyMap<string, Pick<Origin, 'txHash' | 'blockNumber'>>, fromBlock: bigint): boolean
}

/** Funding is kept: of a position that is not there it has no effect, and of one that is, it is not charged a second time. */
const undone: readonly Change['kind'][] = ['placed', 'filled', 'ended', 'liquidated']

export function createLedger({ store, clock }: { store: Store; clock: Clock }): Ledger {
  const { state } = store
  const books = new Map<Address, Book>()

  const start = (wallet: Address): Book => {
    const given = state.seeds.filter((seed) => seed.wallet === wallet).reduce((sum, seed) => add(sum, seed.usdc), '0')
    return { ...emptyBook, collateral: given }
  }
  /** Remembered from the first row on: before it, seeds may still come. */
  const book = (wallet: Address): Book => {
    const known = books.get(wallet)
    if (known !== undefined) return known
    const rows = state.ledger.filter((row) => row.wallet === wallet)
    const made = afterRows(start(wallet), rows)
    if (rows.length > 0) books.set(wallet, made)
    return made
  }

  return {
    book,
    wallets: () => [...new Set(state.ledger.map((row) => row.wallet))],
    append: (wallet, changes, origin) => {
      const before = book(wallet)
      const rows = changes.map((change): LedgerRow => {
        state.sequence += 1
        return { sequence: state.sequence, wallet, atMs: clock.now(), change, origin: origin === null ? null : { ...origin } }
      })
      state.ledger.push(...rows)
      books.set(wallet, afterRows(before, rows))
    },
    rowsOf: (originId) => state.ledger.filter(({ origin }) => origin?.id === originId),
    refusalOf: (wallet, txHash) => {
      const row = state.ledger.find(({ change, origin, wallet: owner }) => change.kind === 'refused' && owner === wallet && origin?.txHash === txHash)
      return row?.change.kind === 'refused' ? row.change.reason : null
    },
    simulate: (from, wallet, changes) =>
      afterRows(
        from,
        changes.map((change) => ({ sequence: state.sequence + 1, wallet, atMs: clock.now(), change, origin: null })),
      ),
    takeBack: (standing, fromBlock) => {
      const firstGone = new Map<Address, number>()
      const isGone = ({ origin }: LedgerRow) => origin !== null && BigInt(origin.blockNumber) >= fromBlock && !standing.has(origin.id)
      let moved = false
      for (const row of state.ledger) {
        if (isGone(row)) firstGone.set(row.wallet, Math.min(row.sequence, firstGone.get(row.wallet) ?? row.sequence))
        const now = row.origin === null ? undefined : standing.get(row.origin.id)
        if (row.origin !== null && now !== undefined && (now.txHash !== row.origin.txHash || now.blockNumber !== row.origin.blockNumber)) {
          row.origin = { ...row.origin, ...now }
          moved = true
        }
      }
      if (moved) books.clear()
      if (firstGone.size === 0) return moved
      state.ledger = state.ledger.filter((row) => {
        const first = firstGone.get(row.wallet)
        if (first === undefined || isGone(row)) return first === undefined
        return row.origin !== null || row.sequence < first || !undone.includes(row.change.kind)
      })
      books.clear()
      return true
    },
  }
}

/** The book of a wallet follows from what happened to it and nothing else. A step about what is not there has no effect. */
export function afterRows(book: Book, rows: readonly LedgerRow[]): Book {
  const draft: Draft = {
    ...book,
    positions: new Map(book.positions.map((each) => [each.id, each])),
    orders: new Map(book.orders.map((each) => [each.id, each])),
    trades: [...book.trades],
    closed: [...book.closed],
  }
  for (const row of rows) applyRow(draft, row)
  return { ...draft, positions: [...draft.positions.values()], orders: [...draft.orders.values()] }
}

function applyRow(draft: Draft, row: LedgerRow): void {
  const { change } = row
  const changePosition = (id: string, how: (position: Position) => Partial<Position>) => {
    const held = draft.positions.get(id)
    if (held !== undefined) draft.positions.set(id, { ...held, ...how(held) })
  }
  const changeOrder = (id: string, how: (order: Order) => Partial<Order>) => {
    const known = draft.orders.get(id)
    if (known !== undefined) draft.orders.set(id, { ...known, ...how(known) })
  }
  switch (change.kind) {
    case 'charged':
      draft.collateral = subtract(draft.collateral, change.usdc)
      return
    case 'collateral':
      if (change.token === 'USDC') draft.collateral = add(draft.collateral, change.amount)
      else draft.ownTokens = add(draft.ownTokens, change.amount)
      return
    case 'placed':
      draft.orders.set(change.order.id, {
        ...change.order,
        sequence: row.sequence,
        status: 'open',
        reason: null,
        filled: '0',
        fillPrice: null,
        txHash: row.origin?.txHash ?? null,
      })
      return
    case 'filled':
      fill(draft, row, change)
      return
    case 'ended':
      changeOrder(change.orderId, () => ({ status: 'cancelled', reason: change.reason }))
      return
    case 'replaced':
      changeOrder(change.orderId, () => change.terms)
      return
    case 'exits':
      changePosition(change.positionId, (held) => ({
        takeProfit: change.exits.take_profit === undefined ? held.takeProfit : change.exits.take_profit,
        stopLoss: change.exits.stop_loss === undefined ? held.stopLoss : change.exits.stop_loss,
      }))
      return
    case 'margin':
      changePosition(change.positionId, ({ ownMargin }) => ({ ownMargin: ownMargin === null ? null : add(ownMargin, change.amount) }))
      return
    case 'leverage':
      changePosition(change.positionId, (held) => ({
        leverage: change.leverage,
        ownMargin: held.ownMargin === null ? null : marginFor(multiply(held.size, held.entryPrice), change.leverage),
      }))
      return
    case 'funding':
      if (!draft.positions.has(change.positionId)) return
      changePosition(change.positionId, ({ fundingUsdc }) => ({ fundingUsdc: add(fundingUsdc, change.amount) }))
      draft.collateral = add(draft.collateral, change.amount)
      return
    case 'liquidated': {
      const held = draft.positions.get(change.positionId)
      if (held === undefined) return
      close(draft, row, held, held.size, change.price, { realised: negate(change.lost), liquidated: true })
      return
    }
    case 'refused':
      return
  }
}
