import { formatDecimal, fromUnits, toUnits } from '../../decimal.ts'
import type { Against, LineValue } from '../../ipc/intents/comparison-lines.ts'
import type { ActionTicket, SeenOrder } from '../../ipc/intents/tickets.ts'
import { type TokenRole, tokenRole } from '../../positions.ts'
import { type Answer, differ, match, ratioRemark, Scaled } from '../answers.ts'
import { leafValue } from '../comparison.ts'
import { addressPair, checksummed } from '../message/envelope.ts'
import { isEmptyValue } from '../message/signing-format.ts'
import type { TypedLeaf } from '../message/typed-data.ts'
import { amountText, idQuestion, orEmpty, type PriceRole, priceQuestion, type Question } from '../question-kinds.ts'
import { leverageScale, priceScale } from '../scales.ts'
import { type PinnedScales, sameAddress, type TrustedFormat } from '../trust.ts'
import { unlimitedFrom } from './payment.ts'
import type { DecodedCall, RouterFunction } from './router-calls.ts'

/** What the app must know to compare the arguments of a contract call. */
export interface CallFacts {
  readonly ticket: ActionTicket
  readonly router: string | null
  /** USDC and the protocol's own token. `decimals` null: the chain did not return the number of decimals. */
  readonly tokens: Readonly<Record<TokenRole, { readonly address: string | null; readonly decimals: number | null }>>
  readonly priceDecimals: number | null
}

export type CallQuestion = Question<string>

/** USDC amounts in router calls are integers in millionths. The scale is fixed by the token, unlike the scale of prices, which the app must learn. */
const usdcDecimals = 6

/** Returns the router functions that an action may call. Empty if the app knows no function for the action. */
export function functionsOf(ticket: ActionTicket): readonly RouterFunction[] {
  switch (ticket.action) {
    case 'update_tpsl':
      return ['updateTpSl']
    case 'add_isolated_margin':
      return ['addMargin']
    case 'reduce_isolated_margin':
      return ['reduceMargin']
    case 'change_isolated_leverage':
      return ['changeLeverage']
    case 'cancel_order':
      return ['cancelOrder']
    case 'replace_order':
      return ['replaceOrder']
    case 'add_collateral':
      return tokenRole(ticket.token) === 'USDC' ? ['deposit', 'depositToken'] : ['depositToken']
    case 'withdraw_collateral':
      return tokenRole(ticket.token) === 'USDC' ? ['withdraw', 'withdrawToken'] : ['withdrawToken']
    case 'close_position_market':
    case 'close_position_limit':
    case 'invert_position':
      return []
  }
}

function amountQuestion(role: string, asked: string, unit: string, decimals: number | null, noun: Against): CallQuestion {
  const said: Answer = (leaf) => {
    if (typeof leaf.value !== 'bigint') return differ(leafValue(leaf))
    if (decimals === null) return differ(leafValue(leaf), { code: 'decimals_unknown' })
    if (leaf.value === toUnits(asked, decimals)) return match(amountText(asked))
    const reading = fromUnits(leaf.value, decimals)
    return leaf.value >= unlimitedFrom ? differ({ code: 'no_limit' }, { code: 'no_limit' }) : differ(amountText(reading), ratioRemark(asked, reading, noun))
  }
  return { role, asked: amountText(asked), unit, unused: false, said }
}

function addressQuestion(role: 'spender' | 'token', asked: string | null): CallQuestion {
  const said: Answer = (leaf) => {
    const value = String(leaf.value)
    if (asked === null) return { value, verdict: 'unmatched', remark: { code: role === 'spender' ? 'router_not_pinned' : 'token_not_known' } }
    return sameAddress(value, asked) ? match(addressPair(asked, value).signed) : differ(value)
  }
  return {
    role,
    asked: asked === null ? { code: role === 'spender' ? 'no_router_pinned' : 'token_unknown' } : checksummed(asked),
    unit: null,
    unused: false,
    said,
  }
}

const asItIs: LineValue = { code: 'as_it_is' }

/**
 * Creates the `Question` for an argument whose current value the screen did not show. The app has no requested value to compare the argument with.
 */
const unknownQuestion = (role: string): CallQuestion => ({
  role,
  asked: asItIs,
  unit: null,
  unused: true,
  said: (leaf) => (isEmptyValue(leaf.value) ? match(asItIs) : { value: leafValue(leaf), verdict: 'unmatched', remark: { code: 'not_shown' } }),
})

/** The price that each price argument of a call should contain. null: the argument must be empty. */
type AskedPrices = Partial<Readonly<Record<PriceRole, string | null>>>

