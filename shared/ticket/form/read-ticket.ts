import { basisPointsToPercent, normalise } from '../../decimal.ts'
import type { FormIssue } from '../../ipc/form-issue.ts'
import type { TicketPreset } from '../../ipc/intents/presets.ts'
import type { OpenTicket } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../../result.ts'
import { checkTicket, clientOrderIdIssue, type TicketField } from '../check-ticket.ts'
import { leverageIssue, orderValueIssue, priceIssue, slippageIssue } from '../market-rules.ts'
import { readSize } from '../order-size.ts'
import { type FieldIssue, type FormReading, Issues, isBlank, numberIssue, slippageBps, typedDecimal, typedWhole } from '../typed-number.ts'
import { type ExitKind, readExit } from '../typed-price.ts'
import { changeTicket, exitBy, type TicketState } from './ticket-state.ts'

export type TicketCheck = FormReading<TicketField, OpenTicket>

const priceField = (state: Pick<TicketState, 'orderType'>) => (state.orderType === 'limit' ? 'limitPrice' : 'triggerPrice')

/** Returns the price at which the order would open: the typed price, or the newest mark price. The price may still break the market's rules. */
export function typedEntry(
  state: Pick<TicketState, 'orderType' | 'limitPrice' | 'triggerPrice'>,
  mark: string | null,
): Result<string, FieldIssue<TicketField>> {
  if (state.orderType === 'market') return mark === null ? fail({ field: 'referencePrice', issue: ['noPriceYet'], untouched: true }) : ok(normalise(mark))
  const field = priceField(state)
  const price = typedDecimal(state[field])
  return price === null ? fail({ field, issue: numberIssue(state[field], ['typePrice']), untouched: isBlank(state[field]) }) : ok(price)
}

const exitValue = { takeProfit: 'takeProfitBy', stopLoss: 'stopLossBy' } as const

/**
 * Reads the order form and checks it against the market's limits. `mark` null: no mark price has arrived, so market orders are not possible.
 * `freeMargin` null: unknown, so the size cannot be typed as a share of the free margin.
 */
export function readTicket(state: TicketState, market: Market, mark: string | null, freeMargin: string | null = null): TicketCheck {
  const issues = new Issues<TicketField>()
  const entry = typedEntry(state, mark)
  const isMarket = state.orderType === 'market'

  const leverage = typedWhole(state.leverage) ?? issues.report('leverage', ['leverageNotWhole'], isBlank(state.leverage))
  if (!entry.ok && !isMarket) issues.report(entry.failure.field, entry.failure.issue, entry.failure.untouched)
  const size = readSize(state.orderValue, state.valueIn, { entry: entry.ok ? entry.value : null, leverage, freeMargin, market })
  const value = size.ok ? size.value : issues.report('orderValue', size.failure, isBlank(state.orderValue))
  const bps = isMarket
    ? (slippageBps(state.slippagePercent) ?? issues.report('slippage', numberIssue(state.slippagePercent, ['slippageSteps']), isBlank(state.slippagePercent)))
    : 0
  const exit = (kind: ExitKind): string | null => {
    if (!state.hasTpSl || isBlank(state[kind])) return null
    const by = state[exitValue[kind]]
    // A TP or SL typed as a distance or profit needs the order's price. The error about the missing price is already reported at its own field.
    if (!entry.ok && by !== 'price') return null
    const read = readExit(kind, state[kind], by, { side: state.side, entry: entry.ok ? entry.value : '0', orderValueUsdc: value, market })
    return read.ok ? read.value : issues.report(kind, read.failure)
  }
  const takeProfit = exit('takeProfit')
  const stopLoss = exit('stopLoss')
  if (!entry.ok && isMarket) issues.report(entry.failure.field, entry.failure.issue, entry.failure.untouched)
  const id = state.clientOrderId.trim()
  if (leverage === null || value === null || bps === null || !entry.ok) {
    // Check the other fields even if one field is unreadable, so that all problems are reported together.
    if (leverage !== null) issues.take('leverage', leverageIssue(leverage, market))
    if (entry.ok && !isMarket) issues.take(priceField(state), priceIssue(entry.value, market))
    if (value !== null) issues.take('orderValue', orderValueIssue(value, market))
    if (isMarket && bps !== null) issues.take('slippage', slippageIssue(bps))
    issues.take('clientOrderId', clientOrderIdIssue(id))
    return issues.reading<OpenTicket>(null)
  }

  const opening = {
    pairId: market.id,
    side: state.side,
    marginMode: state.marginMode,
    leverage,
    orderValueUsdc: value,
    takeProfit,
    stopLoss,
    ...(id === '' ? {} : { clientOrderId: id }),
  }
  const ticket = ticketOf(state, opening, entry.value, bps)
  issues.list.push(...checkTicket(ticket, market))
  return issues.reading(ticket)
}

function ticketOf(
  state: TicketState,
  opening: Omit<Extract<OpenTicket, { orderType: 'limit' }>, 'orderType' | 'limitPrice' | 'timeInForce' | 'postOnly'>,
  entry: string,
  bps: number,
): OpenTicket {
  const { orderType, timeInForce, postOnly, restIfUnfilled } = state
  switch (orderType) {
    case 'market':
      return { ...opening, orderType, referencePrice: entry, maxSlippageBps: bps, restIfUnfilled }
    case 'limit':
      return { ...opening, orderType, limitPrice: entry, timeInForce, postOnly }
    case 'stop':
      return { ...opening, orderType, triggerPrice: entry, timeInForce }
  }
}

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
