import { getAddress, isAddress } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import type { Chain } from '../../chain/chain.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import type { Store } from '../state/store.ts'
import { openPositionMessage } from './open-position-intent.ts'
import { isSignature, isSignedBy } from './typed-data.ts'

export interface Relay {
  /** `POST /api/dex/actions/relay`: no credential but the wallet's signature of the intent. */
  relay(ask: Ask): Promise<Reply>
  /** `POST /api/dex/actions/receipt`. */
  receipt(ask: Ask): Reply
}

export function createRelay({ chain, store, clock }: { chain: Chain; store: Store; clock: Clock }): Relay {
  const find = (wallet: string, intentId: string) => {
    const intent = store.state.intents.find((row) => row.id === intentId)
    return intent !== undefined && intent.wallet === getAddress(wallet) ? intent : null
  }
  return {
    relay: async (ask) => {
      const { wallet, intent_id: intentId, signature } = ask.body
      if (typeof wallet !== 'string' || !isAddress(wallet)) return invalid('wallet', 'must be an address')
      if (typeof intentId !== 'string') return invalid('intent_id', 'must be a string')
      if (!isSignature(signature)) return refuse(400, 'BAD_SIGNATURE', 'signature must be 65 bytes in hex')
      const intent = find(wallet, intentId)
      if (intent === null) return notFound('The intent')
      if (intent.typedData === null) return refuse(409, 'INTENT_NOT_EXECUTABLE', `This intent is ${intent.status}`)
      if (!(await isSignedBy(intent.wallet, intent.typedData, signature)))
        return refuse(400, 'BAD_SIGNATURE', 'The signature of the intent is not the wallet’s')
      if (intent.state !== 'prepared') return refuse(409, 'INTENT_ALREADY_RELAYED', 'This intent was relayed before', { tx_hash: intent.txHash })
      if (clock.now() >= intent.expiresAtMs) return refuse(410, 'INTENT_EXPIRED', 'This intent has expired')
      // Taken before the chain is asked, so that a second request meanwhile finds it relayed.
      intent.state = 'relaying'
      const message = openPositionMessage(intent.payload, intent.wallet, BigInt(intent.nonce), Math.floor(intent.expiresAtMs / 1000))
      try {
        intent.txHash = await chain.submitIntent({ primaryType: 'OpenPosition', message }, signature)
      } catch {
        intent.state = 'prepared'
        return refuse(503, 'NETWORK_UNAVAILABLE', 'The network did not take the transaction', {}, { 'Retry-After': '2' })
      }
      intent.state = 'submitted'
      store.commit()
      return answer({ success: true, tx_hash: intent.txHash, state: 'submitted' })
    },
    receipt: (ask) => {
      const { wallet, intent_id: intentId, tx_hash: txHash, state } = ask.body
      if (typeof wallet !== 'string' || !isAddress(wallet)) return invalid('wallet', 'must be an address')
      if (typeof intentId !== 'string') return invalid('intent_id', 'must be a string')
      if (typeof txHash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(txHash)) return invalid('tx_hash', 'must be a transaction hash')
      if (typeof state !== 'string' || state === '') return invalid('state', 'must be a string')
      if (find(wallet, intentId) === null) return notFound('The intent')
      store.state.receipts.push({ wallet: getAddress(wallet), intentId, txHash, state, atMs: clock.now() })
      store.commit()
      return answer({ success: true, intent_id: intentId, tx_hash: txHash, state })
    },
  }
}
