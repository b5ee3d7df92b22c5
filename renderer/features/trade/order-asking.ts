import { leavesUnknown } from '../../../shared/ipc/intents/leaves-unknown.ts'
import type { Intent, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import { ok } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { DeskCall } from '../../ipc/use-desk.ts'
import { isTerminal } from '../../signing/progress/intent-way.ts'
import { type Asking, createAsking } from '../../signing/sheet/asking.ts'
import type { SigningEvent } from '../../signing/sheet/signing-flow.ts'
import type { Sign } from '../../signing/wallet/sign.ts'
import { hasMore, stepsAt } from './order-steps.ts'

interface Parts {
  readonly call: DeskCall
  readonly sign: Sign
  readonly clock: Clock
  readonly dispatch: (event: SigningEvent) => void
}

const mayBeAskedAgain: ReadonlySet<Intent['state']> = new Set(['PREPARED', 'ASKED'])

/** Leads what is next of a prepared order to the wallet: its signature goes to main, or the hash of the transaction that the wallet broadcast. */
export function askForOrder({ call, sign, clock, dispatch }: Parts, prepared: PreparedOrder): Asking {
  const { transactions } = prepared
  const { ref } = prepared.intent
  const followed = (intent: Intent) => dispatch({ type: 'followed', intent })
  const common = {
    ask: (hand: { readonly typedPhrase: string | null; readonly typedRouter: string | null }) => call('orders.ask', { ref, ...hand }),
    sign,
    asked: (topic: string, requestId: string) => void call('orders.asked', { ref, topic, requestId }),
    onDone: followed,
    dispatch,
    clock,
  }
  if (transactions.length > 0)
    return createAsking<Intent>({
      ...common,
      signed: async (txHash) => {
        const sent = await call('orders.sent', { ref, txHash })
        // The intent goes on; what is followed here is the one that was just broadcast.
        return sent.ok && hasMore(stepsAt(prepared)) && sent.value.state === 'ASKED' ? ok({ ...sent.value, state: 'SUBMITTED', txHash }) : sent
      },
      declined: async (why, detail) => {
        const told = await call('orders.declined', { ref, why, detail })
        if (!told.ok) return null
        if (told.value.state === 'PREPARED') return 'send'
        // The phone may still broadcast it: it is followed like one that was sent, and never asked for again.
        if (!isTerminal(told.value.state)) followed(told.value)
        return 'prepare'
      },
    })
  return createAsking<Intent>({
    ...common,
    signed: async (signature) => {
      const sent = await call('orders.signed', { ref, signature })
      if (sent.ok || !leavesUnknown(sent.failure)) return sent
      // What the relay answered is not known: the intent itself says so, and it is followed like any other.
      const known = await call('orders.get', { ref })
      return known.ok ? ok(known.value.intent) : sent
    },
    declined: async (why, detail) => {
      const told = await call('orders.declined', { ref, why, detail })
      return told.ok && mayBeAskedAgain.has(told.value.state) ? 'send' : 'prepare'
    },
  })
}
