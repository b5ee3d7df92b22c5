import {
  type Address,
  concat,
  domainSeparator,
  getAddress,
  type Hex,
  hashTypedData,
  isAddressEqual,
  keccak256,
  recoverAddress,
  recoverTypedDataAddress,
  toHex,
} from 'viem'
import type { Chain } from '../../../electron/practice/chain/practice-chain.ts'
import type { RouterEvent } from '../../../electron/practice/chain/router-events.ts'
import { intentFields } from '../../../electron/practice/chain/router-intents.ts'
import { createTaughtCalls } from './taught-calls.ts'
import { type Allowance, effectOf, type Fact, type WalletCall } from './wallet-calls.ts'

interface Transaction {
  readonly hash: Hex
  /** The nonces that the transaction uses, each as text `trader nonce`. The router contract accepts each of them only once. */
  readonly nonces: readonly string[]
  readonly facts: readonly Fact[]
  readonly fails: boolean
  /** Whether the transaction reverts in every block. Other simulated failures happen only in one block that a test chose. */
  readonly isBad: boolean
  /** The call and the wallet’s own nonce, if a wallet sent the transaction itself; `null` if the exchange sent the transaction. */
  readonly own: (WalletCall & { readonly nonce: number }) | null
  readonly allows: Allowance | null
}

/** A transaction as a node reports it. `block` and `succeeded` are `null` until the transaction is mined. */
export interface SeenTransaction extends WalletCall {
  readonly hash: Hex
  readonly nonce: number
  readonly block: number | null
  readonly succeeded: boolean | null
}

/** An in-memory chain. It mines a block only when a test asks. */
export interface FakeChain extends Chain {
  mine(blocks?: number): Promise<void>
  /** Replaces the newest `depth` blocks with empty ones. The removed transactions are lost (`forgotten`) or mined again later (`waits`). */
  reorganise(depth: number, held?: 'forgotten' | 'waits'): Promise<void>
  /** Makes the next transaction revert in the first block that contains it. Later blocks are not affected. */
  revertNext(): void
  /** Makes every call to the chain fail. `for sending`: only transactions of the exchange fail. */
  setAway(away: boolean | 'for sending'): void
  /** Broadcasts a transaction from a wallet. A transaction with the same nonce that is not mined yet is replaced. */
  broadcast(call: WalletCall, nonce?: number): Hex
  /** Makes every node forget a transaction that is not mined yet. */
  drop(hash: Hex): void
  /** Number of a wallet’s transactions in the blocks up to `until`. `pending` also counts transactions that are not mined yet. */
  sentBy(wallet: Address, until: number | 'latest' | 'pending'): number
  /** A transaction of a wallet; `null` if the chain does not know it. */
  seen(hash: Hex): SeenTransaction | null
  inBlock(number: number): readonly SeenTransaction[]
  /** Whether a call would succeed now. */
  works(call: WalletCall): boolean
  /** The hashes of all mined transactions that did not revert, in chain order. */
  carriedOut(): readonly Hex[]
}

const router: Address = getAddress('0x4b1c000000000000000000000000000000000082')
const usdc: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const svc: Address = getAddress('0x4b1c000000000000000000000000000000000083')
const agent: Address = '0x4B1c000000000000000000000000000000000084'
/** Initial balance of each wallet and of the router contract, for each token, in the token’s smallest unit. */
const plenty = 10n ** 30n

