import { type Abi, type Address, encodeFunctionData } from 'viem'
import { fromUnits, toUnits } from '../../../../shared/decimal.ts'
import { routerArtifact, tokenArtifact } from '../../chain/contracts.ts'
import type { RouterEvent } from '../../chain/router-events.ts'
import { tokenDecimals } from '../actions/validate-collateral.ts'
import type { Book } from '../state/book.ts'
import type { Instruction } from '../state/instructions.ts'
import type { WireTransaction } from '../state/state.ts'

export interface Contracts {
  readonly router: Address
  readonly usdc: Address
  readonly svc: Address
}

interface Sending {
  readonly contracts: Contracts
  readonly wallet: Address
  readonly book: Book
  /** How much of the token the wallet still allows the router to transfer, in the token’s smallest units. */
  readonly allowance: bigint
  readonly deadline: number
}

const none = 0n
/** Converts decimal text to on-chain units. The text was validated earlier, so the conversion cannot fail. */
const units = (text: string | null | undefined, decimals: number): bigint => (text === null || text === undefined ? none : (toUnits(text, decimals) ?? none))
const price = (text: string | null | undefined): bigint => units(text, 8)
const unsigned = (text: string): string => text.replace(/^-/, '')

export function walletTransactions(instruction: Instruction, { contracts, wallet, book, allowance, deadline }: Sending): WireTransaction[] {
  const { router } = contracts
  const entry = (kind: WireTransaction['kind'], to: Address, abi: Abi, functionName: string, args: readonly unknown[]): WireTransaction => ({
    ...{ kind, from: wallet, to, data: encodeFunctionData({ abi, functionName, args }), value: '0x0', deadline },
  })
  const action = (functionName: string, ...args: unknown[]) => [entry('action', router, routerArtifact.abi, functionName, args)]
  switch (instruction.kind) {
    case 'exits': {
      const held = book.positions.find(({ id }) => id === instruction.positionId)
      const { take_profit: profit = held?.takeProfit, stop_loss: loss = held?.stopLoss } = instruction.exits
      return action('updateTpSl', instruction.positionId, price(profit), price(loss))
    }
    case 'margin': {
      const amount = units(unsigned(instruction.amount), 6)
      return action(instruction.amount.startsWith('-') ? 'reduceMargin' : 'addMargin', instruction.positionId, amount)
    }
    case 'leverage':
      return action('changeLeverage', instruction.positionId, BigInt(instruction.leverage))
    case 'cancel':
      return action('cancelOrder', instruction.orderId)
    case 'replace': {
      const { orderId, terms } = instruction
      const order = book.orders.find(({ id }) => id === orderId)
      const isStop = order?.orderType === 'stop'
      const { take_profit: profit = order?.takeProfit, stop_loss: loss = order?.stopLoss } = terms
      const limit = isStop ? none : price(terms.limit_price ?? order?.price)
      const trigger = isStop ? price(terms.trigger_price ?? order?.price) : none
      return action('replaceOrder', orderId, units(terms.order_value_usdc ?? order?.valueUsdc, 6), limit, trigger, price(profit), price(loss))
    }
    case 'collateral': {
      const { token, amount } = instruction
      const value = units(unsigned(amount), tokenDecimals[token])
      const contract = token === 'USDC' ? contracts.usdc : contracts.svc
      if (amount.startsWith('-')) return token === 'USDC' ? action('withdraw', value) : action('withdrawToken', contract, value)
      const approval = allowance >= value ? [] : [entry('approval', contract, tokenArtifact.abi, 'approve', [router, value])]
      return [...approval, ...(token === 'USDC' ? action('deposit', value) : action('depositToken', contract, value))]
    }
    case 'open':
    case 'increase':
    case 'close_market':
    case 'close_limit':
    case 'invert':
      return []
  }
}

/**
 * Returns the instruction that a wallet executed with its own transaction, as a router event shows it. Returns `null` if the event comes from a
 * signed intent or from an executor's command.
 */
export function instructionOf(event: RouterEvent, { usdc }: Contracts): Instruction | null {
  const priceText = (value: bigint) => (value === none ? null : fromUnits(value, 8))
  const moved = (token: Address, amount: bigint, sign: '' | '-'): Instruction => {
    const name = token.toLowerCase() === usdc.toLowerCase() ? 'USDC' : 'SVC'
    return { kind: 'collateral', token: name, amount: `${sign}${fromUnits(amount, tokenDecimals[name])}` }
  }
  switch (event.name) {
    case 'IntentAccepted':
    case 'CommandExecuted':
      return null
    case 'Deposited':
      return moved(event.args.token, event.args.amount, '')
    case 'Withdrawn':
      return moved(event.args.token, event.args.amount, '-')
    case 'TpSlUpdated': {
      const { positionId, takeProfit, stopLoss } = event.args
      return { kind: 'exits', positionId, exits: { take_profit: priceText(takeProfit), stop_loss: priceText(stopLoss) } }
    }
    case 'MarginAdded':
      return { kind: 'margin', positionId: event.args.positionId, amount: fromUnits(event.args.amount, 6) }
    case 'MarginReduced':
      return { kind: 'margin', positionId: event.args.positionId, amount: `-${fromUnits(event.args.amount, 6)}` }
    case 'LeverageChanged':
      return { kind: 'leverage', positionId: event.args.positionId, leverage: Number(event.args.leverage) }
    case 'OrderCancelled':
      return { kind: 'cancel', orderId: event.args.orderId }
    case 'OrderReplaced': {
      const { orderId, orderValue, limitPrice, triggerPrice, takeProfit, stopLoss } = event.args
      const terms = {
        ...(orderValue !== none && { order_value_usdc: fromUnits(orderValue, 6) }),
        ...(limitPrice !== none && { limit_price: fromUnits(limitPrice, 8) }),
        ...(triggerPrice !== none && { trigger_price: fromUnits(triggerPrice, 8) }),
        ...{ take_profit: priceText(takeProfit), stop_loss: priceText(stopLoss) },
      }
      return { kind: 'replace', orderId, terms }
    }
  }
}
