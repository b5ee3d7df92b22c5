import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseSignature,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { z } from 'zod'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { PracticeClock } from '../base/practice-clock.ts'
import { createAccountSender } from './account-sender.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { type AnvilMissing, findAnvil, packagedResources } from './anvil-binary.ts'
import { type ChainClient, createChainClient } from './chain-client.ts'
import { followClock } from './chain-time.ts'
import {
  contractAddresses,
  contractsVersion,
  ownTokenArtifact,
  ownTokenDeployment,
  routerArtifact,
  routerDeployment,
  tokenArtifact,
  tokenDeployment,
} from './contracts.ts'
import { installKeys } from './install-keys.ts'
import type { Chain, SentTransaction, TransactionState } from './practice-chain.ts'
import { routerEvents } from './router-events.ts'
import { intentEffects, intentFunctions } from './router-intents.ts'

export type ChainFailure = AnvilMissing | { readonly kind: 'anvil_failed'; readonly detail: string }

export interface ChainOptions {
  readonly clock: PracticeClock
  /** Folder for the keys and the state of the chain; null keeps both in memory. */
  readonly dataDir: string | null
  /** Receives play money when the contracts are created: USDC (6 decimals) and the protocol's own token (18 decimals). */
  readonly firstHolder: { readonly owner: Address; readonly usdc: bigint; readonly svc?: bigint } | null
  /** True if anvil keeps the states of past blocks, which `reorganise` needs. Every block then costs memory. */
  readonly history: boolean
  /**
   * True if the practice clock is behind real time. The chain must then start at the time of the practice clock, because a running chain cannot be
   * set back.
   */
  readonly behindRealTime?: boolean
  readonly platform?: string
  readonly arch?: string
  /** The packaged app's resources folder; null if there is none. */
  readonly resources?: string | null
}

/** A running practice chain, with additional functions that only tests may use. */
export interface RunningChain extends Chain {
  readonly pid: number
  /** Resolves if anvil, the process that runs the chain, ends before `stop` was called. The value is a sentence that describes how anvil ended. */
  readonly ended: Promise<string>
  timestamp(): Promise<number>
  /** Resolves once the chain's time agrees with the practice clock. */
  timeSettled(): Promise<void>
  /** Replaces the newest blocks of the chain with empty blocks. Works only with the option `history`. */
  reorganise(depth: number): Promise<void>
  mine(blocks: number): Promise<void>
  pauseMining(paused: boolean): Promise<void>
}

const deployGas = 5_000_000n
const callGas = 600_000n
/** Gas limit for registering with the router how a dialect encodes a call. The router stores about thirty words for it. */
const teachGas = 2_000_000n
/** Gas for each item of an executor's command. It pays for the item's nonce, for what the router stores about the item, and for the item's event. */
const itemGas = 120_000n
const millionEther = 10n ** 24n

/**
 * Starts the local Base chain with the tokens and the router. Their addresses are derived from this installation's random keys.
 * If the saved state cannot be read, moves it aside and creates the contracts again at the same addresses.
 */