export function createFakeChain(): FakeChain {
  let blocks: Transaction[][] = [[]]
  let waiting: Transaction[] = []
  let sent = 0
  let fails = false
  let isAway: boolean | 'for sending' = false
  const taught = createTaughtCalls()
  const listeners = new Set<(head: bigint) => void>()
  const head = () => BigInt(blocks.length - 1)
  const present = () => {
    if (isAway === true) throw new Error('The chain is away')
  }
  const takes = () => {
    if (isAway !== false) throw new Error('The chain takes nothing')
  }
  const tell = () => {
    for (const listener of listeners) listener(head())
  }
  const add = (transaction: Pick<Transaction, 'nonces' | 'facts' | 'isBad' | 'own'>): Hex => {
    sent += 1
    const hash = keccak256(toHex(`transaction ${sent}`))
    waiting.push({ hash, allows: null, ...transaction, fails: fails || transaction.isBad })
    fails = false
    return hash
  }
  const take = (nonces: readonly string[], facts: readonly Fact[], isGood: boolean): Hex => {
    const used = new Set([...blocks.flat(), ...waiting].filter((each) => !each.fails).flatMap((each) => each.nonces))
    return add({ nonces, facts, isBad: !isGood || nonces.some((nonce) => used.has(nonce)), own: null })
  }
  const standing = () => blocks.flat().filter((each) => !each.fails)
  const holding = (token: Address, owner: Address) => {
    let [wallet, allowance] = [plenty, 0n]
    for (const { facts, allows, own } of standing()) {
      if (allows !== null && isAddressEqual(allows.owner, owner) && isAddressEqual(allows.token, token)) allowance = allows.amount
      for (const { name, args } of facts) {
        if ((name !== 'Deposited' && name !== 'Withdrawn') || !('token' in args)) continue
        if (!isAddressEqual(args.trader, owner) || !isAddressEqual(args.token, token)) continue
        wallet += name === 'Deposited' ? -args.amount : args.amount
        if (name === 'Deposited' && own !== null) allowance -= args.amount
      }
    }
    return { wallet, allowance }
  }
  const effect = (call: WalletCall) =>
    effectOf({ ...call, data: isAddressEqual(call.to, router) ? taught.own(call.data) : call.data }, { router, usdc, svc, holding })
  const isOf = (wallet: Address) => (each: Transaction) => each.own !== null && isAddressEqual(each.own.from, wallet)
  const sentBy: FakeChain['sentBy'] = (wallet, until) => {
    const mined = blocks.slice(0, typeof until === 'number' ? until + 1 : blocks.length).flat()
    return [...mined, ...(until === 'pending' ? waiting : [])].filter(isOf(wallet)).length
  }
  const shown = ({ hash, own, fails: failed }: Transaction, block: number | null): SeenTransaction[] =>
    own === null ? [] : [{ ...own, hash, block, succeeded: block === null ? null : !failed }]
  const mineOne = () => {
    const all = waiting
    const block: Transaction[] = []
    blocks.push(block)
    waiting = []
    for (const each of all) {
      // A wallet’s transaction takes effect only when mined. If its nonce is not the wallet’s next one, the transaction is dropped. (A real node
      // would keep it until the missing nonces arrive.)
      if (each.own === null) block.push(each)
      else if (each.own.nonce === sentBy(each.own.from, 'latest')) {
        const done = each.fails ? null : effect(each.own)
        block.push({ ...each, fails: done === null, facts: done?.facts ?? [], allows: done?.allows ?? null })
      }
    }
  }
  return {
    chainId: 8453,
    rpcUrl: 'http://127.0.0.1:1',
    router,
    usdc,
    svc,
    blockNumber: async () => {
      present()
      return head()
    },
    submitIntent: async ({ primaryType, message }, signature) => {
      takes()
      const data = {
        domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router },
        types: { [primaryType]: intentFields[primaryType] },
        primaryType,
        message: { ...message },
      }
      const digest = hashTypedData(data)
      const signer = await recoverTypedDataAddress({ ...data, signature })
      const { trader, nonce } = message
      return take([`${trader} ${nonce}`], [{ name: 'IntentAccepted', args: { digest, trader, nonce } }], signer === trader)
    },
    submitForeignIntent: async ({ structHash, trader, nonce }, signature) => {
      takes()
      const domain = domainSeparator({ domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router } })
      const digest = keccak256(concat(['0x1901', domain, structHash]))
      const signer = await recoverAddress({ hash: digest, signature })
      return take([`${trader} ${nonce}`], [{ name: 'IntentAccepted', args: { digest, trader, nonce } }], signer === trader)
    },
    teach: async (calls) => taught.teach(calls),
    submitPermit: async ({ owner, value }) => {
      takes()
      return take([], [{ name: 'Deposited', args: { trader: owner, token: usdc, amount: value } }], true)
    },
    submitCommand: async ({ trader, commandId, items }) => {
      takes()
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
    sentTransaction: async (hash) => [...blocks.flat(), ...waiting].find((each) => each.hash === hash)?.own ?? null,
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
    usdcOf: async (owner) => holding(usdc, owner).wallet,
    holdings: async (token, owner) => ({ ...holding(token, owner), router: plenty }),
    permitNonce: async () => 0n,
    credit: async () => '0x',
    fund: async () => {},
    stop: async () => {},
    mine: async (count = 1) => {
      for (let block = 0; block < count; block += 1) mineOne()
      tell()
    },
    reorganise: async (depth, held = 'forgotten') => {
      const removed = blocks.slice(-depth).flatMap((block) => block.map((each) => ({ ...each, fails: each.isBad })))
      blocks = [...blocks.slice(0, -depth), ...Array.from({ length: depth }, () => [])]
      if (held === 'waits') waiting = [...removed, ...waiting]
      tell()
    },
    revertNext: () => {
      fails = true
    },
    setAway: (away) => {
      isAway = away
    },
    broadcast: (call, nonce = sentBy(call.from, 'pending')) => {
      waiting = waiting.filter((each) => !(isOf(call.from)(each) && each.own?.nonce === nonce))
      return add({ nonces: [], facts: [], isBad: false, own: { ...call, nonce } })
    },
    drop: (hash) => {
      waiting = waiting.filter((each) => each.hash !== hash)
    },
    sentBy,
    seen: (hash) => {
      const at = blocks.findIndex((block) => block.some((each) => each.hash === hash))
      const known = (blocks[at] ?? waiting).find((each) => each.hash === hash)
      return known === undefined ? null : (shown(known, at < 0 ? null : at)[0] ?? null)
    },
    inBlock: (number) => (blocks[number] ?? []).flatMap((each) => shown(each, number)),
    works: (call) => effect(call) !== null,
    carriedOut: () => standing().map(({ hash }) => hash),
  }
}
