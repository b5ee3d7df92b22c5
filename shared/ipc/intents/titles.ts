import { z } from 'zod'
import { Side, TokenSymbol } from './tickets.ts'

const Named = z.object({ side: Side.nullable(), symbol: z.string().nullable(), pairId: z.number().int().nullable() })
export type Named = z.infer<typeof Named>

/**
 * What an intent does, for lists and headings. `titleText` (`shared/text/title-text.ts`) turns it into words. Amounts are decimal text. Prices are
 * already formatted with the decimals of their market.
 */
export const Title = z.discriminatedUnion('code', [
  /**
   * Opening a position. `price`: the limit or trigger price; null for a market order. `symbol` null: the list already shows the market beside the
   * title.
   */
  z.object({
    ...{ code: z.literal('open'), side: Side, orderType: z.enum(['market', 'limit', 'stop']), orderValueUsdc: z.string() },
    ...{ price: z.string().nullable(), symbol: z.string().nullable() },
  }),
  /** Closing a position. `size` null: the whole position. `limitPrice` null: at market price. */
  z.object({ code: z.literal('close'), of: Named, size: z.string().nullable(), limitPrice: z.string().nullable() }),
  z.object({ code: z.literal('invert'), of: Named }),
  /** A change of take profit or stop loss. null removes the price; an absent price stays unchanged. */
  z.object({ code: z.literal('tpsl'), of: Named, takeProfit: z.string().nullable().optional(), stopLoss: z.string().nullable().optional() }),
  z.object({ code: z.literal('increase'), of: Named, orderValueUsdc: z.string() }),
  z.object({ code: z.literal('reduce'), of: Named, size: z.string() }),
  z.object({ code: z.enum(['add_margin', 'take_margin']), of: Named, amountUsdc: z.string() }),
  z.object({ code: z.literal('leverage'), of: Named, leverage: z.number() }),
  z.object({ code: z.enum(['cancel', 'replace']), of: Named }),
  z.object({ code: z.enum(['deposit', 'withdraw']), amount: z.string(), token: TokenSymbol }),
  z.object({ code: z.literal('batch'), actions: z.number().int() }),
  /** A payment for executions of an API key. `label`: the key's label. */
  z.object({ code: z.literal('payment'), amountUsdc: z.string(), label: z.string() }),
  /** A title that an earlier version of the app stored as text. */
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type Title = z.infer<typeof Title>
