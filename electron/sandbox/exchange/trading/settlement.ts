import { getAddress, type Hex } from 'viem'
import { compare, multiply, roundTo } from '../../../../shared/decimal.ts'
import { type Clock, minute } from '../../../../shared/time.ts'
import type { Chain, TransactionState } from '../../chain/chain.ts'
import type { RouterEvent } from '../../chain/router-events.ts'
import { type Market, marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import type { ExecutionRow, IntentRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { feeOn } from './fees.ts'
import { isWorse, sizeFor, slippageBound, takingPrice } from './fills.ts'

/** A transaction is final with 8 confirmations; reorganisations are looked for a good deal deeper. */
const finalAfter = 8
const watchedDepth = 128n
const watchedFor = 15 * minute

type IntentAccepted = Extract<RouterEvent, { name: 'IntentAccepted' }>['args'] & Pick<RouterEvent, 'txHash' | 'blockNumber'>

export interface Settlement {
  /** Brings what the exchange knows to what the chain says. One run at a time; a call while one runs asks for another after it. */
  run(): Promise<void>
  /** As `run`, unless the last run saw this head already. For reads that follow a block closely. */
  catchUp(): Promise<void>
}

/** Follows the router: what it accepted takes effect, what a reorganisation removed loses it. */
export function createSettlement({ chain, store, marks, clock }: { chain: Chain; store: Store; marks: Marks; clock: Clock }): Settlement {
  const { state } = store
  let seenHead = -1n
  let running: Promise<void> | null = null
  let again = false

  const settle = async () => {
    const head = await chain.blockNumber()
    const from = head > watchedDepth ? head - watchedDepth : 0n
    const accepted = (await chain.routerEvents(from)).flatMap((event) =>
      event.name === 'IntentAccepted' ? [{ ...event.args, txHash: event.txHash, blockNumber: event.blockNumber }] : [],
    )
    const tracked = await Promise.all(
      state.intents
        .filter((intent) => isWatched(intent))
        .map(async (intent) => ({ intent, tx: intent.txHash === null ? null : await chain.transaction(intent.txHash) })),
    )
    // Nothing is awaited from here on, so that no request sees half a block.
    let changed = takeBack(accepted, from)
    for (const each of accepted) changed = accept(each) || changed
    changed = fillResting() || changed
    for (const { intent, tx } of tracked) {
      const next = stateOf(tx, clock.now() >= intent.expiresAtMs)
      if (intent.state !== next) {
        intent.state = next
        changed = true
      }
    }
    seenHead = head
    if (changed) store.commit()
  }

  /** Final ones too for a while, since a reorganisation can reach deeper than finality. */
  const isWatched = (intent: IntentRow) => intent.txHash !== null && (intent.state === 'submitted' || clock.now() - intent.createdAtMs < watchedFor)

  const takeBack = (accepted: readonly IntentAccepted[], from: bigint): boolean => {
    const standing = new Set<Hex>(accepted.map(({ digest }) => digest))
    const kept = state.executions.filter((row) => BigInt(row.blockNumber) < from || standing.has(row.digest))
    if (kept.length === state.executions.length) return false
    state.executions = kept
    return true
  }

  const accept = (event: IntentAccepted): boolean => {
    const known = state.executions.find((row) => row.digest === event.digest)
    if (known !== undefined) {
      const moved = known.blockNumber !== event.blockNumber.toString() || known.txHash !== event.txHash
      known.blockNumber = event.blockNumber.toString()
      known.txHash = event.txHash
      return moved
    }
    const intent = state.intents.find((row) => row.wallet === getAddress(event.trader) && row.nonce === event.nonce.toString())
    const market = intent === undefined ? null : marketOf(intent.payload.pair_id)
    if (intent === undefined || market === null) return false
    // A relay that died between sending and noting the hash is caught up with here.
    intent.txHash ??= event.txHash
    if (intent.state === 'prepared') intent.state = 'submitted'
    state.executions.push({
      intentId: intent.id,
      sequence: nextSequence(),
      wallet: intent.wallet,
      digest: event.digest,
      txHash: event.txHash,
      blockNumber: event.blockNumber.toString(),
      acceptedAtMs: clock.now(),
      ...firstOutcome(intent, market),
    })
    return true
  }

  const nextSequence = () => {
    state.sequence += 1
    return state.sequence
  }

  const filled = (intent: IntentRow, market: Market, price: string): Pick<ExecutionRow, 'status' | 'restingPrice' | 'fill'> => {
    const size = sizeFor(market, intent.payload.order_value_usdc, price)
    const feeUsdc = feeOn(multiply(size, price))
    return {
      status: 'filled',
      restingPrice: null,
      fill: { price, size, feeUsdc, atMs: clock.now(), sequence: nextSequence() },
    }
  }

  const firstOutcome = (intent: IntentRow, market: Market): Pick<ExecutionRow, 'status' | 'restingPrice' | 'fill'> => {
    const { payload } = intent
    const mark = marks.mark(market)
    const taking = takingPrice(market, payload.side, mark, payload.order_value_usdc, payload.max_slippage_bps ?? null)
    const resting = (price: string) => ({ status: 'open' as const, restingPrice: price, fill: null })
    const cancelled = { status: 'cancelled' as const, restingPrice: null, fill: null }
    switch (payload.order_type) {
      case 'market': {
        const bound = slippageBound(payload)
        if (bound === null || !isWorse(payload.side, taking, bound)) return filled(intent, market, taking)
        return payload.rest_if_unfilled === true ? resting(roundTo(bound, 8, 'down')) : cancelled
      }
      case 'limit': {
        const limit = payload.limit_price ?? '0'
        const marketable = !isWorse(payload.side, mark, limit)
        if (marketable) return payload.post_only === true ? cancelled : filled(intent, market, isWorse(payload.side, taking, limit) ? limit : taking)
        return payload.time_in_force === 'gtc' ? resting(limit) : cancelled
      }
      case 'stop':
        return resting(payload.trigger_price ?? '0')
    }
  }

  const fillResting = (): boolean => {
    let changed = false
    for (const row of state.executions) {
      if (row.status !== 'open' || row.restingPrice === null) continue
      const intent = state.intents.find((each) => each.id === row.intentId)
      const market = intent === undefined ? null : marketOf(intent.payload.pair_id)
      if (intent === undefined || market === null) continue
      const { side, order_type: type } = intent.payload
      const mark = marks.mark(market)
      const price = row.restingPrice
      // A limit order waits for a price no worse than its own, a stop order for one at least as far in the other direction.
      const reached = type === 'stop' ? compare(mark, price) !== (side === 'long' ? -1 : 1) : !isWorse(side, mark, price)
      if (!reached) continue
      Object.assign(row, filled(intent, market, type === 'stop' ? takingPrice(market, side, mark, intent.payload.order_value_usdc, null) : price))
      changed = true
    }
    return changed
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

function stateOf(transaction: TransactionState | null, overdue: boolean): IntentRow['state'] {
  if (transaction === null) return overdue ? 'expired' : 'submitted'
  if (transaction.status === 'reverted') return 'reverted'
  return transaction.status === 'success' && transaction.confirmations >= finalAfter ? 'confirmed' : 'submitted'
}
