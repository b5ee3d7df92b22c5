import { useRef } from 'react'
import { type ExitsField, type ExitsState, exitsOf, readExits } from '../../../../shared/ticket/actions/exits-ticket.ts'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Amount } from '../../../kit/number.tsx'
import { priceFormat } from '../market/feed.tsx'
import { ExitEntry, exitControls } from '../ticket/exit-entry.tsx'
import { FormSheet } from './form-sheet.tsx'
import { type PositionForm, symbolOf } from './row-context.ts'
import { useRowForm } from './use-row-form.ts'

/** Sets, moves or takes away the take profit and the stop loss of a position. */
export function ExitsSheet(given: PositionForm) {
  const { position, seen, market, mark, start, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const form = useRowForm<ExitsState, ExitsField>(exitsOf(seen), order, start)
  const reading = readExits(form.state, { position: seen, market, entryPrice: position.entryPrice }, mark)
  const errorAt = (field: ExitsField) => form.errorAt(reading.errors, field)
  const { takeProfit, takeProfitBy, stopLoss, stopLossBy } = form.state
  const price = priceFormat(market)
  return (
    <FormSheet
      title={`Exits of the ${position.side} on ${symbolOf(given)}`}
      lead="Each closes the whole position at market when the price gets there."
      icon="target"
      review="Review exits"
      order={order}
      market={market}
      mark={mark}
      wait={null}
      issue={errorAt('form')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, exitControls, true)}
      onClose={onClose}
    >
      <ExitEntry
        kind="takeProfit"
        position={position}
        market={market}
        value={takeProfit}
        by={takeProfitBy}
        error={errorAt('takeProfit')}
        first={first}
        onChange={(value, by) => form.edit({ takeProfit: value, takeProfitBy: by })}
        onBlur={() => form.touch('takeProfit')}
      />
      <ExitEntry
        kind="stopLoss"
        position={position}
        market={market}
        value={stopLoss}
        by={stopLossBy}
        error={errorAt('stopLoss')}
        onChange={(value, by) => form.edit({ stopLoss: value, stopLossBy: by })}
        onBlur={() => form.touch('stopLoss')}
      />
      <Rows className="risk">
        <Row name="Entry">
          <Amount value={position.entryPrice} {...price} />
        </Row>
        <Row name="Mark">
          <Amount value={mark} {...price} />
        </Row>
        <Row name="Liquidation">
          <Amount value={position.liquidationPrice} {...price} />
        </Row>
      </Rows>
    </FormSheet>
  )
}
