import { endpoints } from '../../shared/api/endpoints/all.ts'
import { limits } from '../../shared/api/limits.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../api/api-client.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { WalletReport } from '../session/wallet.ts'

export interface AccountDeps {
  readonly api: ApiClient
  readonly credentials: Credentials
  readonly wallet: WalletReport
}

export interface Account {
  readonly handlers: Handlers<'account.summary' | 'account.positions' | 'account.orders'>
}

/**
 * The connected wallet's account, read with a key of that same wallet (Authentication 3). Each answer belongs to the wallet that was
 * connected when it was asked for: when the wallet changed meanwhile, or the service answers for another one, it fails with `wrong_wallet`.
 */
export function createAccount({ api, credentials, wallet }: AccountDeps): Account {
  const nothing = { params: {}, query: {}, body: undefined } as const

  async function read<T>(
    ask: (credential: KeyCredential) => Promise<Result<ApiAnswer<T>, ApiFailure>>,
  ): Promise<Result<{ value: T; readAtMs: number; wallet: string }, Failure>> {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const credential = await credentials.forScope(address, 'account:read')
    if (!credential.ok) return credential
    const answer = await ask(credential.value)
    const now = wallet.current()?.address ?? 'none'
    if (now !== address) return fail({ kind: 'wrong_wallet', wallet: now, expected: address })
    return answer.ok ? ok({ value: answer.value.value, readAtMs: answer.value.receivedAtMs, wallet: address }) : fail(answer.failure.failure)
  }

  return {
    handlers: {
      'account.summary': async () => {
        const answer = await read((credential) => api.call(endpoints.getAccount, { ...nothing, credential }))
        if (!answer.ok) return answer
        const { wallet: said, ...state } = answer.value.value
        if (said !== null && said.toLowerCase() !== answer.value.wallet.toLowerCase())
          return fail({ kind: 'wrong_wallet', wallet: said, expected: answer.value.wallet })
        return ok({ ...state, wallet: answer.value.wallet, readAtMs: answer.value.readAtMs })
      },
      'account.positions': async () => {
        const answer = await read((credential) => api.call(endpoints.getPositions, { ...nothing, credential }))
        return answer.ok ? ok({ positions: answer.value.value.positions, readAtMs: answer.value.readAtMs }) : answer
      },
      'account.orders': async () => {
        const answer = await read((credential) => api.call(endpoints.getOrders, { ...nothing, query: { limit: limits.page.max }, credential }))
        return answer.ok ? ok({ orders: answer.value.value.items, readAtMs: answer.value.readAtMs }) : answer
      },
    },
  }
}
