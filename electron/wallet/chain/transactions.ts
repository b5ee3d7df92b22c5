import { decodeErrorResult, encodeFunctionData, type Hex, isAddress, isHex, numberToHex, parseAbi, serializeTransaction, toEventSelector } from 'viem'
import { base } from 'viem/chains'
import { z } from 'zod'
import type { SendingEvidence } from '../../../shared/ipc/intents/orders.ts'
import type { WalletTransaction } from '../../../shared/ipc/intents/signing.ts'
import { decodeCall } from '../../../shared/signing/transactions/router-calls.ts'
import { readTokenDomain, type TokenDomain } from './balances.ts'
import { createRpc, type PostJson, type RpcOutcome } from './rpc.ts'

export type Observation =
  | { readonly state: 'mined'; readonly succeeded: boolean; readonly confirmations: number; readonly transaction: WalletTransaction | null }
  | { readonly state: 'pending'; readonly transaction: WalletTransaction }
  /** The chain doesn't know the hash: never sent, dropped, or removed by a reorganisation. */
  | { readonly state: 'unseen' }

/** Transactions by which other accounts executed the wallet's call, proven by events in blocks up to `upTo`. */
type Effects = Omit<SendingEvidence, 'over'> & { readonly head: number }

export type ChainTransactions = ReturnType<typeof createChainTransactions>

const HexText = z.string().refine((value): value is Hex => isHex(value))
const Quantity = HexText.transform((value) => BigInt(value))
const Transaction = z.object({
  hash: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  input: z.string(),
  value: z.string(),
  nonce: Quantity,
})
const Receipt = z.object({ blockNumber: Quantity, status: Quantity })
const Block = z.object({ transactions: z.array(Transaction) })
const Logs = z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string(), transactionHash: z.string() }))

/** The most blocks to search one by one. They cover more time than the lifetime of a request to the phone. */
const longestWalk = 400
/**
 * How many blocks of events to request per read; public RPCs allow this many. With the maximum number of reads, one search covers more than five
 * hours of Base.
 */
const eventBlocks = 1_000
const mostEventReads = 10
/** The most transactions of one wallet to check. No user sends more transactions by hand while one request is valid. */
const mostNonces = 32
const feeMargin = { of: 6n, in: 5n }
/**
 * The address of the contract GasPriceOracle, which returns the charge for a transaction's data. Every OP Stack chain has it at this address (OP
 * Stack predeploys).
 */
const gasPriceOracle = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256 fee)'])
const permitAbi = parseAbi(['function nonces(address owner) view returns (uint256 nonce)'])

