import { type Address, isHash } from 'viem'
import { multiply, roundTo } from '../../../../shared/decimal.ts'
import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { fixed } from '../../base/money.ts'
import type { Chain } from '../../chain/practice-chain.ts'
import { page } from '../http/paging.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import { marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { Past, PastRows } from '../past/past.ts'
import type { PastIntent } from '../past/story.ts'
import type { Ledger } from '../positions/ledger.ts'
import type { Liquidations } from '../positions/liquidations.ts'
import { accountOf, accountStatus, positionsOf } from '../positions/margin.ts'
import type { ClosedPosition, Order, Trade } from '../state/book.ts'
import type { Store } from '../state/store.ts'
import type { Settlement } from '../trading/settlement.ts'

interface Parts {
  readonly chain: Chain
  readonly clock: Clock
  readonly marks: Marks
  readonly store: Store
  readonly ledger: Ledger
  readonly settlement: Settlement
  readonly liquidations: Liquidations
  readonly past: Past
  readonly faults: Pick<Faults, 'rowsArrive'>
}

/** A transaction is final from this many confirmations on. With fewer, it is `PENDING_FINALITY` (API document: Finality). */
const finalConfirmations = 8
/** The number of confirmations that the exchange reports for generated past transactions, which are not on any chain. */
const longAgo = 100_000

export type AccountViews = ReturnType<typeof createAccountViews>

