import { createPublicClient, type Hex, http, parseEther } from 'viem'
import type { RunningChain } from '../../electron/sandbox/chain/start-chain.ts'
import { agreed, type Desk, startDesk, value } from '../../electron/testing/desk.ts'
import type { Intent, PreparedOrder } from '../../shared/ipc/orders.ts'
import type { SignRequest } from '../../shared/ipc/signing.ts'
import type { OrderTicket } from '../../shared/ipc/tickets.ts'

/** A user with a wallet, at the app in front of an exchange that speaks one dialect. */
export interface Actor {
  readonly desk: Desk
  prepare(ticket: OrderTicket): Promise<PreparedOrder>
  /** Agrees to what is asked, has the wallet sign or send each step, and follows it to its last confirmation. Throws where it ends otherwise. */
  carryOut(ticket: OrderTicket): Promise<Intent>
  /** The same of what is prepared already. */
  finish(prepared: PreparedOrder): Promise<Intent>
  /** A block, and what follows from it on both sides. */
  nextBlock(): Promise<void>
  stop(): Promise<void>
}

/** More looks than any honest order takes: a block each, and eight confirmations. */
const mostLooks = 24

export async function startActor(chain: RunningChain, seed: number | null): Promise<Actor> {
  const desk = await startDesk({ realChain: chain })
  desk.faults.dialect = seed
  await chain.fund(desk.account.address, 1_000_000_000n, parseEther('1'))
  const client = createPublicClient({ transport: http(chain.rpcUrl) })

  const intentOf = async (ref: string): Promise<Intent> => value(await desk.handlers()['orders.get']({ ref })).intent

  const broadcast = async (request: Extract<SignRequest, { readonly method: 'eth_sendTransaction' }>): Promise<Hex> => {
    const { to, data } = request.transaction
    const serializedTransaction = await desk.account.signTransaction({
      chainId: 8453,
      type: 'eip1559',
      nonce: await client.getTransactionCount({ address: desk.account.address, blockTag: 'pending' }),
      gas: 1_500_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000n,
      to: to as Hex, // the app hands out what it has checked
      data: data as Hex,
      value: 0n,
    })
    return client.sendRawTransaction({ serializedTransaction })
  }

  const wallet = async (ref: string): Promise<void> => {
    const request = value(await desk.handlers()['orders.ask']({ ref, ...agreed }))
    if (request.method === 'eth_sendTransaction') value(await desk.handlers()['orders.sent']({ ref, txHash: await broadcast(request) }))
    else value(await desk.handlers()['orders.signed']({ ref, signature: await desk.sign(request) }))
  }

  const finish: Actor['finish'] = async ({ intent: { ref }, transactions }) => {
    const steps = Math.max(1, transactions.length)
    let asked = 0
    for (let look = 0; look < mostLooks; look += 1) {
      const intent = await intentOf(ref)
      if (intent.state === 'FINAL') return intent
      if (intent.state === 'PREPARED' && asked < steps) {
        asked += 1
        await wallet(ref)
      } else if (['REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED', 'UNKNOWN'].includes(intent.state)) {
        throw new Error(`${intent.action} ended ${intent.state}: ${intent.reason}`)
      }
      await nextBlock(intent.state === 'CONFIRMING' ? 8 : 1)
    }
    throw new Error(`It stayed ${(await intentOf(ref)).state}`)
  }

  const nextBlock = async (blocks = 1): Promise<void> => {
    await chain.mine(blocks)
    await desk.exchange.settle()
    await desk.tick()
  }

  const prepare: Actor['prepare'] = async (ticket) => value(await desk.handlers()['orders.prepare'](ticket))

  return {
    desk,
    prepare,
    finish,
    carryOut: async (ticket) => finish(await prepare(ticket)),
    nextBlock,
    stop: () => desk.stop(),
  }
}
