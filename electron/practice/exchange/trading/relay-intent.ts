import { getAddress, type Hex, isAddress, isAddressEqual } from 'viem'
import { toUnits } from '../../../../shared/decimal.ts'
import type { Clock } from '../../../../shared/time.ts'
import type { Chain } from '../../chain/practice-chain.ts'
import type { IntentType, SignedIntent } from '../../chain/router-intents.ts'
import { isSignature, isSignedBy, nativeMessage, structHashOf, type WireTypedData } from '../../chain/wire-typed-data.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import type { SpokenForms } from '../signing/spoken-form.ts'
import type { IntentRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'

export interface Relay {
  /** Handles the relay of a signed intent. The request needs no credential, because the wallet's signature of the intent authorises it. */
  relay(ask: Ask): Promise<Reply>
  /** Handles `POST /api/dex/actions/receipt`, with which a client reports a transaction hash. */
  receipt(ask: Ask): Promise<Reply>
}

export function createRelay({ chain, store, clock, forms }: { chain: Chain; store: Store; clock: Clock; forms: SpokenForms }): Relay {
  const find = (wallet: string, intentId: string) => {
    const intent = store.state.intents.find((row) => row.id === intentId)
    return intent !== undefined && intent.wallet === getAddress(wallet) ? intent : null
  }

  const submit = (
    { wallet, mode, instruction, expiresAtMs, dialect, nonce, typedData: own }: IntentRow,
    typedData: WireTypedData,
    signature: Hex,
  ): Promise<Hex> => {
    if (mode === 'permit_deposit' && instruction.kind === 'collateral') {
      const value = toUnits(instruction.amount, 6) ?? 0n
      return chain.submitPermit({ owner: wallet, value, deadline: BigInt(Math.floor(expiresAtMs / 1000)), signature })
    }
    if (dialect !== undefined && own !== null) {
      const positionId = 'payload' in instruction && 'position_id' in instruction.payload ? instruction.payload.position_id : ''
      const what = { trader: wallet, nonce: BigInt(nonce ?? '0'), deadline: BigInt(Math.floor(expiresAtMs / 1000)), positionId }
      // The cast is safe: `own`, the typed data in the exchange's own format, was made from one of the router's structs.
      return chain.submitForeignIntent({ ...what, structHash: structHashOf(typedData), effect: own.primaryType as IntentType }, signature)
    }
    // The cast is safe: the exchange made this typed data from one of the router's structs.
    return chain.submitIntent({ primaryType: typedData.primaryType, message: nativeMessage(typedData) } as SignedIntent, signature)
  }

  return {
    relay: async (ask) => {
      const { wallet, intent_id: intentId, signature } = ask.body
      if (typeof wallet !== 'string' || !isAddress(wallet)) return invalid('wallet', 'must be an address')
      if (typeof intentId !== 'string') return invalid('intent_id', 'must be a string')
      if (!isSignature(signature)) return refuse(400, 'BAD_SIGNATURE', 'signature must be 65 bytes in hex')
      const intent = find(wallet, intentId)
      if (intent === null) return notFound('The intent')
      const { typedData } = forms.of(intent)
      if (typedData === null)
        return refuse(409, 'INTENT_NOT_EXECUTABLE', `This intent is ${intent.status}${intent.status === 'ready' ? ': the wallet sends it' : ''}`)
      if (!(await isSignedBy(intent.wallet, typedData, signature))) return refuse(400, 'BAD_SIGNATURE', 'The signature of the intent is not the wallet’s')
      if (intent.state !== 'prepared') return refuse(409, 'INTENT_ALREADY_RELAYED', 'This intent was relayed before', { tx_hash: intent.txHash })
      if (clock.now() >= intent.expiresAtMs) return refuse(410, 'INTENT_EXPIRED', 'This intent has expired')
      // Set this state before calling the chain, so that the exchange refuses a second relay of the intent in the meantime.
      intent.state = 'relaying'
      try {
        intent.txHash = await submit(intent, typedData, signature)
      } catch {
        intent.state = 'prepared'
        return refuse(503, 'NETWORK_UNAVAILABLE', 'The network did not take the transaction', {}, { 'Retry-After': '2' })
      }
      intent.state = 'submitted'
      store.commit()
      return answer({ success: true, tx_hash: intent.txHash, state: 'submitted' })
    },
    receipt: async (ask) => {
      const { wallet, intent_id: intentId, tx_hash: txHash, state } = ask.body
      if (typeof wallet !== 'string' || !isAddress(wallet)) return invalid('wallet', 'must be an address')
      if (typeof intentId !== 'string') return invalid('intent_id', 'must be a string')
      if (!isHash(txHash)) return invalid('tx_hash', 'must be a transaction hash')
      if (typeof state !== 'string' || state === '') return invalid('state', 'must be a string')
      const intent = find(wallet, intentId)
      if (intent === null) return notFound('The intent')
      store.state.receipts.push({ wallet: getAddress(wallet), intentId, txHash, state, atMs: clock.now() })
      await follow(intent, txHash).catch(() => {})
      store.commit()
      return answer({ success: true, intent_id: intentId, tx_hash: txHash, state })
    },
  }

  /**
   * Handles a transaction hash that a client reported for an intent. Tracks the transaction only if its sender, contract and calldata are those of
   * the last transaction that was prepared for the intent.
   */
  async function follow(intent: IntentRow, hash: Hex): Promise<void> {
    const last = forms.of(intent).transactions.at(-1)
    if (last === undefined || intent.txHash !== null) return
    const sent = await chain.sentTransaction(hash)
    const isIt = sent !== null && isAddressEqual(sent.from, last.from) && sent.to !== null && isAddressEqual(sent.to, last.to) && sent.data === last.data
    if (!isIt || intent.txHash !== null) return
    intent.txHash = hash
    intent.state = 'submitted'
  }
}

const isHash = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