export function createAccountViews({ chain, clock, marks, store, ledger, settlement, liquidations, past, faults }: Parts) {
  const { state } = store
  const symbolOf = (pairId: number) => marketOf(pairId)?.symbol ?? null
  const standings = (wallet: Address) => accountStatus(ledger.book(wallet), marks)

  /** Updates the exchange to the newest block, then responds. If the chain is unavailable, responds with the account state as last updated. */
  const current = async (answerNow: () => Reply): Promise<Reply> => {
    await settlement.catchUp().catch(() => {})
    return answerNow()
  }
  /** Returns one page of a list that combines the rows of the ledger with the rows of the invented past. */
  const paged = <T extends { readonly sequence: number }>(
    name: string,
    { wallet, query }: { readonly wallet: Address; readonly query: URLSearchParams },
    rowsOf: (past: PastRows) => readonly T[],
    write: (row: T) => Record<string, unknown>,
  ) =>
    current(() => {
      if (faults.rowsArrive > 0) past.arrive(wallet, faults.rowsArrive)
      const result = page(rowsOf(past.of(wallet)), query, write)
      return result.ok ? answer({ success: true, [name]: result.value }) : result.failure
    })

  const order = (row: Order) => ({
    order_id: row.id,
    client_order_id: row.clientOrderId,
    intent_id: row.intentId,
    tx_hash: row.txHash,
    pair_id: row.pairId,
    symbol: symbolOf(row.pairId),
    side: row.side,
    order_type: row.orderType,
    price: row.fillPrice === null ? row.price : roundTo(row.fillPrice, 8),
    size: row.size,
    size_unit: 'base',
    filled_size: row.filled,
    status: row.status,
    reason: row.reason,
    // The value by which the order was placed. For an order that was placed by size, the value is the size times the limit or trigger price.
    order_value_usdc: row.valueUsdc ?? (row.price === null ? null : fixed(multiply(row.size, row.price), 2)),
    limit_price: row.orderType === 'limit' ? row.price : null,
    trigger_price: row.orderType === 'stop' ? row.price : null,
    margin_mode: row.marginMode,
    leverage: row.leverage,
    reduce_only: row.closes !== null,
    position_id: row.closes,
    take_profit: row.takeProfit,
    stop_loss: row.stopLoss,
    created_at_ms: row.createdAtMs,
  })

  const trade = (row: Trade) => ({
    trade_id: `tr_${row.sequence}`,
    order_id: row.orderId,
    pair_id: row.pairId,
    symbol: symbolOf(row.pairId),
    side: row.side,
    price: row.price,
    size: row.size,
    size_unit: 'base',
    fee_usdc: row.feeUsdc,
    effect: row.effect,
    role: row.role,
    realised_pnl_usdc: row.realisedPnlUsdc,
    tx_hash: row.txHash,
    executed_at_ms: row.atMs,
  })

  const closedPosition = (closed: ClosedPosition) => ({
    // A position that is closed in several parts has one row per part, so the id must contain the number of the row, not of the position.
    close_id: `cl_${closed.sequence}`,
    position_id: closed.id,
    pair_id: closed.pairId,
    symbol: symbolOf(closed.pairId),
    side: closed.side,
    size: closed.size,
    size_unit: 'base',
    entry_price: roundTo(closed.entryPrice, 8),
    exit_price: closed.exitPrice,
    realised_pnl_usdc: closed.realisedPnlUsdc,
    funding_usdc: closed.fundingUsdc,
    closed_by: closed.liquidated ? 'liquidation' : 'trade',
    closed_at_ms: closed.closedAtMs,
  })

  const stateOf = (intent: PastIntent): string => {
    if (!isExecutable(intent)) return intent.status
    if (intent.state === 'relaying') return 'submitted'
    return intent.state === 'prepared' && clock.now() >= intent.expiresAtMs ? 'expired' : intent.state
  }
  const refusalOf = ({ wallet, txHash }: PastIntent) => (txHash === null ? null : ledger.refusalOf(wallet, txHash))
  const isExecutable = ({ status }: PastIntent) => status === 'signature_ready' || status === 'ready'
  const transaction = (intent: PastIntent) => ({
    intent_id: intent.id,
    action: intent.action,
    client_order_id: intent.clientOrderId,
    state: stateOf(intent),
    // Why the exchange could not execute the intent although the chain accepted it; null if the exchange executed it.
    reason: refusalOf(intent),
    tx_hash: intent.txHash,
    key_id: intent.keyId,
    created_at_ms: intent.createdAtMs,
    payload: intent.payload,
  })

  return {
    account: (wallet: Address) => current(() => answer({ success: true, ...accountOf(wallet, standings(wallet)) })),
    positions: (wallet: Address) => current(() => answer({ success: true, wallet, positions: positionsOf(standings(wallet)) })),
    orders: (wallet: Address, { query }: Ask) => paged('orders', { wallet, query }, ({ orders }) => [...orders, ...ledger.book(wallet).orders], order),
    trades: (wallet: Address, { query }: Ask) => paged('trades', { wallet, query }, ({ trades }) => [...trades, ...ledger.book(wallet).trades], trade),
    transactions: (wallet: Address, { query }: Ask) =>
      paged(
        'transactions',
        { wallet, query },
        ({ intents }): PastIntent[] => [...intents, ...state.intents.filter((intent) => intent.wallet === wallet && isExecutable(intent))],
        transaction,
      ),
    history: (wallet: Address, { query }: Ask) =>
      paged('history', { wallet, query }, ({ closed }) => [...closed, ...ledger.book(wallet).closed], closedPosition),
    collateral: (wallet: Address) =>
      current(() => {
        const { collateral, withdrawable, marginUsed } = standings(wallet)
        const { ownTokens } = ledger.book(wallet)
        return answer({
          success: true,
          wallet,
          collateral: [
            { token: 'USDC', address: chain.usdc, balance: fixed(collateral, 2), locked: fixed(marginUsed, 2), withdrawable: roundTo(withdrawable, 6, 'down') },
            { token: 'SVC', address: chain.svc, balance: ownTokens, locked: '0', withdrawable: ownTokens },
          ],
        })
      }),
    liquidations: () => current(() => answer({ success: true, liquidations: liquidations.latest() })),
    byClientId: (wallet: Address, ask: Ask) => {
      const clientOrderId = ask.query.get('client_order_id')
      if (clientOrderId === null || clientOrderId === '') return invalid('client_order_id', 'is required')
      return current(() => {
        const asked = (row: PastIntent) => row.wallet === wallet && row.action === 'open_position' && row.clientOrderId === clientOrderId
        const intent = state.intents.findLast(asked) ?? past.of(wallet).intents.findLast(asked)
        if (intent === undefined) return notFound('A prepared order with this client_order_id')
        const { intent_id, client_order_id, action, state: known, tx_hash } = transaction(intent)
        return answer({ success: true, intent: { intent_id, client_order_id, action, state: known, tx_hash, payload: intent.payload } })
      })
    },
    /**
     * The finality of a transaction, read from the chain now: `PENDING`, `PENDING_FINALITY` (fewer than 8 confirmations), `REVERTED` or `FINAL`.
     */
    finality: async (wallet: Address, ask: Ask): Promise<Reply> => {
      const hash = ask.params.tx_hash ?? ''
      if (!isHash(hash)) return invalid('tx_hash', 'must be a transaction hash')
      const isOfAnother = (row: { readonly wallet: Address; readonly txHash: string | null }) =>
        row.wallet !== wallet && row.txHash?.toLowerCase() === hash.toLowerCase()
      if (state.intents.some(isOfAnother) || state.commands.some(isOfAnother)) return notFound('The transaction')
      const told = past.of(wallet).intents.find(({ txHash }) => txHash === hash)
      if (told !== undefined) {
        const finality = told.state === 'reverted' ? 'REVERTED' : 'FINAL'
        return answer({ success: true, tx_hash: hash, finality, confirmations: longAgo, block_number: null })
      }
      const transaction = await chain.transaction(hash).catch(() => 'unavailable' as const)
      if (transaction === 'unavailable') return refuse(503, 'NETWORK_UNAVAILABLE', 'The network does not answer', {}, { 'Retry-After': '2' })
      if (transaction === null) return notFound('The transaction')
      const { status, confirmations, blockNumber } = transaction
      const finality = status === 'pending' ? 'PENDING' : status === 'reverted' ? 'REVERTED' : confirmations < finalConfirmations ? 'PENDING_FINALITY' : 'FINAL'
      return answer({ success: true, tx_hash: hash, finality, confirmations, block_number: blockNumber === null ? null : Number(blockNumber) })
    },
  }
}
