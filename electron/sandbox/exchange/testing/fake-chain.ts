import { type Address, getAddress, type Hex, hashTypedData, keccak256, recoverTypedDataAddress, toHex } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { intentFields } from '../../chain/intents.ts'
import type { RouterEvent } from '../../chain/router-events.ts'

type Fact = Pick<RouterEvent, 'name' | 'args'>

interface Transaction {
  readonly hash: Hex
  /** `trader nonce`, which the router takes once. */
  readonly nonces: readonly string[]
  readonly facts: readonly Fact[]
  readonly fails: boolean
}

/** A chain in memory. Blocks come only when a test mines them. */
export interface FakeChain extends Chain {
  mine(blocks?: number): Promise<void>
  /** Removes the newest blocks and mines as many empty ones; what they held is forgotten. */
  reorganise(depth: number): Promise<void>
  /** The next intent or command reverts on chain. */
  revertNext(): void
  /** While away, every call fails. */
  setAway(away: boolean): void
}

const router: Address = '0x4B1c000000000000000000000000000000000082'
const usdc: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const svc: Address = '0x4B1c000000000000000000000000000000000083'
const agent: Address = '0x4B1c000000000000000000000000000000000084'
const plenty = 10n ** 30n

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
  const take = (nonces: readonly string[], facts: readonly Fact[], isGood: boolean): Hex => {
    const used = new Set([...blocks.flat(), ...waiting].filter((each) => !each.fails).flatMap((each) => each.nonces))
    sent += 1
    const hash = keccak256(toHex(`transaction ${sent}`))
    waiting.push({ hash, nonces, facts, fails: fails || !isGood || nonces.some((nonce) => used.has(nonce)) })
    fails = false
    return hash
  }
  return {
    chainId: 8453,
    rpcUrl: 'http://127.0.0.1:1',
    router: getAddress(router.toLowerCase()),
    usdc,
    svc: getAddress(svc.toLowerCase()),
    blockNumber: async () => {
      present()
      return head()
    },
    submitIntent: async ({ primaryType, message }, signature) => {
      present()
      const data = {
        domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: getAddress(router.toLowerCase()) },
        types: { [primaryType]: intentFields[primaryType] },
        primaryType,
        message: { ...message },
      }
      const digest = hashTypedData(data)
      const signer = await recoverTypedDataAddress({ ...data, signature })
      const { trader, nonce } = message
      return take([`${trader} ${nonce}`], [{ name: 'IntentAccepted', args: { digest, trader, nonce } }], signer === trader)
    },
    submitPermit: async ({ owner, value }) => {
      present()
      return take([], [{ name: 'Deposited', args: { trader: owner, token: usdc, amount: value } }], true)
    },
    submitCommand: async ({ trader, commandId, items }) => {
      present()
      return take(
        items.map(({ nonce }) => `${trader} ${nonce}`),
        items.map(({ nonce }, item) => ({ name: 'CommandExecuted', args: { trader, agent, commandId, item: BigInt(item), nonce } })),
        true,
      )
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
    // Nobody sends transactions of a wallet's own here; tests of those have a real chain.
    sentTransaction: async () => null,
    routerEvents: async (fromBlock) => {
      present()
      return blocks.flatMap((block, number) =>
        BigInt(number) < fromBlock
          ? []
          : block
              .filter((each) => !each.fails)
              .flatMap(({ hash, facts }) => facts.map((fact, ordinal) => ({ ...fact, txHash: hash, blockNumber: BigInt(number), ordinal }) as RouterEvent)),
      )
    },
    onBlock: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    usdcOf: async () => 0n,
    holdings: async () => ({ wallet: plenty, router: plenty, allowance: 0n }),
    permitNonce: async () => 0n,
    credit: async () => '0x',
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
