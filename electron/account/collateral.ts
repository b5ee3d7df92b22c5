import { endpoints } from '../../shared/api/endpoints/all.ts'
import type { CollateralState } from '../../shared/api/schemas/collateral.ts'
import type { Collateral } from '../../shared/ipc/account.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { ChainBalances } from '../chain/balances.ts'
import type { Chain } from '../chain/chain.ts'

export interface CollateralDeps {
  readonly api: ApiClient
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
}

/**
 * What the exchange holds for a wallet beside what the wallet holds itself, by the chain, and whether the service takes a deposit by permit.
 * Where the service names no contract for USDC, the one that its config publishes is read.
 */
export function createCollateral({ api, balances, chain }: CollateralDeps) {
  const nothing = { params: {}, query: {}, body: undefined } as const

  return async ({ balances: held, missing, unknownFields }: CollateralState, wallet: string): Promise<Omit<Collateral, 'readAtMs'>> => {
    const [config, walletEth, contractWallet] = await Promise.all([
      api.call(endpoints.getConfig, { ...nothing, credential: null }),
      balances.eth(wallet),
      chain.hasCode(wallet),
    ])
    const published = config.ok ? (config.value.value.contracts?.usdc ?? null) : null
    return {
      balances: await Promise.all(
        held.map(async ({ token, contract: told, balance, locked, withdrawable }) => {
          const contract = told ?? (token === 'USDC' ? published : null)
          const found = contract === null ? null : await balances.token(contract, wallet)
          return { asset: token, contract, balance, locked, withdrawable, walletBalance: found?.balance ?? null, decimals: found?.decimals ?? null }
        }),
      ),
      permitOffered: config.ok ? config.value.value.permit : null,
      walletEth,
      contractWallet,
      missing,
      unknownFields,
    }
  }
}
