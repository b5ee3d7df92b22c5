import { preparedActions } from '../../../../shared/api/actions.ts'
import type { ExecutorWay, Ways } from '../../../../shared/ipc/intents/execution.ts'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { actionOf } from '../../../../shared/ticket/actions/check-action.ts'
import { delegate } from '../../../../shared/ticket/delegated/delegate.ts'
import { scopesOfDelegated } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import type { Credentials } from '../../../service/credentials/credentials.ts'
import type { WalletReport } from '../../../wallet/connection/wallet.ts'
import { lackedScope } from './choose-key.ts'

/** Ways to have a ticket carried out, each with why it cannot be taken now. Nothing is asked of the service. */
export function createWays({ credentials, wallet }: { readonly credentials: Pick<Credentials, 'usable'>; readonly wallet: WalletReport }) {
  return (ticket: OrderTicket, address: string | null): Ways => {
    const keys = address === null ? [] : credentials.usable(address)
    const byWallet = walletWay(ticket, keys)
    const delegated = delegate(ticket)
    if (!delegated.ok) return { wallet: byWallet, executors: [], why: delegated.failure, preferred: { by: 'wallet' } }
    const scopes = scopesOfDelegated(delegated.value)
    const executors = keys.map(({ keyId, label, executor, ...key }): ExecutorWay => {
      const lacked = lackedScope({ keyId, label, executor, ...key }, scopes)
      const why = lacked !== null ? `${label} lacks the scope ${lacked}.` : executor === null ? `No executor is bound to ${label}.` : null
      return { keyId, label, executor, usable: why === null, why }
    })
    const best = executors.find(({ usable }) => usable)
    const preferred: Ways['preferred'] = wallet.current() === null && best !== undefined ? { by: 'executor', keyId: best.keyId } : { by: 'wallet' }
    return { wallet: byWallet, executors, why: executors.length === 0 ? 'No API key of this wallet is kept on this computer.' : null, preferred }
  }

  function walletWay(ticket: OrderTicket, keys: ReturnType<Credentials['usable']>): Ways['wallet'] {
    const scope = preparedActions[actionOf(ticket)]
    const [first] = keys
    const why =
      wallet.current() === null
        ? 'No wallet is connected.'
        : first === undefined
          ? 'No API key of this wallet is kept on this computer.'
          : keys.every((key) => lackedScope(key, [scope]) !== null)
            ? `${first.label} lacks the scope ${scope}.`
            : null
    return { usable: why === null, why }
  }
}
