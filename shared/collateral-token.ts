/** What a collateral is: USDC, or the protocol's own token. The symbol, the contract and the decimals of that one are the service's and the chain's to say. */
export type TokenRole = 'USDC' | 'own'

export const tokenRole = (symbol: string): TokenRole => (symbol.toUpperCase() === 'USDC' ? 'USDC' : 'own')
