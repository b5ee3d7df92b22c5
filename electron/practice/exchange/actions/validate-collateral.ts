import { ok } from '../../../../shared/result.ts'
import { amount, oneOf } from './payload-fields.ts'
import type { Validate } from './validation.ts'

/** How many decimals each token's amounts have on chain. SVC is the protocol's own token. */
export const tokenDecimals = { USDC: 6, SVC: 18 } as const

/**
 * Creates the validation of a collateral change.
 * @param sign 1 adds collateral, -1 withdraws it
 */
export const validateCollateral =
  (sign: 1 | -1): Validate =>
  (payload) => {
    const token = oneOf(payload, 'token', ['USDC', 'SVC'], null)
    if (!token.ok) return token
    const value = amount(payload, 'amount', tokenDecimals[token.value])
    if (!value.ok) return value
    return ok({
      payload: { token: token.value, amount: value.value },
      instruction: { kind: 'collateral', token: token.value, amount: sign > 0 ? value.value : `-${value.value}` },
      clientOrderId: null,
    })
  }
