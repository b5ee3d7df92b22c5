import { multiply, roundTo } from '../../../../shared/decimal.ts'

/** Share of the notional that a fill costs. */
const tradingFee = '0.0005'

/** What the executor's transaction costs, charged in USDC from the DEX collateral (States, `signature_ready`). */
export const networkCostUsdc = '0.02'

/** In USDC, rounded up to its 6 decimals. */
export const feeOn = (notionalUsdc: string): string => roundTo(multiply(notionalUsdc, tradingFee), 6, 'up')
