import { minute, second } from '../../../../shared/time.ts'
import type { Scope } from '../auth/scopes.ts'
import { validateCloseLimit, validateCloseMarket, validateInvert } from './validate-close.ts'
import { validateCollateral } from './validate-collateral.ts'
import { validateOpenPosition } from './validate-open-position.ts'
import { validateCancel, validateReplace } from './validate-order.ts'
import { validateLeverage, validateMargin, validateTpsl } from './validate-position.ts'
import type { Validate } from './validation.ts'

/** One action of `/orders/prepare`. */
export interface PreparedAction {
  readonly scope: Scope
  /** Limits, prepared action lifetime: 120 s trading, 180 s collateral, 300 s signed intents. */
  readonly lifetimeMs: number
  /** The wallet signs an intent, or sends transactions. */
  readonly mode: 'signed_intent' | null
  readonly validate: Validate
}

const signed = (validate: Validate): PreparedAction => ({ scope: 'trade:prepare', lifetimeMs: 5 * minute, mode: 'signed_intent', validate })
const sent = (scope: Scope, validate: Validate): PreparedAction => ({ scope, lifetimeMs: 2 * minute, mode: null, validate })
const moved = (validate: Validate): PreparedAction => ({ scope: 'collateral:manage', lifetimeMs: 180 * second, mode: null, validate })

export const validateOpen: Validate = (payload, world) => {
  const valid = validateOpenPosition(payload, world)
  if (!valid.ok) return valid
  return {
    ok: true,
    value: { payload: valid.value, instruction: { kind: 'open', payload: valid.value }, clientOrderId: valid.value.client_order_id },
  }
}

export const preparedActions: Readonly<Record<string, PreparedAction>> = {
  open_position: signed(validateOpen),
  close_position_market: signed(validateCloseMarket),
  close_position_limit: signed(validateCloseLimit),
  invert_position: signed(validateInvert),
  update_tpsl: sent('trade:prepare', validateTpsl),
  add_isolated_margin: sent('trade:prepare', validateMargin(1)),
  reduce_isolated_margin: sent('trade:prepare', validateMargin(-1)),
  change_isolated_leverage: sent('trade:prepare', validateLeverage),
  cancel_order: sent('orders:manage', validateCancel),
  replace_order: sent('orders:manage', validateReplace),
  add_collateral: moved(validateCollateral(1)),
  withdraw_collateral: moved(validateCollateral(-1)),
}
