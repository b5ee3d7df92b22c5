import { limits } from '../../shared/api/limits.ts'
import type { ExecutionReport } from '../../shared/api/schemas/intents.ts'
import type { IntentState } from '../../shared/ipc/orders.ts'
import { readFinality } from '../../shared/signing/prepared-action.ts'
import { minute, second } from '../../shared/time.ts'
import { type Sighting, sameTransaction, type WalletTransaction } from '../chain/transactions.ts'
import type { IntentChange, IntentRow } from '../journal/journal.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import { type PaymentParts, paymentOf, paymentQueries } from './payment-parts.ts'
import type { PaymentRecord } from './payment-record.ts'

/** WalletConnect keeps a request at least this long, whatever deadline it was given. */
const requestLivesMs = 300 * second
/** Base makes a block every 2 s. A transaction that was broadcast in time is in one of so many. */
const blocksAfterDeadline = 8
const blockMs = 2 * second

export interface PaymentFollow {
  /** Takes a payment one step on by what the chain says now. Sends nothing. A silent RPC moves nothing. */
  follow(row: IntentRow): Promise<IntentRow>
  /** Moves, and tells the window that payments changed. */
  move(row: IntentRow, to: IntentState, change?: IntentChange, note?: string): Promise<IntentRow>
}

interface Deps extends Pick<PaymentParts, 'book' | 'records' | 'transactions' | 'chain' | 'emit'> {
  readonly clock: ServiceClock
  /** What the service says of a transaction, by a key of its wallet; null: no key can ask, or it did not answer. */
  readonly finality: (row: IntentRow, txHash: string) => Promise<ExecutionReport | null>
}

const wanted = ({ wallet }: IntentRow, { to, data, value }: PaymentRecord): WalletTransaction => ({ from: wallet, to, data, value: value ?? '0x0' })

const reasons = {
  takenBack: 'The chain took its block back. It is followed again.',
  reverted: 'The transaction reverted on chain. Nothing was paid, and no right was given.',
  other: 'The hash that the wallet gave belongs to another transaction. It is looked for on the chain.',
  silent: 'It could not be looked up: the chain did not answer. It is looked up again by itself.',
  waiting: 'The wallet was asked and the chain shows no such transaction yet. It may still be sent.',
  pending: 'The wallet has a transaction under way that no block holds yet.',
  contract: 'Your wallet is a contract, whose transactions others send: look for it in the wallet.',
  dead: 'The wallet never sent it, and can no longer be asked to.',
} as const

/** Follows payments on the chain itself, and by the service's word where the RPC is silent (FLOW-06). */
export function createPaymentFollow({ book, records, transactions, chain, clock, emit, finality }: Deps): PaymentFollow {
  const told = <T>(value: T): T => {
    emit({ type: 'invalidate', queries: [...paymentQueries] })
    return value
  }
  const move: PaymentFollow['move'] = async (row, to, change, note) => told(await book.move(row.ref, to, change, note))

  /** From what was seen to a state; `null`: it stays as it is. */
  const standing = async (row: IntentRow, next: IntentState, confirmations: number | null): Promise<IntentRow> => {
    const settled = next === 'FINAL' || next === 'REVERTED'
    if (next === row.state) return settled || confirmations === row.confirmations ? row : told(book.change(row.ref, { confirmations }))
    const back = row.state === 'FINAL' || row.state === 'REVERTED' || (row.state === 'CONFIRMING' && next === 'SUBMITTED')
    const reason = next === 'REVERTED' ? reasons.reverted : back && next !== 'FINAL' ? reasons.takenBack : null
    return move(row, next, { confirmations, finality: null, reason }, reason ?? undefined)
  }

  /** Whether a transaction under the wallet's hash is the one that was asked for. A contract wallet's is sent by another account. */
  const isOurs = async (row: IntentRow, record: PaymentRecord, seen: WalletTransaction): Promise<boolean> => {
    if (sameTransaction(seen, wanted(row, record))) return true
    return seen.from.toLowerCase() !== row.wallet.toLowerCase() && (await chain.hasCode(row.wallet)) === true
  }

  const byService = async (row: IntentRow, txHash: string): Promise<IntentRow> => {
    const report = await finality(row, txHash)
    if (report === null) return row
    const { finality: said, confirmations } = readFinality(report)
    const states = { pending: 'SUBMITTED', confirming: 'CONFIRMING', reverted: 'REVERTED', final: 'FINAL' } as const
    return said === 'other' ? row : standing(row, states[said], confirmations)
  }

  const bySighting = async (row: IntentRow, record: PaymentRecord, sighting: Sighting): Promise<IntentRow> => {
    if (sighting.state === 'unseen') return unseen(row, record)
    if (sighting.transaction !== null && !(await isOurs(row, record, sighting.transaction)))
      return row.state === 'UNKNOWN' ? row : move(row, 'UNKNOWN', { txHash: null, confirmations: null, reason: reasons.other }, 'another transaction')
    if (sighting.state === 'pending') return standing(row, 'SUBMITTED', 0)
    const { succeeded, confirmations } = sighting
    if (!succeeded) return standing(row, 'REVERTED', confirmations)
    return standing(row, confirmations >= limits.finalityConfirmations ? 'FINAL' : 'CONFIRMING', confirmations)
  }

  /** The hash is not on the chain: dropped, replaced by the same at a higher fee, taken back, or not arrived yet. */
  const unseen = async (row: IntentRow, record: PaymentRecord): Promise<IntentRow> => {
    const found = await search(row, record)
    if (found?.state === 'found') return told(book.change(row.ref, { txHash: found.hash, reason: null }))
    if (row.state === 'CONFIRMING' || row.state === 'FINAL' || row.state === 'REVERTED') return standing(row, 'SUBMITTED', 0)
    return row
  }

  const search = (row: IntentRow, record: PaymentRecord) =>
    record.nonce === null || row.blockNumber === null
      ? Promise.resolve(null)
      : transactions.find(wanted(row, record), { nonce: record.nonce, fromBlock: row.blockNumber })

  /** UNKNOWN: found by what it is, or dead beyond everything that could still bring it. */
  const lookUp = async (row: IntentRow, record: PaymentRecord): Promise<IntentRow> => {
    const found = await search(row, record)
    if (found === null) return told(book.note(row, reasons.silent))
    if (found.state === 'found') return move(row, 'SUBMITTED', { txHash: found.hash, reason: null }, 'found on the chain')
    if (found.wallet === 'pending') return told(book.note(row, reasons.pending))
    if ((await chain.hasCode(row.wallet)) === true) return told(book.note(row, reasons.contract))
    const lastAnswer = Math.max(row.deadlineMs ?? 0, (record.askedAtMs ?? row.updatedAtMs) + requestLivesMs)
    const over = clock.known() && clock.now() > lastAnswer + blocksAfterDeadline * blockMs + minute
    // A chain that stands still tells nothing about what was sent meanwhile.
    const moved = row.blockNumber !== null && found.head >= row.blockNumber + blocksAfterDeadline
    return over && moved ? move(row, 'EXPIRED', { reason: reasons.dead }, `not on the chain up to block ${found.head}`) : told(book.note(row, reasons.waiting))
  }

  return {
    move,
    follow: async (row) => {
      const { record } = paymentOf(row, records)
      if (record === null) return row
      if (row.txHash === null) return row.state === 'UNKNOWN' ? lookUp(row, record) : row
      const sighting = await transactions.look(row.txHash)
      return sighting === null ? byService(row, row.txHash) : bySighting(row, record, sighting)
    },
  }
}
