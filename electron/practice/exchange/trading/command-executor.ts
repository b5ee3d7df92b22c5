import { keccak256, toHex } from 'viem'
import { type Clock, minute } from '../../../../shared/time.ts'
import type { Chain } from '../../chain/practice-chain.ts'
import type { CommandRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { canonical } from './idempotency.ts'

/** How long the executor retries a command that the network has not accepted. */
const patience = 2 * minute

/** Sends the commands that clients submit to `/orders/execute` to the chain, from the account of the executor’s agent. */
export interface Executor {
  /** Sends a command to the chain. If the network does not accept the command, it stays queued and the promise still resolves. */
  send(command: CommandRow): Promise<void>
  /** Sends the queued commands. Marks a command as failed if it has waited too long. */
  sendQueued(): Promise<void>
}

export function createExecutor({ chain, store, clock }: { chain: Chain; store: Store; clock: Clock }): Executor {
  const sending = new Set<string>()
  const send = async (command: CommandRow): Promise<void> => {
    if (sending.has(command.id)) return
    sending.add(command.id)
    const items = command.items.map(({ nonce, action, instruction }) => ({
      ...{ nonce: BigInt(nonce), action, payloadHash: keccak256(toHex(canonical(instruction))) },
    }))
    try {
      command.txHash = await chain.submitCommand({ trader: command.wallet, commandId: command.id, items })
      command.state = 'submitted'
    } catch {
      if (clock.now() - command.createdAtMs < patience) return
      command.state = 'failed'
      command.reason = 'network_unavailable'
    } finally {
      sending.delete(command.id)
      command.updatedAtMs = clock.now()
      store.commit()
    }
  }
  return {
    send,
    sendQueued: async () => {
      for (const command of store.state.commands) if (command.state === 'queued') await send(command)
    },
  }
}
