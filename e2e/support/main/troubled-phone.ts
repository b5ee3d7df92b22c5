import type { Address, Hex } from 'viem'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { minute, second } from '../../../shared/time.ts'
import type { WalletCall } from '../practice/wallet-calls.ts'
import { callOf } from './everything.ts'
import { reverts, type TransactionsMove } from './troubled-moves.ts'
import { agreed, type Workspace } from './workspace.ts'

/** Simulates how the phone handles transaction requests, and what the chain does with the transactions. */
export interface TroubledPhone {
  /**
   * Handles a request to the phone. Returns a function that does what the phone still does after the app stopped waiting, for example a late
   * broadcast; `null` if the phone does nothing more.
   */
  answer(ref: string, request: SignRequest, given: Pick<TransactionsMove, 'phone' | 'chain'>): Promise<(() => void) | null>
  /** Transactions that the wallet sent without a request from the app. */
  readonly foreign: ReadonlySet<Hex>
}

/** WalletConnect keeps a request for 300 s. A phone may therefore send the transaction long after the app has given up. */
const almostItsLife = 270 * second

interface Deps {
  readonly workspace: Workspace
  readonly restart: () => Promise<void>
}

export function createTroubledPhone({ workspace, restart }: Deps): TroubledPhone {
  const { chain } = workspace
  const foreign = new Set<Hex>()

  const another = (from: Address, nonce?: number): Hex => {
    const hash = chain.broadcast({ from, to: from, data: '0x' }, nonce)
    foreign.add(hash)
    return hash
  }
  /** Simulates what the chain does with a transaction that is not mined yet. */
  const meet = (hash: Hex, call: WalletCall, fate: TransactionsMove['chain']) => {
    const nonce = chain.seen(hash)?.nonce
    if (fate === 'drops it') chain.drop(hash)
    if (fate === 'has it again for more') chain.broadcast(call, nonce)
    if (fate === 'has another in its place') another(call.from, nonce)
  }
  const shown = (ref: string) => workspace.handlers()['intents.asked']({ ref, topic: 'topic', requestId: '1' })
  const declined = (ref: string, why: 'rejected' | 'expired' | 'unreachable') => workspace.handlers()['intents.declined']({ ref, why, detail: null })
  const tell = (ref: string, txHash: Hex) => workspace.handlers()['intents.answered']({ ref, answer: txHash })

  const answer: TroubledPhone['answer'] = async (ref, request, given) => {
    const { phone, chain: fate } = given
    const call = callOf(request)
    if (phone === 'is asked twice') {
      await declined(ref, 'unreachable')
      const again = await workspace.handlers()['intents.ask']({ ref, ...agreed })
      return again.ok ? answer(ref, again.value, { ...given, phone: 'signs' }) : null
    }
    await shown(ref)
    const send = (): Hex => {
      if (reverts(fate)) chain.revertNext()
      return chain.broadcast(call)
    }
    switch (phone) {
      case 'rejects':
        await declined(ref, 'rejected')
        return null
      case 'is silent':
        return null
      case 'is given up':
        await declined(ref, 'expired')
        return null
      case 'sends late':
        await declined(ref, 'expired')
        workspace.clock.advance(almostItsLife)
        await chain.mine(8)
        await workspace.tick()
        return () => meet(send(), call, fate)
      case 'sends another':
        await tell(ref, another(call.from))
        return null
      case 'answers late': {
        const hash = send()
        workspace.clock.advance(4 * minute)
        await workspace.tick()
        await tell(ref, hash)
        meet(hash, call, fate)
        return null
      }
      case 'sends, its answer is lost':
        meet(send(), call, fate)
        return null
      case 'sends, answers after a restart': {
        const hash = send()
        meet(hash, call, fate)
        await restart()
        await tell(ref, hash)
        return null
      }
      case 'signs': {
        const hash = send()
        await tell(ref, hash)
        meet(hash, call, fate)
        return null
      }
    }
  }
  return { answer, foreign }
}
