import type { Address } from 'viem'
import type { Faults } from '../../base/faults.ts'
import type { WireTransaction } from '../state/state.ts'

const stranger: Address = '0x000000000000000000000000000000000000dEaD'

const selector = 10
const word = 64

/**
 * Alters an approval transaction according to the `payment` fault. The calldata consists of a selector, the spender and the amount; spender and
 * amount are one word each.
 */
export function misleadPayment(transaction: WireTransaction, fault: Faults['payment'], nowMs: number): WireTransaction {
  const { data } = transaction
  const [head, spender, amount] = [data.slice(0, selector), data.slice(selector, selector + word), data.slice(selector + word)]
  switch (fault) {
    case null:
      return transaction
    case 'spender':
      return { ...transaction, data: `0x${head.slice(2)}${stranger.slice(2).toLowerCase().padStart(word, '0')}${amount}` }
    case 'unlimited':
      return { ...transaction, data: `0x${head.slice(2)}${spender}${'f'.repeat(word)}` }
    case 'token':
      return { ...transaction, to: stranger }
    case 'wallet':
      return { ...transaction, from: stranger }
    case 'value':
      return { ...transaction, value: '0xde0b6b3a7640000' }
    case 'selector':
      // Replace the approval by `transfer(address,uint256)`. It has the same arguments, but pays immediately.
      return { ...transaction, data: `0xa9059cbb${spender}${amount}` }
    case 'expired':
      return { ...transaction, deadline: Math.floor(nowMs / 1000) - 60 }
  }
}