export async function startChain(options: ChainOptions): Promise<Result<RunningChain, ChainFailure>> {
  const {
    clock,
    dataDir,
    firstHolder,
    history,
    behindRealTime = false,
    platform = process.platform,
    arch = process.arch,
    resources = packagedResources(),
  } = options
  const program = findAnvil({ platform, arch, resources })
  if (!program.ok) return program
  if (dataDir !== null) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const keys = installKeys(dataDir === null ? null : join(dataDir, 'chain-keys.json'), ['deployer', 'executor', 'agent'])
  const stateFile = dataDir === null ? null : join(dataDir, `chain-${contractsVersion}.json`)
  const started = await startWithState({
    program: program.value,
    platform,
    stateFile,
    history,
    bornAt: behindRealTime ? Math.floor(clock.now() / second) : null,
  })
  if (!started.ok) return fail({ kind: 'anvil_failed', detail: started.failure })
  const { rpcUrl, process: anvil } = started.value

  const client = createChainClient(rpcUrl)
  const deployer = createAccountSender(client, keys.deployer)
  const executor = createAccountSender(client, keys.executor)
  const agent = createAccountSender(client, keys.agent)
  const { usdc, router, svc } = contractAddresses(deployer.address)
  const time = followClock(client, clock)
  const blocks = watchBlocks(client)

  const call = (sender: typeof deployer, to: Address, abi: Abi, functionName: string, args: readonly unknown[], gas = callGas) =>
    sender.send({ to, data: encodeFunctionData({ abi, functionName, args }), gas })
  const number = async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
    (await client.readContract({ address, abi, functionName, args })) as bigint
  /** The call formats that this process has registered with the router, by selector. Only the executor's agent can register them. */
  const taughtHere = new Map<Hex, Hex>()
  const mint = (owner: Address, amount: bigint) => call(deployer, usdc, tokenArtifact.abi, 'mint', [owner, amount])

  const createContracts = async () => {
    if ((await client.getCode({ address: router })) !== undefined) return
    await deployer.send({ to: null, data: tokenDeployment(), gas: deployGas })
    await deployer.send({ to: null, data: routerDeployment({ usdc, svc, agent: agent.address }), gas: deployGas })
    const hashes = [await deployer.send({ to: null, data: ownTokenDeployment(), gas: deployGas })]
    if (firstHolder !== null) {
      const { owner, usdc: inWallet, svc: ownTokens = 0n } = firstHolder
      hashes.push(await mint(owner, inWallet))
      if (ownTokens > 0n) hashes.push(await call(deployer, svc, ownTokenArtifact.abi, 'mint', [owner, ownTokens]))
    }
    for (const hash of hashes) await succeeded(client, hash)
  }

  try {
    await client.setBalance({ address: deployer.address, value: millionEther })
    await client.setBalance({ address: executor.address, value: millionEther })
    await client.setBalance({ address: agent.address, value: millionEther })
    await createContracts()
    await time.align()
  } catch (error) {
    time.stop()
    await anvil.stop()
    return fail({ kind: 'anvil_failed', detail: error instanceof Error ? error.message : String(error) })
  }

  return ok({
    chainId: 8453,
    rpcUrl,
    router,
    usdc,
    svc,
    pid: anvil.pid,
    ended: anvil.ended,
    blockNumber: () => client.getBlockNumber(),
    timestamp: async () => Number((await client.getBlock({ blockTag: 'latest' })).timestamp),
    submitIntent: ({ primaryType, message }, signature) => call(executor, router, routerArtifact.abi, intentFunctions[primaryType], [message, signature]),
    submitForeignIntent: ({ structHash, trader, nonce, deadline, effect, positionId }, signature) =>
      call(agent, router, routerArtifact.abi, 'acceptIntent', [structHash, trader, nonce, deadline, intentEffects[effect], positionId, signature]),
    teach: async (all) => {
      const calls = all.filter(({ selector, taught }) => taughtHere.get(selector) !== taught)
      const known = await Promise.all(
        calls.map(({ selector }) => client.readContract({ address: router, abi: routerArtifact.abi, functionName: 'taught', args: [selector] })),
      )
      const unknown = calls.filter(({ taught }, index) => known[index] !== keccak256(taught))
      const hashes: Hex[] = []
      for (const { selector, taught } of unknown) hashes.push(await call(agent, router, routerArtifact.abi, 'teach', [selector, taught], teachGas))
      // Mine a block at once, even while the tests have paused mining, because the wallet must be able to use the new call format immediately.
      if (hashes.length > 0) await client.mine({ blocks: 1 })
      for (const hash of hashes) await succeeded(client, hash)
      for (const { selector, taught } of calls) taughtHere.set(selector, taught)
    },
    submitPermit: ({ owner, value, deadline, signature }) => {
      const { r, s, v = 27n } = parseSignature(signature)
      return call(executor, router, routerArtifact.abi, 'depositWithPermit', [owner, value, deadline, Number(v), r, s])
    },
    submitCommand: ({ trader, commandId, items }) =>
      call(agent, router, routerArtifact.abi, 'execute', [trader, commandId, items], callGas + itemGas * BigInt(items.length)),
    transaction: (hash) => transactionState(client, hash),
    sentTransaction: (hash) => sentTransaction(client, hash),
    routerEvents: async (fromBlock) => routerEvents(await client.getLogs({ address: router, fromBlock, toBlock: 'latest' })),
    onBlock: blocks.onBlock,
    usdcOf: (owner) => number(usdc, tokenArtifact.abi, 'balanceOf', [owner]),
    holdings: async (token, owner) => {
      const [wallet, held, allowance] = await Promise.all([
        number(token, tokenArtifact.abi, 'balanceOf', [owner]),
        number(router, routerArtifact.abi, 'collateral', [owner, token]),
        number(token, tokenArtifact.abi, 'allowance', [owner, router]),
      ])
      return { wallet, router: held, allowance }
    },
    permitNonce: (owner) => number(usdc, tokenArtifact.abi, 'nonces', [owner]),
    credit: async (trader, amount) => {
      await mint(router, amount)
      return call(agent, router, routerArtifact.abi, 'credit', [trader, amount])
    },
    fund: async (owner, amount, wei) => {
      if (wei > 0n) await client.setBalance({ address: owner, value: (await client.getBalance({ address: owner })) + wei })
      if (amount > 0n) await succeeded(client, await mint(owner, amount))
    },
    timeSettled: () => time.settled(),
    reorganise: async (depth) => {
      await client.request<{ Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: null }>({ method: 'anvil_reorg', params: [depth, []] })
      taughtHere.clear()
      await time.align()
    },
    mine: (count) => client.mine({ blocks: count }),
    pauseMining: (paused) => client.setIntervalMining({ interval: paused ? 0 : 1 }),
    stop: async () => {
      time.stop()
      blocks.stop()
      await anvil.stop()
    },
  })
}

