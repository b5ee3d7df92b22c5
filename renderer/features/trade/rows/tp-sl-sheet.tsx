import { type RefObject, useRef } from 'react'
import { changePercent, multiply } from '../../../../shared/decimal.ts'
import type { Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { readTpSl, type TpSlField, type TpSlState, tpSlOf } from '../../../../shared/ticket/actions/close-ticket.ts'
import { exitBy } from '../../../../shared/ticket/form/ticket-state.ts'
import { breakEvenInField, type ExitBy, type ExitKind, profitAt, readExit } from '../../../../shared/ticket/typed-price.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount } from '../../../kit/number.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { priceFormat } from '../market/feed.tsx'
import styles from '../trade.module.css'
import { FormSheet, useRowForm } from './form-sheet.tsx'
import { type PositionForm, symbolOf } from './row-subjects.ts'

/** Sets, moves or removes the take profit and the stop loss of a position. */
export function TpSlSheet(given: PositionForm) {
  const { position, seen, market, mark, start, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const form = useRowForm<TpSlState, TpSlField>(tpSlOf(seen), order, start)
  const reading = readTpSl(form.state, { position: seen, market, entryPrice: position.entryPrice }, mark)
  const errorAt = (field: TpSlField) => form.errorAt(reading.errors, field)
  const { takeProfit, takeProfitBy, stopLoss, stopLossBy } = form.state
  const price = priceFormat(market)
  return (
    <FormSheet
      title={tradeText.tpSlTitle(position.side, symbolOf(given))}
      lead={tradeText.tpSlLead}
      icon="target"
      review={tradeText.reviewTpSl}
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
      <Rows className={styles.risk}>
        <Row name={tradeText.entry}>
          <Amount value={position.entryPrice} {...price} />
        </Row>
        <Row name={tradeText.mark}>
          <Amount value={mark} {...price} />
        </Row>
        <Row name={tradeText.liquidation}>
          <Amount value={position.liquidationPrice} {...price} />
        </Row>
      </Rows>
    </FormSheet>
  )
}

interface ExitEntryProps {
  readonly kind: ExitKind
  readonly position: Position
  readonly market: Market
  readonly value: string
  readonly by: ExitBy
  readonly error: string | undefined
  readonly first?: RefObject<HTMLInputElement | null>
  readonly onChange: (value: string, by: ExitBy) => void
  readonly onBlur: () => void
}

const words = {
  takeProfit: { name: tradeText.takeProfit, unit: tradeText.takeProfitUnit, clear: tradeText.clearTakeProfit },
  stopLoss: { name: tradeText.stopLoss, unit: tradeText.stopLossUnit, clear: tradeText.clearStopLoss },
} as const
/** The distances from the entry price, in percent, that the user can choose with one press. */
const distances = ['1', '2', '5', '10'] as const
const exitControls = { takeProfit: 'row-take-profit', stopLoss: 'row-stop-loss' } as const
const units = { price: 'USDC', percent: '%', profit: 'USDC' } as const

/** The facts from which a position's TP/SL are calculated: its side, its entry price, and its value at that price. */
const exitFacts = ({ side, entryPrice, size }: Position, market: Market) => ({
  side,
  entry: entryPrice ?? '0',
  orderValueUsdc: entryPrice === null || size === null ? null : multiply(entryPrice, size),
  market,
})

/**
 * The field for one TP or SL of a position, typed as a price, a distance in percent, or an amount of profit. Emptying the field removes the TP or
 * SL.
 */
function ExitEntry({ kind, position, market, value, by, error, first, onChange, onBlur }: ExitEntryProps) {
  const id = exitControls[kind]
  const facts = exitFacts(position, market)
  const before = position[kind]
  const price = value.trim() === '' ? null : readExit(kind, value, by, facts)
  const at = price?.ok === true ? price.value : null
  const known = position.entryPrice !== null
  return (
    <Field
      id={id}
      label={words[kind].name}
      end={before === null ? tradeText.notSet : tradeText.nowAmount(<Amount value={before} {...priceFormat(market)} />)}
      error={error}
      help={
        at === null ? (
          value.trim() === '' && before !== null ? (
            tradeText.willBeRemoved
          ) : undefined
        ) : (
          <span className={styles.exitSays}>
            <span>{tradeText.atPrice(<Amount value={at} {...priceFormat(market)} />)}</span>
            {facts.orderValueUsdc === null ? null : (
              <Amount value={profitAt(at, { ...facts, orderValueUsdc: facts.orderValueUsdc })} decimals={2} signed unit="USDC" />
            )}
            {known ? <Amount value={changePercent(facts.entry, at, 2)} decimals={2} unit={tradeText.percentFromEntry} /> : null}
          </span>
        )
      }
    >
      <div className={styles.exitRow}>
        <Input
          id={id}
          {...(first === undefined ? {} : { ref: first })}
          numeric
          value={value}
          onChange={(next) => onChange(next, by)}
          onBlur={onBlur}
          invalid={error !== undefined}
          placeholder={tradeText.none}
          unit={
            kind === 'stopLoss' ? (
              <>
                {units[by]}
                <Button
                  size="xs"
                  title={tradeText.useEntry}
                  disabled={position.entryPrice === null}
                  onClick={() => position.entryPrice !== null && onChange(breakEvenInField(position.entryPrice, position.side, market), 'price')}
                >
                  {tradeText.breakEven}
                </Button>
              </>
            ) : (
              units[by]
            )
          }
        />
        <Segments
          label={words[kind].unit}
          size="md"
          choices={[
            { value: 'price', label: tradeText.price },
            { value: 'percent', label: '%', disabled: !known },
            { value: 'profit', label: kind === 'takeProfit' ? tradeText.profit : tradeText.loss, disabled: facts.orderValueUsdc === null },
          ]}
          value={by}
          onChange={(next) => onChange(value.trim() === '' ? '' : exitBy(kind, value, by, next, facts), next)}
        />
        <IconButton icon="trash" label={words[kind].clear} disabled={value.trim() === ''} onClick={() => onChange('', by)} />
      </div>
      {known ? (
        <Segments
          label={tradeText.percentFromEntryOf(words[kind].name)}
          size="md"
          block
          choices={distances.map((percent) => ({ value: percent as string, label: `${percent} %` }))}
          value={by === 'percent' ? value.trim() : ''}
          onChange={(percent) => onChange(percent, 'percent')}
        />
      ) : null}
    </Field>
  )
}
