import { basisPointsToPercent } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { TicketPreset } from '../../ipc/intents/presets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../../result.ts'
import { slippageIssue } from '../market-rules.ts'
import { readSize } from '../order-size.ts'
import { isBlank, slippageBps, typedDecimal, typedWhole } from '../typed-number.ts'
import type { ExitKind } from '../typed-price.ts'
import { typedEntry } from './read-ticket.ts'
import { changeTicket, exitBy, type TicketState } from './ticket-state.ts'

/** Returns the form's content as a preset, with TP and SL as percentages from the entry price. Fails if a field is unreadable. */
export function presetOf(state: TicketState, name: string, market: Market, mark: string | null, freeMargin: string | null): Result<TicketPreset, FormIssue> {
  const leverage = typedWhole(state.leverage)
  if (leverage === null || leverage < 1) return fail(['leverageNotWhole'])
  const orderValue = typedDecimal(state.orderValue)
  if (orderValue === null && !isBlank(state.orderValue)) return fail(['orderValueNotANumber'])
  const maxSlippageBps = slippageBps(state.slippagePercent)
  if (maxSlippageBps === null || slippageIssue(maxSlippageBps) !== null) return fail(['slippageRange'])
  const entry = typedEntry(state, mark)
  const size = readSize(state.orderValue, state.valueIn, { entry: entry.ok ? entry.value : null, leverage, freeMargin, market })
  const percent = (kind: ExitKind): string | null => {
    if (!state.hasTpSl || isBlank(state[kind])) return null
    const by = state[`${kind}By`]
    const facts = { side: state.side, entry: entry.ok ? entry.value : '0', orderValueUsdc: size.ok ? size.value : null, market }
    const typed = by === 'percent' || entry.ok ? exitBy(kind, state[kind], by, 'percent', facts) : ''
    return typedDecimal(typed)
  }
  const [takeProfitPercent, stopLossPercent] = [percent('takeProfit'), percent('stopLoss')]
  for (const [kind, read] of [
    ['takeProfit', takeProfitPercent],
    ['stopLoss', stopLossPercent],
  ] as const)
    if (state.hasTpSl && read === null && !isBlank(state[kind])) return fail([`${kind}NotInPercent`])
  const { side, orderType, marginMode, valueIn, timeInForce, postOnly, restIfUnfilled } = state
  return ok({
    name: name.trim(),
    side,
    orderType,
    marginMode,
    leverage,
    orderValue,
    valueIn,
    maxSlippageBps,
    timeInForce,
    postOnly,
    restIfUnfilled,
    takeProfitPercent,
    stopLossPercent,
  })
}

/** Returns the form with a preset applied. Prices that the user typed are kept. The leverage is limited to the market's maximum. */
export function withPreset(state: TicketState, preset: TicketPreset, market: Market): TicketState {
  const { side, orderType, marginMode, valueIn, timeInForce, postOnly, restIfUnfilled, takeProfitPercent, stopLossPercent } = preset
  const leverage = market.maxLeverage !== null && preset.leverage > market.maxLeverage ? market.maxLeverage : preset.leverage
  const change = {
    side,
    orderType,
    marginMode,
    leverage: String(leverage),
    orderValue: preset.orderValue ?? '',
    valueIn,
    slippagePercent: basisPointsToPercent(preset.maxSlippageBps),
    timeInForce,
    postOnly,
    restIfUnfilled,
    hasTpSl: takeProfitPercent !== null || stopLossPercent !== null,
    takeProfit: takeProfitPercent ?? '',
    takeProfitBy: 'percent',
    stopLoss: stopLossPercent ?? '',
    stopLossBy: 'percent',
  } as const
  return changeTicket(state, { type: 'edit', change })
}
