import { endpoints } from '../../../shared/api/endpoints/all.ts'
import { CollateralState } from '../../../shared/api/schemas/collateral.ts'
import { tokenRole } from '../../../shared/collateral-token.ts'
import { TokenSymbol } from '../../../shared/ipc/intents/token-symbol.ts'
import type { Collateral } from '../../../shared/ipc/reads/account.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import type { Chain } from '../../wallet/chain/chain.ts'

export interface CollateralDeps {
  readonly api: ApiClient
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
}

const isOwn = (symbol: string): boolean => tokenRole(symbol) === 'own'

/**
 * What the exchange holds for a wallet beside what the wallet holds itself, by the chain, and whether the service takes a deposit by permit.
 * Where the service names no contract for a token, the one that its config publishes is read.
 */
export function createCollateral({ api, balances, chain }: CollateralDeps) {
  const nothing = { params: {}, query: {}, body: undefined } as const
  let ownSymbol: string | null = null

  /** The symbol of the protocol's own token, where no balance of it is listed: by the collateral of the config, else by the token's own market. */
  const readOwnSymbol = async (model: unknown): Promise<string | null> => {
    const listed = CollateralState.read(model)
    const [only, ...more] = listed.ok ? listed.value.balances.filter(({ token }) => isOwn(token)) : []
    if (only !== undefined) return more.length === 0 ? only.token : null
    const market = await api.call(endpoints.getTokenMarket, { ...nothing, credential: null })
    const symbol = market.ok ? market.value.value.symbol : null
    return symbol !== null && isOwn(symbol) ? symbol : null
  }

  return async ({ balances: held, missing, unknownFields }: CollateralState, wallet: string): Promise<Omit<Collateral, 'readAtMs'>> => {
    const [config, walletEth, contractWallet] = await Promise.all([
      api.call(endpoints.getConfig, { ...nothing, credential: null }),
      balances.eth(wallet),
      chain.hasCode(wallet),
    ])
    const { contracts = null, collateralModel = null } = config.ok ? config.value.value : {}
    const others = held.map(({ token }) => token).filter(isOwn)
    if (others.length === 0) ownSymbol ??= await readOwnSymbol(collateralModel)
    // Of several others it is not known which the published one is.
    const publishedFor = (token: string) => (isOwn(token) ? (others.length === 1 ? contracts?.svc : null) : contracts?.usdc) ?? null
    return {
      balances: await Promise.all(
        held.map(async ({ token, contract: told, balance, locked, withdrawable }) => {
          const contract = told ?? publishedFor(token)
          const found = contract === null ? null : await balances.token(contract, wallet)
          return { asset: token, contract, balance, locked, withdrawable, walletBalance: found?.balance ?? null, decimals: found?.decimals ?? null }
        }),
      ),
      tokens: ['USDC', ...new Set(others.length > 0 ? others : ownSymbol === null ? [] : [ownSymbol])].filter(
        (symbol) => TokenSymbol.safeParse(symbol).success,
      ),
      permitOffered: config.ok ? config.value.value.permit : null,
      walletEth,
      contractWallet,
      missing,
      unknownFields,
    }
  }
}
