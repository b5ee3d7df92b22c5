import { type Address, getAddress, type Hex, hashTypedData, keccak256, recoverTypedDataAddress, toHex } from 'viem'
import type { Chain, IntentAccepted, OpenPositionMessage } from '../../chain/chain.ts'
import { openPositionFields } from '../../chain/open-position.ts'

interface Transaction {
  readonly hash: Hex
  readonly message: OpenPositionMessage
  readonly digest: Hex
  readonly fails: boolean
}

/** A chain in memory. Blocks come only when a test mines them. */
export interface FakeChain extends Chain {
  mine(blocks?: number): Promise<void>
  /** Removes the newest blocks and mines as many empty ones; what they held is forgotten. */
  reorganise(depth: number): Promise<void>
  /** The next intent reverts on chain. */
  revertNext(): void
  /** While away, every call fails. */
  setAway(away: boolean): void
}

const router: Address = '0x4B1c000000000000000000000000000000000082'
const usdc: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export function createFakeChain(): FakeChain {
  let blocks: Transaction[][] = [[]]
  let waiting: Transaction[] = []
  let sent = 0
  let fails = false
  let isAway = false
  const listeners = new Set<(head: bigint) => void>()
  const head = () => BigInt(blocks.length - 1)
  const present = () => {
    if (isAway) throw new Error('The chain is away')
  }
  const tell = () => {
    for (const listener of listeners) listener(head())
  }
  return {
    chainId: 8453,
    rpcUrl: 'http://127.0.0.1:1',
    router: getAddress(router.toLowerCase()),
    usdc,
    blockNumber: async () => {
      present()
      return head()
    },
    submitIntent: async (message, signature) => {
      present()
      const data = {
        domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: getAddress(router.toLowerCase()) },
        types: { OpenPosition: openPositionFields },
        primaryType: 'OpenPosition',
        message,
      } as const
      const digest = hashTypedData(data)
      const used = [...blocks.flat(), ...waiting].some((each) => each.message.trader === message.trader && each.message.nonce === message.nonce)
      const signer = await recoverTypedDataAddress({ ...data, signature })
      sent += 1
      const hash = keccak256(toHex(`transaction ${sent} ${digest}`))
      waiting.push({ hash, message, digest, fails: fails || used || signer !== message.trader })
      fails = false
      return hash
    },
    transaction: async (hash) => {
      present()
      const at = blocks.findIndex((block) => block.some((each) => each.hash === hash))
      if (at >= 0) {
        const failed = blocks[at]?.some((each) => each.hash === hash && each.fails) ?? false
        return { status: failed ? 'reverted' : 'success', blockNumber: BigInt(at), confirmations: blocks.length - at }
      }
      return waiting.some((each) => each.hash === hash) ? { status: 'pending', blockNumber: null, confirmations: 0 } : null
    },
    acceptedIntents: async (fromBlock) => {
      present()
      return blocks.flatMap((block, number): IntentAccepted[] =>
        BigInt(number) < fromBlock
          ? []
          : block
              .filter((each) => !each.fails)
              .map(({ digest, hash, message }) => ({ digest, trader: message.trader, nonce: message.nonce, txHash: hash, blockNumber: BigInt(number) })),
      )
    },
    onBlock: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    usdcOf: async () => 0n,
    fund: async () => {},
    stop: async () => {},
    mine: async (count = 1) => {
      for (let block = 0; block < count; block += 1) {
        blocks.push(waiting)
        waiting = []
      }
      tell()
    },
    reorganise: async (depth) => {
      blocks = [...blocks.slice(0, -depth), ...Array.from({ length: depth }, () => [])]
      tell()
    },
    revertNext: () => {
      fails = true
    },
    setAway: (away) => {
      isAway = away
    },
  }
}
