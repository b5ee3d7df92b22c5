import { encodeEventTopics, erc20Abi, isAddress, isAddressEqual } from 'viem'
import { decodeCall } from '../../../shared/signing/transactions/router-calls.ts'
import type { WalletTransaction } from './transactions.ts'

/** One event as the node gives it; all but the addresses' case is compared as it is. */
export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** An address as a topic has it: 32 bytes. */
export const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const [approval] = encodeEventTopics({ abi: erc20Abi, eventName: 'Approval' })
const [transfer] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' })
const isWord = (data: string, value: unknown): boolean => typeof value === 'bigint' && data === `0x${value.toString(16).padStart(64, '0')}`
const same = (one: string, other: string): boolean => isAddress(one, { strict: false }) && isAddress(other, { strict: false }) && isAddressEqual(one, other)

/**
 * Whether an event says that the call was carried out for the wallet, whoever sent it to the chain: the approval or the movement of tokens that it
 * asks for, as ERC-20 tells them, or an event of the called contract that names the wallet and carries exactly the call's arguments
 * (`routerEvents` of the assumptions). `tokens` are the pinned ones: what another contract says of a transfer counts for nothing.
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
