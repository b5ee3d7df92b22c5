import { encodeEventTopics, erc20Abi, isAddress, isAddressEqual } from 'viem'
import { decodeCall } from '../../../shared/signing/transactions/router-calls.ts'
import type { WalletTransaction } from './transactions.ts'

/** One event as the node returns it. Comparisons ignore the case of addresses only. */
export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** An address as an event topic: 32 bytes. */
export const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const [approval] = encodeEventTopics({ abi: erc20Abi, eventName: 'Approval' })
const [transfer] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' })
const isWord = (data: string, value: unknown): boolean => typeof value === 'bigint' && data === `0x${value.toString(16).padStart(64, '0')}`
const same = (one: string, other: string): boolean => isAddress(one, { strict: false }) && isAddress(other, { strict: false }) && isAddressEqual(one, other)

/**
 * Whether an event proves that the call was executed for the wallet, whichever account sent it to the chain.
 * Two kinds of event are proof. One is the ERC-20 approval or transfer that the call asks for. The other is an event of the called contract that
 * names the wallet and contains exactly the call's arguments (assumption `routerEvents`).
 * `tokens` are the trusted tokens. Transfer events of other contracts don't count.
 */
export function isEffectOf({ from, to, data }: WalletTransaction, tokens: readonly string[], log: ChainLog): boolean {
  const wallet = topicOf(from)
  const [topic, first, second] = log.topics.map((each) => each.toLowerCase())
  const approved = decodeCall('token', data)
  if (approved !== null) {
    const argument = (name: string) => approved.leaves.find(({ path }) => path === name)?.value
    const [spender, amount] = [argument('spender'), argument('amount')]
    return same(log.address, to) && topic === approval && first === wallet && second === topicOf(String(spender)) && isWord(log.data, amount)
  }
  const call = decodeCall('router', data)
  const amount = call?.leaves.find(({ path }) => path === 'amount')?.value
  const moves = call?.name === 'deposit' || call?.name === 'depositToken' ? [wallet, topicOf(to)] : [topicOf(to), wallet]
  const isMovement = call !== null && /^(deposit|withdraw)(Token)?$/.test(call.name)
  if (isMovement && tokens.some((token) => same(token, log.address)))
    return topic === transfer && first === moves[0] && second === moves[1] && isWord(log.data, amount)
  return same(log.address, to) && (first === wallet || second === wallet) && log.data.toLowerCase() === `0x${data.slice(10).toLowerCase()}`
}
