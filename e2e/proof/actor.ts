import { createPublicClient, type Hex, http, parseEther } from 'viem'
import type { RunningChain } from '../../electron/practice/chain/start-chain.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Intent, PreparedOrder } from '../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../shared/ipc/intents/signing.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import type { Result } from '../../shared/result.ts'
import { startWorkspace, value, type Workspace } from '../support/main/workspace.ts'

/** A test user with a wallet who uses the app with an exchange in one API dialect. */
export interface Actor {
  readonly workspace: Workspace
  /** The phrases that the user has had to type for orders so far. */
  phrases(): readonly string[]
  /**
   * Runs a call to the app. Whenever the exchange refuses a field name and the app suggests another, accepts the suggestion and runs the call
   * again, as a user would. Returns the last result.
   */
  taught<T>(run: () => Result<T, Failure> | Promise<Result<T, Failure>>): Promise<Result<T, Failure>>
  /**
   * Returns the request that the app would send to the wallet. `phrase`: decides whether the user types a phrase that the app requires. Without it,
   * the user types every required phrase.
   */
  ask(ref: string, phrase?: (expected: string) => boolean): Promise<Result<SignRequest, Failure>>
  /** The wallet signs the request, or sends its transaction. */
  answer(ref: string, request: SignRequest): Promise<void>
  prepare(ticket: OrderTicket): Promise<PreparedOrder>
  /**
   * Carries out an order: confirms what the app asks, lets the wallet sign or send each step, and follows the order until it is FINAL. Throws if the
   * order ends in another state.
   */
  carryOut(ticket: OrderTicket): Promise<Intent>
  /** Like `carryOut`, for an order that the service has already prepared. */
  finish(prepared: PreparedOrder): Promise<Intent>
  /** Mines a block, and lets the exchange and the app process it. */
  nextBlock(): Promise<void>
  stop(): Promise<void>
}

/** How many suggested field names a user accepts for one call before giving up. */
const mostNames = 4

/** Limit for the number of polls. Each poll mines one block, and an unaltered order needs only eight confirmations. */
const mostLooks = 24

export async function startActor(chain: RunningChain, seed: number | null): Promise<Actor> {
  const workspace = await startWorkspace({ realChain: chain })
  workspace.faults.dialect = seed
  await chain.fund(workspace.account.address, 1_000_000_000n, parseEther('1'))
  const client = createPublicClient({ transport: http(chain.rpcUrl) })

  const phrases: string[] = []

  const intentOf = async (ref: string): Promise<Intent> => value(await workspace.handlers()['intents.get']({ ref })).intent

  const broadcast = async (request: Extract<SignRequest, { readonly method: 'eth_sendTransaction' }>): Promise<Hex> => {
    const { to, data } = request.transaction
    const serializedTransaction = await workspace.account.signTransaction({
      chainId: 8453,
      type: 'eip1559',
      nonce: await client.getTransactionCount({ address: workspace.account.address, blockTag: 'pending' }),
      gas: 1_500_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000n,
      to: to as Hex, // safe cast: the app passes on only a verified address
      data: data as Hex,
      value: 0n,
    })
    return client.sendRawTransaction({ serializedTransaction })
  }

  const taught: Actor['taught'] = async (run) => {
    let last = await run()
    for (let names = 0; names < mostNames && !last.ok && last.failure.kind === 'refused'; names += 1) {
      const { asks = null, candidates = [] } = last.failure.offer ?? {}
      const [best] = candidates
      if (asks === null || best === undefined) return last
      const set = [{ part: 'payloads' as const, of: best.request, field: best.field, at: asks, unit: null }]
      value(await workspace.handlers()['fieldMap.change']({ set, remove: [], from: 'refusal' }))
      last = await run()
    }
    return last
  }

  const ask: Actor['ask'] = async (ref, says = () => true) => {
    // The user confirms a new contract by pressing a button, and first leaves the phrase empty.
    const press = { ref, typedPhrase: '', typedRouter: 'yes' }
    const asked = await workspace.handlers()['intents.ask'](press)
    if (asked.ok || asked.failure.kind !== 'confirmation_required' || asked.failure.what === 'router' || !says(asked.failure.expected)) return asked
    phrases.push(asked.failure.expected)
    return workspace.handlers()['intents.ask']({ ...press, typedPhrase: asked.failure.expected })
  }

  const answer: Actor['answer'] = async (ref, request) => {
    if (request.method === 'eth_sendTransaction') value(await workspace.handlers()['intents.answered']({ ref, answer: await broadcast(request) }))
    else value(await workspace.handlers()['intents.answered']({ ref, answer: await workspace.sign(request) }))
  }

  const finish: Actor['finish'] = async ({ intent: { ref }, transactions }) => {
    const steps = Math.max(1, transactions.length)
    let asked = 0
    for (let look = 0; look < mostLooks; look += 1) {
      const intent = await intentOf(ref)
      if (intent.state === 'FINAL') return intent
      if (intent.state === 'PREPARED' && asked < steps) {
        asked += 1
        await answer(ref, value(await ask(ref)))
      } else if (['REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED', 'UNKNOWN'].includes(intent.state)) {
        throw new Error(`${intent.action} ended ${intent.state}: ${intent.reason}`)
      }
      await nextBlock(intent.state === 'CONFIRMING' ? 8 : 1)
    }
    throw new Error(`It stayed ${(await intentOf(ref)).state}`)
  }

  const nextBlock = async (blocks = 1): Promise<void> => {
    await chain.mine(blocks)
    await workspace.exchange.settle()
    await workspace.tick()
  }

  const prepare: Actor['prepare'] = async (ticket) => value(await taught(() => workspace.handlers()['intents.prepare'](ticket)))

  return {
    workspace,
    phrases: () => phrases,
    taught,
    ask,
    answer,
    prepare,
    finish,
    carryOut: async (ticket) => finish(await prepare(ticket)),
    nextBlock,
    stop: () => workspace.stop(),
  }
}
