import { multiply, roundTo } from '../../../../shared/decimal.ts'

const tradingFee = '0.0005'

/** What the executor's transaction costs. The exchange charges it in USDC to the trader's collateral (API document: States, `signature_ready`). */
export const networkCostUsdc = '0.02'

export const feeOn = (notionalUsdc: string): string => roundTo(multiply(notionalUsdc, tradingFee), 6, 'up')
