import type { ReactNode } from 'react'
import { formatDecimal } from '../../../../shared/decimal.ts'
import type { TicketSummary } from '../../../../shared/ticket/form/summarise-ticket.ts'
import type { SizeFacts } from '../../../../shared/ticket/order-size.ts'
import { ExitFields } from './ticket-exits.tsx'
import { type FieldsProps, LeverageFields, SideChoice, SlippageField } from './ticket-fields.tsx'
import { PriceField } from './ticket-price.tsx'
import { SizeField } from './ticket-size.tsx'
import { MoreTerms, RestChoice, TimeInForceFields } from './ticket-terms.tsx'

interface FormProps {
  readonly fields: FieldsProps
  readonly mark: string | null
  readonly summary: TicketSummary | null
  readonly facts: SizeFacts
  readonly most: string | null
}

/** The fields of one kind of order, in the order in which they are filled in. */
export function TicketForm({ fields, mark, summary, facts, most }: FormProps) {
  const { state, market } = fields
  const exits = facts.entry === null ? null : { side: state.side, entry: facts.entry, orderValueUsdc: summary?.orderValueUsdc ?? null, market }
  const worst = summary?.worstPrice ?? null
  const ofType: Readonly<Record<typeof state.orderType, ReactNode>> = {
    market: (
      <>
        <SlippageField
          {...fields}
          worst={
            worst === null
              ? null
              : `${state.side === 'long' ? 'at most' : 'at least'} ${formatDecimal(worst, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })}`
          }
        />
        <RestChoice {...fields} />
      </>
    ),
    limit: <TimeInForceFields {...fields} />,
    stop: <TimeInForceFields {...fields} />,
  }
  return (
    <>
      <SideChoice {...fields} />
      <LeverageFields {...fields} />
      {state.orderType === 'market' ? null : (
        <PriceField key={state.orderType} kind={state.orderType === 'limit' ? 'limitPrice' : 'triggerPrice'} mark={mark} {...fields} />
      )}
      <SizeField {...fields} summary={summary} facts={facts} most={most} />
      {ofType[state.orderType]}
      <ExitFields {...fields} summary={summary} facts={exits} />
      <MoreTerms {...fields} />
    </>
  )
}
