import { type Address, isHash } from 'viem'
import { divide, roundTo } from '../../../../shared/decimal.ts'
import type { Clock } from '../../../../shared/time.ts'
import type { Chain } from '../../chain/chain.ts'
import { page } from '../http/paging.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import { marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import { fixed } from '../money.ts'
import type { ExecutionRow, IntentRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { accountOf, positionsOf, standingsOf } from '../trading/margin.ts'
import { bookOf } from '../trading/positions.ts'
import type { Settlement } from '../trading/settlement.ts'

interface Parts {
  readonly chain: Chain
  readonly clock: Clock
  readonly marks: Marks
  readonly store: Store
  readonly settlement: Settlement
}

/** Finality: fewer than 8 confirmations is `PENDING_FINALITY`. */
const finalConfirmations = 8

/** What the versioned account routes and the public views of any wallet answer. */
export type AccountViews = ReturnType<typeof createAccountViews>

type Executed = { readonly row: ExecutionRow; readonly intent: IntentRow; readonly sequence: number }

export function createAccountViews({ chain, clock, marks, store, settlement }: Parts) {
  const { state } = store
  const symbolOf = (pairId: number) => marketOf(pairId)?.symbol ?? null
  const standings = (wallet: Address) => standingsOf(bookOf(state, wallet), marks)

  /** A read follows the newest block; when the network is away it answers with what is known. */
  const current = async (answerNow: () => Reply): Promise<Reply> => {
    await settlement.catchUp().catch(() => {})
    return answerNow()
  }
  const paged = (name: string, result: ReturnType<typeof page>): Reply => (result.ok ? answer({ success: true, [name]: result.value }) : result.failure)

  const executed = (wallet: Address): Executed[] => {
    const intents = new Map(state.intents.map((intent) => [intent.id, intent]))
    return state.executions.flatMap((row) => {
      const intent = intents.get(row.intentId)
      return row.wallet === wallet && intent !== undefined ? [{ row, intent, sequence: row.sequence }] : []
    })
  }

  const order = ({ row, intent: { payload, createdAtMs, id } }: Executed) => {
    const price = row.fill?.price ?? row.restingPrice ?? payload.limit_price ?? payload.trigger_price ?? payload.reference_price ?? null
    const market = marketOf(payload.pair_id)
    const size = row.fill?.size ?? (price === null || market === null ? null : divide(payload.order_value_usdc, price, market.sizeDecimals, 'down'))
    return {
      order_id: `ord_${id.slice(3)}`,
      client_order_id: payload.client_order_id,
      pair_id: payload.pair_id,
      symbol: symbolOf(payload.pair_id),
      side: payload.side,
      order_type: payload.order_type,
      price,
      size,
      filled_size: row.fill?.size ?? '0',
      status: row.status,
      created_at_ms: createdAtMs,
    }
  }

  const trade = ({ row, intent: { payload } }: Executed) => ({
    trade_id: `tr_${row.intentId.slice(3)}`,
    order_id: `ord_${row.intentId.slice(3)}`,
    pair_id: payload.pair_id,
    symbol: symbolOf(payload.pair_id),
    side: payload.side,
    price: row.fill?.price ?? null,
    size: row.fill?.size ?? null,
    fee_usdc: row.fill?.feeUsdc ?? null,
    tx_hash: row.txHash,
    executed_at_ms: row.fill?.atMs ?? null,
  })

  const stateOf = (intent: IntentRow): string => {
    if (intent.status !== 'signature_ready') return intent.status
    if (intent.state === 'relaying') return 'submitted'
    return intent.state === 'prepared' && clock.now() >= intent.expiresAtMs ? 'expired' : intent.state
  }
  const transaction = (intent: IntentRow) => ({
    intent_id: intent.id,
    action: intent.action,
    client_order_id: intent.payload.client_order_id,
    state: stateOf(intent),
    tx_hash: intent.txHash,
    created_at_ms: intent.createdAtMs,
  })

  return {
    account: (wallet: Address) => current(() => answer({ success: true, ...accountOf(wallet, standings(wallet)) })),
    positions: (wallet: Address) => current(() => answer({ success: true, wallet, positions: positionsOf(standings(wallet)) })),
    orders: (wallet: Address, ask: Ask) => current(() => paged('orders', page(executed(wallet), ask.query, order))),
    trades: (wallet: Address, ask: Ask) =>
      current(() =>
        paged(
          'trades',
          page(
            executed(wallet).flatMap((each) => (each.row.fill === null ? [] : [{ ...each, sequence: each.row.fill.sequence }])),
            ask.query,
            trade,
          ),
        ),
      ),
    transactions: (wallet: Address, ask: Ask) =>
      current(() =>
        paged(
          'transactions',
          page(
            state.intents.filter((intent) => intent.wallet === wallet && intent.status === 'signature_ready'),
            ask.query,
            transaction,
          ),
        ),
      ),
    history: (wallet: Address, ask: Ask) =>
      current(() =>
        paged(
          'history',
          page(bookOf(state, wallet).closed, ask.query, (closed) => ({
            position_id: closed.id,
            pair_id: closed.pairId,
            symbol: symbolOf(closed.pairId),
            side: closed.side,
            size: closed.size,
            entry_price: roundTo(closed.entryPrice, 8),
            exit_price: closed.exitPrice,
            realised_pnl_usdc: fixed(closed.realisedPnlUsdc, 2),
            closed_at_ms: closed.closedAtMs,
          })),
        ),
      ),
    collateral: (wallet: Address) =>
      current(() => {
        const { collateral, freeMargin, marginUsed } = standings(wallet)
        return answer({
          success: true,
          wallet,
          collateral: [{ token: 'USDC', address: chain.usdc, balance: fixed(collateral, 2), locked: fixed(marginUsed, 2), withdrawable: fixed(freeMargin, 2) }],
        })
      }),
    byClientId: (wallet: Address, ask: Ask) => {
      const clientOrderId = ask.query.get('client_order_id')
      if (clientOrderId === null || clientOrderId === '') return invalid('client_order_id', 'is required')
      return current(() => {
        const intent = state.intents.findLast((row) => row.wallet === wallet && row.payload.client_order_id === clientOrderId)
        if (intent === undefined) return notFound('A prepared order with this client_order_id')
        const { intent_id, client_order_id, action, state: known, tx_hash } = transaction(intent)
        return answer({ success: true, intent: { intent_id, client_order_id, action, state: known, tx_hash, payload: intent.payload } })
      })
    },
    /** `PENDING`, `PENDING_FINALITY` (fewer than 8 confirmations), `REVERTED`, `FINAL`, as the chain stands now. */
    finality: async (wallet: Address, ask: Ask): Promise<Reply> => {
      const hash = ask.params.tx_hash ?? ''
      if (!isHash(hash)) return invalid('tx_hash', 'must be a transaction hash')
      const others = state.intents.some((intent) => intent.txHash?.toLowerCase() === hash.toLowerCase() && intent.wallet !== wallet)
      if (others) return notFound('The transaction')
      const transaction = await chain.transaction(hash).catch(() => 'unavailable' as const)
      if (transaction === 'unavailable') return refuse(503, 'NETWORK_UNAVAILABLE', 'The network does not answer', {}, { 'Retry-After': '2' })
      if (transaction === null) return notFound('The transaction')
      const { status, confirmations, blockNumber } = transaction
      const finality = status === 'pending' ? 'PENDING' : status === 'reverted' ? 'REVERTED' : confirmations < finalConfirmations ? 'PENDING_FINALITY' : 'FINAL'
      return answer({ success: true, tx_hash: hash, finality, confirmations, block_number: blockNumber === null ? null : Number(blockNumber) })
    },
  }
}
