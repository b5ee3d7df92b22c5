import { preparedActions } from '../../../../shared/api/actions.ts'
import type { Scope } from '../../../../shared/api/scopes.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { ExecutorWay, Ways } from '../../../../shared/ipc/intents/execution.ts'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { fail, type Result } from '../../../../shared/result.ts'
import { actionOf } from '../../../../shared/ticket/actions/check-action.ts'
import { delegate } from '../../../../shared/ticket/delegated/delegated-facts.ts'
import { scopesOfDelegated } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import type { Credentials, KeyFacts } from '../../../service/credentials/credentials.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import type { WalletReport } from '../../../wallet/connection/wallet.ts'

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

/** The first of these scopes that the key lacks. A key whose scopes nobody knows lacks none: the service decides. */
const lackedScope = (key: KeyFacts, scopes: readonly Scope[]): Scope | null => scopes.find((scope) => key.scopes?.includes(scope) === false) ?? null

/**
 * The key that a delegated call goes with: the wished one, else one with every scope, first those that an executor is known to be bound to. Fails
 * with `api_key_required`, `scope_missing` or `keychain`. Whether an executor is bound is for the service to say: the list may be old.
 */
export async function chooseKey(
  credentials: Pick<Credentials, 'usable' | 'forKey'>,
  wallet: string,
  scopes: readonly Scope[],
  keyId: string | null,
): Promise<Result<KeyCredential, Failure>> {
  const keys = credentials.usable(wallet).filter((key) => keyId === null || key.keyId === keyId)
  const [first] = keys
  if (first === undefined) return fail({ kind: 'api_key_required', scope: scopes[0] ?? null })
  // Those of which it is known that they may come before those of which nobody knows.
  const able = keys.filter((key) => lackedScope(key, scopes) === null).sort((a, b) => Number(a.scopes === null) - Number(b.scopes === null))
  const best = able.find(({ executor }) => executor !== null) ?? able[0]
  if (best === undefined) return fail({ kind: 'scope_missing', scope: lackedScope(first, scopes) ?? 'trade:execute', keyLabel: first.label })
  return credentials.forKey(wallet, best.keyId)
}
