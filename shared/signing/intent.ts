import { marginModes, orderTypes, sides, timesInForce } from '../api/names/word-class.ts'
import type { AskedOrder } from './asked-order.ts'
import type { AskedValue } from './by-value.ts'
import { compareMessage, type MessageExpectation } from './compare-message.ts'
import type { Compared } from './comparison.ts'
import type { TypedData } from './message/typed-data.ts'
import { type OrderRole, orderAliases, questions } from './order-questions.ts'

export interface IntentExpectation extends MessageExpectation {
  readonly order: AskedOrder
  /** Decimals of a price of this market, for display. */
  readonly priceDecimals: number | null
}

const prices = ['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const

/** The signed intent of an `open_position`, held against the order that was asked for. */
export function compareIntent(typedData: TypedData, expectation: IntentExpectation): Compared {
  const { order } = expectation
  const values: readonly AskedValue<OrderRole>[] = [
    { role: 'orderValue', asked: order.orderValueUsdc, kind: 'number' },
    ...prices.map((role): AskedValue<OrderRole> => ({ role, asked: order[role], kind: 'number' })),
    { role: 'maxSlippageBps', asked: order.maxSlippageBps, kind: 'slippage' },
    { role: 'clientOrderId', asked: order.clientOrderId, kind: 'id' },
    { role: 'side', kind: 'words', of: sides },
    { role: 'orderType', kind: 'words', of: orderTypes },
    { role: 'marginMode', kind: 'words', of: marginModes },
    { role: 'timeInForce', kind: 'words', of: timesInForce },
  ]
  return compareMessage<OrderRole>(
    typedData,
    {
      title: `Open a ${order.side} on ${order.symbol ?? `market ${order.pairId}`}`,
      variant: order.orderType,
      isExit: false,
      aliases: orderAliases,
      ask: (found, pin) => questions(expectation, found, pin),
      values,
      core: ['pairId', 'side', 'orderValue'],
      withoutCore: 'The prepared message says nothing of your order: neither its market, nor its side, nor its value.',
    },
    expectation,
  )
}