async function startWithState(options: Parameters<typeof startAnvil>[0]): Promise<Result<Anvil, string>> {
  if (options.stateFile !== null) compactState(options.stateFile)
  const started = await startAnvil(options)
  if (started.ok || options.stateFile === null) return started
  try {
    renameSync(options.stateFile, `${options.stateFile}.broken`)
  } catch {
    // Report the failure. The chain was started without a saved state, so a damaged state cannot be the cause.
    return started
  }
  return startAnvil(options)
}

async function succeeded(client: ChainClient, hash: Hex): Promise<void> {
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`The practice chain refused transaction ${hash}`)
}

async function transactionState(client: ChainClient, hash: Hex): Promise<TransactionState | null> {
  const [receipt, head] = await Promise.all([client.getTransactionReceipt({ hash }).catch(nullWhenUnknown), client.getBlockNumber()])
  if (receipt !== null) {
    const confirmations = Math.max(1, Number(head - receipt.blockNumber) + 1)
    return { status: receipt.status, blockNumber: receipt.blockNumber, confirmations }
  }
  const waiting = await client.getTransaction({ hash }).catch(nullWhenUnknown)
  return waiting === null ? null : { status: 'pending', blockNumber: null, confirmations: 0 }
}

async function sentTransaction(client: ChainClient, hash: Hex): Promise<SentTransaction | null> {
  const found = await client.getTransaction({ hash }).catch(nullWhenUnknown)
  return found === null ? null : { from: found.from, to: found.to, data: found.input }
}

function nullWhenUnknown(error: unknown): null {
  if (error instanceof TransactionReceiptNotFoundError || error instanceof TransactionNotFoundError) return null
  throw error
}

/** The part of anvil's state file that grows: the blocks. Anvil adds one block per second, and nearly all blocks are empty. */
const AnvilState = z.looseObject({
  best_block_number: z.number(),
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: z.coerce.number() }), transactions: z.array(z.unknown()) })),
})

/** A state file must be at least this large to be compacted: about an hour and a half of blocks. */
const worthBytes = 8 * 1024 * 1024
/** How many of the newest blocks to keep even if they are empty, because apps request blocks near the head of the chain. */
const keptBlocks = 300

/**
 * Drops old empty blocks from a large state file, so that days of practice do not slow down every start. Keeps receipts, logs, balances and block
 * numbers. Leaves a file of unexpected form unchanged; anvil then loads or rejects that file.
 */
export function compactState(file: string, fromBytes = worthBytes): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < fromBytes) return
  const state = AnvilState.safeParse(parseJson(readFileSync(file, 'utf8')))
  if (!state.success) return
  const oldest = state.data.best_block_number - keptBlocks
  const blocks = state.data.blocks.filter(({ header, transactions }) => header.number === 0 || header.number > oldest || transactions.length > 0)
  const draft = `${file}.new`
  writeFileSync(draft, JSON.stringify({ ...state.data, blocks }))
  renameSync(draft, file)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface BlockWatch {
  onBlock(listener: (head: bigint) => void): () => void
  stop(): void
}

const pollEveryMs = 200

/**
 * Polls for the newest block while there are listeners. Compares the hashes of blocks, because after a reorganisation the block number may be the
 * same.
 */
function watchBlocks(client: ChainClient): BlockWatch {
  const listeners = new Set<(head: bigint) => void>()
  let lastHash: string | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  const poll = async () => {
    try {
      const { number, hash } = await client.getBlock({ blockTag: 'latest' })
      if (hash !== lastHash && !stopped) {
        lastHash = hash
        for (const listener of [...listeners]) listener(number)
      }
    } catch {
      // The poll failed because the chain is stopping or busy. The next poll tries again.
    }
    timer = listeners.size > 0 && !stopped ? setTimeout(poll, pollEveryMs) : null
  }
  return {
    onBlock: (listener) => {
      listeners.add(listener)
      timer ??= setTimeout(poll, 0)
      return () => listeners.delete(listener)
    },
    stop: () => {
      stopped = true
      listeners.clear()
      if (timer !== null) clearTimeout(timer)
    },
  }
}
