import { useRef } from 'react'
import { negate } from '../../../../shared/decimal.ts'
import { type InvertField, readInvert } from '../../../../shared/ticket/actions/close-ticket.ts'
import { priceWithin } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Amount } from '../../../kit/number.tsx'
import { Side } from '../../../kit/side.tsx'
import { ChangeRow } from '../change-row.tsx'
import { priceFormat, sizeFormat } from '../market/feed.tsx'
import { SlippageEntry } from '../ticket/slippage-entry.tsx'
import { FormSheet } from './form-sheet.tsx'
import { oldPrice, type PositionForm, symbolOf } from './row-context.ts'
import { LiquidationRow, RiskCosts, useRowRisk } from './row-risk.tsx'
import { useRowForm } from './use-row-form.ts'

const controls: Readonly<Record<InvertField, string>> = { slippage: 'row-slippage', referencePrice: 'row-slippage' }

/** Closes a position and opens the same size on the other side, at market. */
export function InvertSheet(given: PositionForm) {
  const { position, seen, market, mark, fresh, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const form = useRowForm<{ readonly slippagePercent: string }, InvertField>({ slippagePercent: '0.5' }, order)
  const reading = readInvert(form.state.slippagePercent, seen, mark)
  const errorAt = (field: InvertField) => form.errorAt(reading.errors, field)
  const other = position.side === 'long' ? 'short' : 'long'
  const wait = fresh ? null : oldPrice
  const { ticket } = reading
  const risk = useRowRisk(ticket)
  const signed = (side: 'long' | 'short') => (position.size === null ? null : side === 'short' ? negate(position.size) : position.size)
  return (
    <FormSheet
      title={`Invert the ${position.side} on ${symbolOf(given)}`}
      lead={`The ${position.side} is closed and a ${other} of the same size is opened, in one order.`}
      icon="swap"
      review={`Review turning ${other}`}
      order={order}
      market={market}
      mark={mark}
      wait={wait}
      issue={errorAt('referencePrice')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, controls, wait === null)}
      onClose={onClose}
    >
      <SlippageEntry
        value={form.state.slippagePercent}
        error={errorAt('slippage')}
        onChange={(slippagePercent) => form.edit({ slippagePercent })}
        onBlur={() => form.touch('slippage')}
      />
      <Rows className="risk">
        <Row name="Side">
          <Side side={position.side} />
          <Icon name="arrow-right" size={14} className="dim" />
          <span className="sr"> becomes </span>
          <Side side={other} />
        </Row>
        <ChangeRow name="Size" before={signed(position.side)} after={signed(other)} {...sizeFormat(market)} unit={market.base} />
        <Row name="Price, about">
          <Amount value={mark} {...priceFormat(market)} />
        </Row>
        <Row name="Worst price">
          <Amount
            value={ticket === null ? null : priceWithin(position.side === 'long' ? 'sell' : 'buy', ticket.referencePrice, ticket.maxSlippageBps)}
            {...priceFormat(market)}
          />
        </Row>
        <Row name="Profit that becomes real, about">
          <Amount value={position.unrealisedPnl} decimals={2} signed unit="USDC" />
        </Row>
        <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} />
        <RiskCosts risk={risk} />
      </Rows>
    </FormSheet>
  )
}
