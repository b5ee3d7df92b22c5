import { z } from 'zod'
import { type AnswerOf, oneOf } from '../../reader/answer.ts'
import { may } from '../../reader/field.ts'
import { factor, flag, percent, price, text, usdc } from '../../reader/kinds.ts'
import { resource } from '../../reader/resource.ts'
import { names, pricesOf } from '../name-lists.ts'
import { JsonObject } from '../page.ts'

/** The request's body. It has the same fields as the body of `POST /orders/prepare`. */
export const RiskPreviewRequest = z.object({ action: z.string().min(1), payload: JsonObject })

/** Fields of a simulation. Risk previews and preparations share them. */
export const simulatedFields = {
  entryPrice: may(
    [
      'entry_price',
      'estimated_entry_price',
      'fill_price',
      'expected_entry_price',
      'estimated_price',
      'execution_price',
      'expected_price',
      'average_entry_price',
      'average_price',
      'open_price',
      'entry',
      'cost_basis',
      ...pricesOf('entry', 'opening', 'cost_basis', 'fill'),
    ],
    price,
  ),
  liquidationPrice: may([...names.liquidationPrice, 'estimated_liquidation_price', 'liquidation', 'liquidation_price_after'], price),
  marginRequired: may(['margin_required_usdc', 'required_margin_usdc', 'margin_usdc', 'margin_required', 'initial_margin', 'required_margin', 'margin'], usdc),
  marginUsedBefore: may(['margin_used_before_pct', 'margin_usage_before_pct', 'margin_used_before', 'margin_before_pct'], percent),
  marginUsedAfter: may(
    ['margin_used_after_pct', 'margin_used_pct', 'margin_usage_after_pct', 'margin_used_after', 'margin_used', 'margin_after_pct', 'margin_usage'],
    percent,
  ),
  healthBefore: may(['health_before', 'health_factor_before', 'health_factor_current'], factor),
  healthAfter: may(['health_after', 'health_factor_after', 'health_factor', 'health', 'new_health_factor'], factor),
} as const

export const preview = resource({
  name: 'risk_preview',
  words: ['preview', 'risk', 'simulation', 'cost'],
  sentence:
    'A risk preview takes `action` and `payload` of any prepared action as prepare does, without an id for the order, and answers named decimals under `preview`, flat or as a preparation has them, with `executable` and a `reason`.',
  source: 'Trading: request and response bodies of /risk/preview not shown',
  fields: {
    action: may(['action', 'action_type'], text),
    executable: may(
      [
        'executable',
        'ready',
        'allowed',
        'can_execute',
        'valid',
        'is_allowed',
        'permitted',
        'passes',
        'feasible',
        'acceptable',
        'would_succeed',
        'succeeds',
        'possible',
        'doable',
      ],
      flag,
    ),
    reason: may(['reason', 'reject_reason', 'rejection_reason', 'failure_reason', 'message', 'blocked_by'], text),
    ...simulatedFields,
    tradingFee: may(names.tradingFee, usdc),
    network: may(names.network, usdc),
    equityAfter: may(['equity_after_usdc', 'equity_after', 'new_equity'], usdc),
    marginAfter: may(['margin_after_usdc', 'margin_after', 'new_margin'], usdc),
    freeMarginAfter: may(
      ['free_margin_after_usdc', 'free_margin_after', 'available_margin_after', 'free_collateral_after', 'available_after', 'new_free_margin'],
      usdc,
    ),
    withdrawableAfter: may(['withdrawable_after_usdc', 'withdrawable_after', 'new_withdrawable'], usdc),
  },
})

/**
 * The answer of `POST /risk/preview` (assumed). It may contain a simulation and costs as nested objects. Their fields are then read like fields of
 * the preview itself.
 */
export const RiskPreviewAnswer = oneOf(preview)
export type RiskPreviewAnswer = AnswerOf<typeof RiskPreviewAnswer>