/** Returns the requested value for each argument of a call, and the scales at which the app read the arguments. */
export function callQuestions(
  call: DecodedCall,
  facts: CallFacts,
  pin: TrustedFormat | null,
): { readonly list: readonly CallQuestion[]; readonly scales: PinnedScales } {
  const { ticket, priceDecimals } = facts
  const of = (role: string): readonly TypedLeaf[] => call.leaves.filter(({ path }) => path === role)
  const none = { usdcScale: null, priceScale: null, leverageScale: null, sizeScale: null }
  const pricesOf = (prices: AskedPrices) => {
    const roles = (['limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const).filter((role) => prices[role] !== undefined)
    const scaled = new Scaled(
      priceScale,
      pin?.priceScale ?? null,
      roles.flatMap((role) => of(role).flatMap((leaf) => (leaf.value === 0n ? [] : [{ leaf, asked: prices[role] ?? '0' }]))),
    )
    return { scaled, question: (role: PriceRole): CallQuestion => priceQuestion(role, prices[role] ?? null, scaled, priceDecimals) }
  }
  switch (ticket.action) {
    case 'update_tpsl': {
      const { position } = ticket
      const prices = pricesOf({
        takeProfit: ticket.takeProfit === undefined ? position.takeProfit : ticket.takeProfit,
        stopLoss: ticket.stopLoss === undefined ? position.stopLoss : ticket.stopLoss,
      })
      return {
        list: [idQuestion('positionId', position.positionId), prices.question('takeProfit'), prices.question('stopLoss')],
        scales: { ...none, priceScale: prices.scaled.scale },
      }
    }
    case 'add_isolated_margin':
    case 'reduce_isolated_margin':
      return {
        list: [idQuestion('positionId', ticket.position.positionId), amountQuestion('amount', ticket.amountUsdc, 'USDC', usdcDecimals, 'asked')],
        scales: none,
      }
    case 'change_isolated_leverage': {
      const asked = ticket.leverage.toString()
      const scaled = new Scaled(
        leverageScale,
        pin?.leverageScale ?? null,
        of('leverage').map((leaf) => ({ leaf, asked })),
      )
      const times = (value: string): string => `${formatDecimal(value)}×`
      const leverage: CallQuestion = {
        role: 'leverage',
        asked: times(asked),
        unit: null,
        unused: false,
        said: scaled.said(asked, 'leverage', times),
      }
      return { list: [idQuestion('positionId', ticket.position.positionId), leverage], scales: { ...none, leverageScale: scaled.scale } }
    }
    case 'cancel_order':
      return { list: [idQuestion('orderId', ticket.order.orderId)], scales: none }
    case 'replace_order': {
      const { order } = ticket
      const terms = (role: 'limitPrice' | 'triggerPrice' | 'takeProfit' | 'stopLoss'): string | null =>
        ticket[role] === undefined ? order[role] : (ticket[role] ?? null)
      const prices = pricesOf({
        limitPrice: terms('limitPrice'),
        triggerPrice: terms('triggerPrice'),
        takeProfit: terms('takeProfit'),
        stopLoss: terms('stopLoss'),
      })
      return {
        list: [
          idQuestion('orderId', order.orderId),
          valueOfReplacement(ticket.orderValueUsdc, order),
          ...(['limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const).map((role) => keptPrice(role, ticket[role], order, prices.question(role))),
        ],
        scales: { ...none, priceScale: prices.scaled.scale },
      }
    }
    case 'add_collateral':
    case 'withdraw_collateral': {
      const { address, decimals } = facts.tokens[tokenRole(ticket.token)]
      return {
        list: [
          ...(of('spender').length > 0 ? [addressQuestion('spender', facts.router)] : []),
          ...(of('token').length > 0 ? [addressQuestion('token', address)] : []),
          amountQuestion('amount', ticket.amount, ticket.token, decimals, 'asked'),
        ],
        scales: none,
      }
    }
    case 'close_position_market':
    case 'close_position_limit':
    case 'invert_position':
      return { list: [], scales: none }
  }
}

function valueOfReplacement(changed: string | undefined, { orderValueUsdc }: SeenOrder): CallQuestion {
  const asked = changed ?? orderValueUsdc
  if (asked === null) return unknownQuestion('orderValue')
  const question = amountQuestion('orderValue', asked, 'USDC', usdcDecimals, 'order')
  // If the user does not change the order value, the call may contain 0 instead. No order has the value 0, so this can only mean "unchanged".
  return changed === undefined ? orEmpty(question) : question
}

/**
 * Creates the `Question` for a price that the ticket does not change. The call may omit the limit or trigger price, but not TP or SL: omitting TP or
 * SL would remove them from the order.
 */
function keptPrice(
  role: 'limitPrice' | 'triggerPrice' | 'takeProfit' | 'stopLoss',
  changed: string | null | undefined,
  order: SeenOrder,
  question: CallQuestion,
): CallQuestion {
  if (changed !== undefined) return question
  // An order has either a limit price or a trigger price. If one of them is known, the other must be empty in the call.
  const another = role === 'limitPrice' ? order.triggerPrice : role === 'triggerPrice' ? order.limitPrice : null
  if (order[role] === null) return another === null ? unknownQuestion(role) : question
  return role === 'limitPrice' || role === 'triggerPrice' ? orEmpty(question) : question
}
