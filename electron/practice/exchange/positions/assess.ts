import type { Address } from 'viem'
import { divide, maximum, subtract } from '../../../../shared/decimal.ts'
import { fixed, sum } from '../../base/money.ts'
import { marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { Book } from '../state/book.ts'
import type { Change } from '../state/changes.ts'
import type { Instruction } from '../state/instructions.ts'
import type { Costs, ExecutionStatus } from '../state/state.ts'
import { type Acting, carryOut } from './carry-out.ts'
import { networkCostUsdc } from './fees.ts'
import type { Ledger } from './ledger.ts'
import { type AccountStatus, accountStatus, liquidationPriceOf, writtenHealth } from './margin.ts'

export interface Assessment {
  /** Why the exchange cannot execute the instruction now; null if it can. */
  readonly reason: string | null
  readonly simulation: Readonly<Record<string, string | null>>
  readonly costs: Costs
  readonly after: AccountStatus
}

/** Simulates an instruction on the wallet's current account state. Changes nothing. */
export type Assess = (wallet: Address, instruction: Instruction, options: { readonly relayed: boolean; readonly nowMs: number }) => Assessment

const placing = { nonce: 'simulation', intentId: null, clientOrderId: null, createdAtMs: 0 }

export function createAssess({ ledger, marks }: { ledger: Ledger; marks: Marks }): Assess {
  return (wallet, instruction, { relayed, nowMs }) => {
    const book = ledger.book(wallet)
    const network = relayed ? networkCostUsdc : '0'
    const charged: Change = { kind: 'charged', usdc: network }
    const after = (changes: readonly Change[]): Book => ledger.simulate(book, wallet, [charged, ...changes])
    const acting: Acting = { book, marks, nowMs, placing, asIfFilled: true, after }
    const outcome = carryOut(instruction, acting)
    const shown = outcome.ok ? outcome : carryOut(instruction, { ...acting, uncovered: true })
    const changes = shown.ok ? shown.value : []
    const fee = sum(changes.flatMap((change) => (change.kind === 'filled' ? [change.feeUsdc] : [])))
    const [before, then] = [accountStatus(book, marks), accountStatus(after(changes), marks)]
    return {
      reason: outcome.ok ? null : outcome.failure,
      simulation: {
        ...prices(instruction, changes, then),
        margin_required_usdc: marginRequired(instruction, before, then),
        margin_used_before_pct: fixed(before.marginUsedPct, 2),
        margin_used_after_pct: fixed(then.marginUsedPct, 2),
        health_before: writtenHealth(before.health),
        health_after: writtenHealth(then.health),
        fee_usdc: fee,
      },
      costs: { network_usdc: network, trading_fee_usdc: fee, charged_from: relayed ? 'dex_collateral' : 'wallet' },
      after: then,
    }
  }
}

function prices(instruction: Instruction, changes: readonly Change[], then: AccountStatus): Record<'entry_price' | 'liquidation_price', string | null> {
  const order = changes.flatMap((change) => (change.kind === 'placed' ? [change.order] : []))[0]
  const entry = changes.flatMap((change) => (change.kind === 'filled' ? [change.price] : []))[0]
  const standing = then.each.find(({ position }) =>
    order === undefined
      ? 'positionId' in instruction && position.id === instruction.positionId
      : position.pairId === order.pairId && position.marginMode === order.marginMode,
  )
  const market = standing?.market ?? (order === undefined ? null : marketOf(order.pairId))
  const liquidation = standing === undefined ? null : liquidationPriceOf(standing, then)
  const written = (price: string | null | undefined) => (price === null || price === undefined || market === null ? null : fixed(price, market.priceDecimals))
  return { entry_price: written(entry), liquidation_price: written(liquidation) }
}

/** For an order: the margin that the order's value needs at the order's leverage. For any other instruction: the increase of the margin in use. */
function marginRequired(instruction: Instruction, before: AccountStatus, then: AccountStatus): string {
  if (instruction.kind !== 'open') return fixed(maximum('0', subtract(then.marginUsed, before.marginUsed)), 6)
  const { order_value_usdc: value, leverage } = instruction.payload
  return divide(value, leverage.toString(), 6, 'up')
}

/**
 * Returns the status to report for an instruction. It is `whenReady` if `reason` is null, `contract_pending` if the market has no contract yet, and
 * `preflight_failed` for any other reason.
 */
export const statusOf = (reason: string | null, whenReady: ExecutionStatus): ExecutionStatus =>
  reason === null ? whenReady : reason === 'market_contract_pending' ? 'contract_pending' : 'preflight_failed'
