import { type Address, encodeFunctionData } from 'viem'
import { compare, signOf, toUnits } from '../../../../shared/decimal.ts'
import { type Clock, minute } from '../../../../shared/time.ts'
import { isDecimalText } from '../../base/money.ts'
import { type Ask, invalid, type Reply } from '../http/reply.ts'
import type { KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { Audit } from './audit-rows.ts'
import type { DeveloperAnswers } from './developer-answers.ts'

const approveAbi = [
  {
    type: 'function',
    name: 'approve',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const

/** The allowance, in USDC, to prepare if the request contains no amount. The API document shows neither this request nor its limits. */
const usualAmount = '10'
const largestAmount = '1000'
const transactionLifetime = 3 * minute

export interface ExecutionPayment {
  /**
   * Handles `POST …/execution-payment`. Prepares a transaction that allows the router to take an exact amount. The allowance exists only once the
   * wallet has sent the transaction.
   */
  prepare(ask: Ask, key: KeyRow): Reply
}

export function createExecutionPayment({
  store,
  audit,
  answers,
  clock,
  router,
  usdc,
}: {
  store: Store
  audit: Audit
  answers: DeveloperAnswers
  clock: Clock
  router: Address
  usdc: Address
}): ExecutionPayment {
  return {
    prepare: (ask, key) => {
      const { amount_usdc: amount = usualAmount } = ask.body
      const units = isDecimalText(amount) && signOf(amount) > 0 && compare(amount, largestAmount) <= 0 ? toUnits(amount, 6) : null
      if (units === null || typeof amount !== 'string')
        return invalid('amount_usdc', `must be a positive decimal string of at most ${largestAmount}, with at most 6 decimals`)
      audit.change('key.payment_prepared', { wallet: key.wallet, key, ip: ask.ip, requestId: ask.requestId })
      store.commit()
      return answers.payment(key, {
        amountUsdc: amount,
        spender: router,
        transaction: {
          kind: 'approval',
          from: key.wallet,
          to: usdc,
          data: encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [router, units] }),
          value: '0x0',
          deadline: Math.floor((clock.now() + transactionLifetime) / 1000),
        },
      })
    },
  }
}
