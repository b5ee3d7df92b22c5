import { multiply, roundTo } from '../../../../shared/decimal.ts'

/** The fee of a fill, as a share of its notional. */
const tradingFee = '0.0005'

/** What the executor's transaction costs, charged in USDC from the DEX collateral (API document: States, `signature_ready`). */
export const networkCostUsdc = '0.02'

/** The trading fee in USDC, rounded up to 6 decimals. */
export const feeOn = (notionalUsdc: string): string => roundTo(multiply(notionalUsdc, tradingFee), 6, 'up')
