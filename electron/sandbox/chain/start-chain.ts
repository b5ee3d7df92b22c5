import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, encodeFunctionData, type Hex, parseEventLogs, TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { PracticeClock } from '../practice-clock.ts'
import { createAccountSender } from './account-sender.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { type AnvilMissing, findAnvil } from './anvil-binary.ts'
import { watchBlocks } from './block-watch.ts'
import type { Chain, IntentAccepted, OpenPositionMessage, TransactionState } from './chain.ts'
import { type ChainClient, createChainClient } from './chain-client.ts'
import { followClock } from './chain-time.ts'
import { compactState } from './compact-state.ts'
import { contractAddresses, contractsVersion, routerArtifact, routerDeployment, tokenArtifact, tokenDeployment } from './contracts.ts'
import { installKeys } from './install-keys.ts'

export type ChainFailure = AnvilMissing | { readonly kind: 'anvil_failed'; readonly detail: string }

export interface ChainOptions {
  readonly clock: PracticeClock
  /** Folder for keys and state; null keeps both in memory. */
  readonly dataDir: string | null
  /** Gets play money (6 decimals) in the block that creates the contracts. */
  readonly firstHolder: { readonly owner: Address; readonly usdc: bigint } | null
  /** Keeps what `reorganise` needs; costs memory with every block. */
  readonly history: boolean
  /** The clock is behind real time, which a chain cannot be brought back from. */
  readonly behindRealTime?: boolean
  readonly platform?: string
  readonly arch?: string
}

/** The chain with what only tests may do to it. */
export interface RunningChain extends Chain {
  /** anvil's process id. */
  readonly pid: number
  /** Resolves, with a sentence, when anvil is gone without `stop`. */
  readonly ended: Promise<string>
  /** Unix seconds of the newest block. */
  timestamp(): Promise<number>
  /** Resolves when the chain's time agrees with the clock. */
  timeSettled(): Promise<void>
  /** Replaces the newest blocks by empty ones. Needs `history`. */
  reorganise(depth: number): Promise<void>
  mine(blocks: number): Promise<void>
  pauseMining(paused: boolean): Promise<void>
}

const deployGas = 5_000_000n
const callGas = 500_000n
const millionEther = 10n ** 24n

/**
 * Starts the local Base with the token and the router, at addresses that follow from this install's random keys.
 * A state that cannot be read is set aside and the contracts are created anew at the same addresses.
 */
export async function startChain(options: ChainOptions): Promise<Result<RunningChain, ChainFailure>> {
  const { clock, dataDir, firstHolder, history, behindRealTime = false, platform = process.platform, arch = process.arch } = options
  const program = findAnvil(platform, arch, packagedResources())
  if (!program.ok) return program
  if (dataDir !== null) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const keys = installKeys(dataDir === null ? null : join(dataDir, 'chain-keys.json'), ['deployer', 'executor'])
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
  const { usdc, router } = contractAddresses(deployer.address)
  const time = followClock(client, clock)
  const blocks = watchBlocks(client)

  const mint = (owner: Address, amount: bigint) =>
    deployer.send({ to: usdc, data: encodeFunctionData({ abi: tokenArtifact.abi, functionName: 'mint', args: [owner, amount] }), gas: callGas })

  const createContracts = async () => {
    if ((await client.getCode({ address: router })) !== undefined) return
    await deployer.send({ to: null, data: tokenDeployment(), gas: deployGas })
    const routerCreated = await deployer.send({ to: null, data: routerDeployment(usdc), gas: deployGas })
    const hashes = [routerCreated, ...(firstHolder === null ? [] : [await mint(firstHolder.owner, firstHolder.usdc)])]
    for (const hash of hashes) await succeeded(client, hash)
  }

  try {
    await client.setBalance({ address: deployer.address, value: millionEther })
    await client.setBalance({ address: executor.address, value: millionEther })
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
    pid: anvil.pid,
    ended: anvil.ended,
    blockNumber: () => client.getBlockNumber(),
    timestamp: async () => Number((await client.getBlock({ blockTag: 'latest' })).timestamp),
    submitIntent: (message: OpenPositionMessage, signature: Hex) =>
      executor.send({
        to: router,
        data: encodeFunctionData({ abi: routerArtifact.abi, functionName: 'openPosition', args: [message, signature] }),
        gas: callGas,
      }),
    transaction: (hash) => transactionState(client, hash),
    acceptedIntents: async (fromBlock) => {
      const logs = await client.getLogs({ address: router, fromBlock, toBlock: 'latest' })
      return parseEventLogs({ abi: routerArtifact.abi, logs, eventName: 'IntentAccepted' }).map(acceptedIntent)
    },
    onBlock: blocks.onBlock,
    usdcOf: async (owner) => {
      const balance = await client.readContract({ address: usdc, abi: tokenArtifact.abi, functionName: 'balanceOf', args: [owner] })
      return balance as bigint
    },
    fund: async (owner, amount, wei) => {
      if (wei > 0n) await client.setBalance({ address: owner, value: (await client.getBalance({ address: owner })) + wei })
      if (amount > 0n) await succeeded(client, await mint(owner, amount))
    },
    timeSettled: () => time.settled(),
    reorganise: async (depth) => {
      await client.request<{ Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: null }>({ method: 'anvil_reorg', params: [depth, []] })
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
    // There was no state, so it is not what failed.
    return started
  }
  return startAnvil(options)
}

async function succeeded(client: ChainClient, hash: Hex): Promise<void> {
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`The practice chain refused transaction ${hash}`)
}

async function transactionState(client: ChainClient, hash: Hex): Promise<TransactionState | null> {
  const receipt = await client.getTransactionReceipt({ hash }).catch(nullWhenUnknown)
  if (receipt !== null) {
    const head = await client.getBlockNumber()
    const confirmations = Math.max(1, Number(head - receipt.blockNumber) + 1)
    return { status: receipt.status, blockNumber: receipt.blockNumber, confirmations }
  }
  const waiting = await client.getTransaction({ hash }).catch(nullWhenUnknown)
  return waiting === null ? null : { status: 'pending', blockNumber: null, confirmations: 0 }
}

function nullWhenUnknown(error: unknown): null {
  if (error instanceof TransactionReceiptNotFoundError || error instanceof TransactionNotFoundError) return null
  throw error
}

interface AcceptedLog {
  readonly args: unknown
  readonly transactionHash: Hex | null
  readonly blockNumber: bigint | null
}

function acceptedIntent({ args, transactionHash, blockNumber }: AcceptedLog): IntentAccepted {
  // The event's arguments as the router declares them; a mined log has hash and number.
  const { digest, trader, nonce } = args as Pick<IntentAccepted, 'digest' | 'trader' | 'nonce'>
  if (transactionHash === null || blockNumber === null) throw new Error('A log without its transaction')
  return { digest, trader, nonce, txHash: transactionHash, blockNumber }
}

/** Electron tells where its resources are; plain Node has none. */
function packagedResources(): string | null {
  const { resourcesPath } = process as { resourcesPath?: unknown }
  return typeof resourcesPath === 'string' ? resourcesPath : null
}
