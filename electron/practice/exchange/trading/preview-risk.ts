import type { Clock } from '../../../../shared/time.ts'
import { fixed } from '../../base/money.ts'
import { preparedActions } from '../actions/prepared-actions.ts'
import { type Ask, answer, invalid, type Reply } from '../http/reply.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { Assess } from '../positions/assess.ts'
import type { Ledger } from '../positions/ledger.ts'
import type { KeyRow } from '../state/state.ts'
import type { Settlement } from './settlement.ts'

/**
 * Handles `POST /risk/preview`, which returns an action's effect on the account. The API document does not describe the request body. The practice
 * exchange accepts the body of a prepare request without an idempotency key, or only an `open_position` payload.
 */
export function createRiskPreview({
  ledger,
  assess,
  settlement,
  marks,
  clock,
}: {
  ledger: Ledger
  assess: Assess
  settlement: Settlement
  marks: Marks
  clock: Clock
}): (ask: Ask, key: KeyRow) => Promise<Reply> {
  return async ({ body }, { wallet }) => {
    const { action = 'open_position' } = body
    const payload = body.payload === undefined && body.action === undefined ? body : body.payload
    const rules = typeof action === 'string' && Object.hasOwn(preparedActions, action) ? preparedActions[action] : undefined
    if (rules === undefined) return invalid('action', `must be one of ${Object.keys(preparedActions).join(', ')}`)
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return invalid('payload', 'must be an object')
    await settlement.catchUp().catch(() => {})
    const nowMs = clock.now()
    const valid = rules.validate({ ...payload }, { book: ledger.book(wallet), marks, nowMs })
    if (!valid.ok) return valid.failure
    const relayed = rules.mode !== null || body.permit === true
    const { reason, simulation, costs, after } = assess(wallet, valid.value.instruction, { relayed, nowMs })
    return answer({
      success: true,
      preview: {
        action,
        executable: reason === null,
        reason,
        ...simulation,
        network_cost_usdc: costs.network_usdc,
        equity_after_usdc: fixed(after.equity, 2),
        margin_after_usdc: fixed(after.marginUsed, 2),
        free_margin_after_usdc: fixed(after.freeMargin, 2),
        withdrawable_after_usdc: fixed(after.withdrawable, 2),
      },
    })
  }
}