/** Serialises the unsigned transaction to estimate its data fee, which depends on the number of bytes. The nonce is a placeholder of usual length. */
function unsigned({ to, data, value }: WalletTransaction, gas: bigint, price: bigint): Hex | null {
  if (!isAddress(to, { strict: false }) || !isHex(data)) return null
  return serializeTransaction({
    type: 'eip1559',
    chainId: base.id,
    nonce: 0xffff,
    gas,
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    to,
    data,
    value: weiOf(value) ?? 0n,
  })
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const weiOf = (value: string): bigint | null => (isHex(value) && value !== '0x' ? BigInt(value) : null)

/** Whether `a` and `b` are the same transaction. Ignores gas and nonce, because the wallet chooses these. */
export const sameTransaction = (a: WalletTransaction, b: WalletTransaction): boolean =>
  same(a.from, b.from) && same(a.to, b.to) && same(a.data, b.data) && weiOf(a.value) === weiOf(b.value)

const sent = ({ from, to, input, value }: z.output<typeof Transaction>): WalletTransaction => ({ from, to: to ?? '', data: input, value })

/** Reads the chain for transactions that a wallet broadcasts. Each result is null if the RPC didn't answer. */
export function createChainTransactions({ rpcUrl, post }: { readonly rpcUrl: () => Promise<string>; readonly post: PostJson }) {
  const rpc = createRpc({ rpcUrl, post })

  const ask = async (method: string, params: readonly unknown[]): Promise<RpcOutcome | null> => {
    const answer = await rpc(method, params)
    return answer.ok ? answer.value : null
  }
  /** Makes one RPC call and parses the result; null if the RPC didn't answer or answered with an error. */
  const read = async <T>(schema: z.ZodType<T>, method: string, params: readonly unknown[]): Promise<T | null> => {
    const answer = await ask(method, params)
    const parsed = answer === null || answer.error !== null ? null : schema.safeParse(answer.result)
    return parsed?.success === true ? parsed.data : null
  }
  const count = (wallet: string, at: string): Promise<bigint | null> => read(Quantity, 'eth_getTransactionCount', [wallet, at])
  const head = (): Promise<bigint | null> => read(Quantity, 'eth_blockNumber', [])
  const blockAt = (number: bigint) => read(Block, 'eth_getBlockByNumber', [numberToHex(number), true])

  /** Finds the first block after which the wallet had sent more than `nonce` transactions; null if the RPC no longer stores that block's state. */
  const blockOf = async (wallet: string, nonce: bigint, from: bigint, to: bigint): Promise<bigint | null> => {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = (low + high) / 2n
      const then = await count(wallet, numberToHex(middle))
      if (then === null) return null
      if (then > nonce) high = middle
      else low = middle + 1n
    }
    return low
  }

  /** The charge for the transaction's data: 0 on a chain without such a charge, null if unknown. */
  const dataFeeOf = async (transaction: WalletTransaction, units: bigint, price: bigint): Promise<bigint | null> => {
    const bytes = unsigned(transaction, units, price)
    if (bytes === null) return null
    const data = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1Fee', args: [bytes] })
    const fee = await read(HexText, 'eth_call', [{ to: gasPriceOracle, data }, 'latest'])
    return fee === null ? null : fee === '0x' ? 0n : BigInt(fee)
  }

  /** The blocks that may contain the wallet's transactions from `nonce` up to `done`. These are all blocks if the RPC doesn't store past states. */
  async function* blocksWith(wallet: string, nonce: bigint, done: bigint, first: bigint, last: bigint) {
    let from = first
    for (let at = nonce; at < done && at < nonce + BigInt(mostNonces); at += 1n) {
      const number = await blockOf(wallet, at, from, last)
      if (number === null) {
        for (let each = first; each <= last && each < first + BigInt(longestWalk); each += 1n) yield each
        return
      }
      yield number
      from = number
    }
  }

  return {
    /** Simulates the transaction. `skipped`: the app ran no simulation, because the RPC didn't answer. */
    simulate: async (transaction: WalletTransaction) => {
      const answer = await ask('eth_call', [transaction, 'latest'])
      if (answer === null) return { outcome: 'skipped', reason: null } as const
      return answer.error === null ? ({ outcome: 'works', reason: null } as const) : ({ outcome: 'reverts', reason: revertReason(answer.error) } as const)
    },
    /** The cost at current fees plus 20%: gas, and Base's charge for the transaction data. */
    gas: async (transaction: WalletTransaction) => {
      const [units, price, balanceWei] = await Promise.all([
        read(Quantity, 'eth_estimateGas', [transaction]),
        read(Quantity, 'eth_gasPrice', []),
        read(Quantity, 'eth_getBalance', [transaction.from, 'latest']),
      ])
      if (units === null || price === null || balanceWei === null) return null
      const dataFee = await dataFeeOf(transaction, units, price)
      return dataFee === null ? null : { units, costWei: ((units * price + dataFee) * feeMargin.of) / feeMargin.in, balanceWei }
    },
    /** The number of transactions that the wallet has sent on the chain. */
    nonce: async (wallet: string): Promise<number | null> => {
      const nonce = await count(wallet, 'latest')
      return nonce === null ? null : Number(nonce)
    },
    /** The nonce for the owner's next EIP-2612 permit. */
    permitNonce: async (token: string, owner: string): Promise<bigint | null> => {
      if (!isAddress(owner, { strict: false })) return null
      const data = encodeFunctionData({ abi: permitAbi, functionName: 'nonces', args: [owner] })
      const word = await read(HexText, 'eth_call', [{ to: token, data }, 'latest'])
      // Without such a function, the contract doesn't return a 32-byte word. The fee is then unknown.
      return word === null || word.length !== 66 ? null : BigInt(word)
    },
    /** The signing domain of the token's permits, as the token itself states it. */
    permitDomain: (token: string): Promise<TokenDomain | null> => readTokenDomain((to, data) => read(HexText, 'eth_call', [{ to, data }, 'latest']), token),
    look: async (hash: string): Promise<Observation | null> => {
      const [receipt, known, now] = await Promise.all([ask('eth_getTransactionReceipt', [hash]), ask('eth_getTransactionByHash', [hash]), head()])
      if (receipt === null || receipt.error !== null || known === null || known.error !== null || now === null) return null
      const transaction = Transaction.safeParse(known.result)
      const mined = Receipt.safeParse(receipt.result)
      if (mined.success) {
        const { blockNumber, status } = mined.data
        return {
          state: 'mined',
          succeeded: status === 1n,
          // The block that contains the transaction counts as the first confirmation.
          confirmations: Math.max(1, Number(now - blockNumber) + 1),
          transaction: transaction.success ? sent(transaction.data) : null,
        }
      }
      return transaction.success ? { state: 'pending', transaction: sent(transaction.data) } : { state: 'unseen' }
    },
    /**
     * Searches for the transaction from block `fromBlock` on, skipping the wallet's first `nonce` transactions. `not_found`: the search found no such
     * transaction. `head`: the number of the newest block. `wallet`: what else the wallet has sent since the start of the search. `still`: nothing.
     * `moved`: other transactions. `pending`: a transaction that is not in a block yet.
     */
    find: async (wanted: WalletTransaction, { nonce, fromBlock }: { readonly nonce: number; readonly fromBlock: number }) => {
      const [now, done, waiting] = await Promise.all([head(), count(wanted.from, 'latest'), count(wanted.from, 'pending')])
      if (now === null || done === null) return null
      const isPending = waiting !== null && waiting > done
      if (done <= BigInt(nonce)) return { state: 'not_found', head: Number(now), wallet: isPending ? 'pending' : 'still' } as const
      for await (const number of blocksWith(wanted.from, BigInt(nonce), done, BigInt(fromBlock), now)) {
        const block = await blockAt(number)
        if (block === null) return null
        const match = block.transactions.find((one) => sameTransaction(sent(one), wanted))
        if (match !== undefined) return { state: 'found', hash: match.hash } as const
      }
      return { state: 'not_found', head: Number(now), wallet: isPending ? 'pending' : 'moved' } as const
    },
    /**
     * Searches for the call's effect after block `fromBlock`, in events of the called contract and of `tokens`. Needed for a contract wallet,
     * because another account sends its calls to the chain.
     */
    effects: async (
      wanted: WalletTransaction,
      { fromBlock, tokens }: { readonly fromBlock: number; readonly tokens: readonly string[] },
    ): Promise<Effects | null> => {
      const now = await head()
      if (now === null) return null
      const hashes = new Set<string>()
      let from = BigInt(fromBlock) + 1n
      for (let reads = 0; from <= now && reads < mostEventReads; reads += 1) {
        const last = from + BigInt(eventBlocks) - 1n
        const to = last < now ? last : now
        const logs = await logsOf(wanted.from, [...new Set([wanted.to, ...tokens])], from, to)
        if (logs === null) return null
        for (const log of logs) if (isEffectOf(wanted, tokens, log)) hashes.add(log.transactionHash)
        from = to + 1n
      }
      return { hashes: [...hashes], fromBlock, upTo: Number(from) - 1, head: Number(now) }
    },
  }

  /** Reads the contracts' events that contain the wallet as first topic (the account concerned) or second topic (the recipient). */
  async function logsOf(wallet: string, address: readonly string[], from: bigint, to: bigint) {
    const range = { address, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
    const [first, second] = await Promise.all([
      read(Logs, 'eth_getLogs', [{ ...range, topics: [null, topicOf(wallet)] }]),
      read(Logs, 'eth_getLogs', [{ ...range, topics: [null, null, topicOf(wallet)] }]),
    ])
    return first === null || second === null ? null : [...first, ...second]
  }
}

const errorString = parseAbi(['error Error(string reason)'])

/** Why a call reverted: the contract's own message, or the node's message if the contract returned none. */
function revertReason({ message, data }: NonNullable<RpcOutcome['error']>): string {
  if (typeof data === 'string' && isHex(data)) {
    try {
      return decodeErrorResult({ abi: errorString, data }).args[0]
    } catch {
      // The contract returned a custom error, which has no message. So return the node's message.
    }
  }
  return message
}

/** One event as the node returns it. Comparisons ignore the case of addresses only. */
export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const approval = toEventSelector('Approval(address,address,uint256)')
const transfer = toEventSelector('Transfer(address,address,uint256)')
const isWord = (data: string, value: unknown): boolean => typeof value === 'bigint' && data === `0x${value.toString(16).padStart(64, '0')}`

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
