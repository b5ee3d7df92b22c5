import { useRef } from 'react'
import type { SeenOrder } from '../../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { type ReplaceField, type ReplaceState, readReplace, replacementOf } from '../../../../shared/ticket/actions/replace-ticket.ts'
import { Field, Input } from '../../../kit/input.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Amount } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { priceFormat } from '../market/feed.tsx'
import styles from '../trade.module.css'
import type { OrderFlow } from '../use-order-flow.ts'
import { FormSheet, useRowForm } from './form-sheet.tsx'
import { ChangeRow } from './row-risk.tsx'

interface ReplaceProps {
  readonly row: OpenOrder
  readonly seen: SeenOrder
  /** Initial values of the form that differ from the order's current ones. */
  readonly start: Partial<ReplaceState>
  readonly market: Market
  readonly mark: string | null
  readonly order: OrderFlow
  readonly onClose: () => void
}

interface Changeable {
  readonly field: keyof ReplaceState
  readonly seenAs: 'orderValueUsdc' | 'limitPrice' | 'triggerPrice' | 'takeProfit' | 'stopLoss'
  readonly name: string
}

const all: readonly Changeable[] = [
  { field: 'orderValue', seenAs: 'orderValueUsdc', name: tradeText.orderValue },
  { field: 'limitPrice', seenAs: 'limitPrice', name: tradeText.limitPrice },
  { field: 'triggerPrice', seenAs: 'triggerPrice', name: tradeText.triggerPrice },
  { field: 'takeProfit', seenAs: 'takeProfit', name: tradeText.takeProfit },
  { field: 'stopLoss', seenAs: 'stopLoss', name: tradeText.stopLoss },
]
const isExit = ({ field }: Changeable): boolean => field === 'takeProfit' || field === 'stopLoss'
const controlOf = (field: keyof ReplaceState) => `row-${field}` as const
const controls = Object.fromEntries(all.map(({ field }) => [field, controlOf(field)]))

/** Lists what the user can change on an order: its value, its prices, and TP/SL. An order that only reduces a position has no TP/SL. */
const changeable = (row: OpenOrder, seen: SeenOrder): readonly Changeable[] =>
  all.filter((one) => (isExit(one) ? row.reduceOnly !== true : one.field === 'orderValue' || seen[one.seenAs] !== null))

/** Changes an open order. Shows the old and new values side by side. */
export function ReplaceSheet({ row, seen, start, market, mark, order, onClose }: ReplaceProps) {
  const first = useRef<HTMLInputElement>(null)
  const form = useRowForm<ReplaceState, ReplaceField>(replacementOf(seen), order, start)
  const reading = readReplace(form.state, seen, market)
  const errorAt = (field: ReplaceField) => form.errorAt(reading.errors, field)
  const fields = changeable(row, seen)
  const format = ({ field }: Changeable) => (field === 'orderValue' ? { decimals: 2 } : priceFormat(market))
  const symbol = row.symbol ?? market.symbol
  return (
    <FormSheet
      title={tradeText.changeOrderTitle(row.side, symbol)}
      lead={tradeText.changeOrderLead}
      icon="pen"
      review={tradeText.reviewChanges}
      order={order}
      market={market}
      mark={mark}
      wait={null}
      issue={errorAt('form')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, controls, true)}
      onClose={onClose}
    >
      {fields.map((one, index) => {
        const { field, seenAs, name } = one
        const error = errorAt(field)
        return (
          <Field
            key={field}
            id={controlOf(field)}
            label={name}
            end={seen[seenAs] === null ? tradeText.notSet : tradeText.nowAmount(<Amount value={seen[seenAs]} {...format(one)} />)}
            error={error}
          >
            <Input
              id={controlOf(field)}
              {...(index === 0 ? { ref: first } : {})}
              numeric
              value={form.state[field]}
              onChange={(value) => form.edit({ [field]: value })}
              onBlur={() => form.touch(field)}
              invalid={error !== undefined}
              placeholder={isExit(one) ? tradeText.none : ''}
              unit="USDC"
            />
          </Field>
        )
      })}
      <Rows className={styles.risk}>
        {fields.map((one) => {
          const after = reading.ticket?.[one.seenAs]
          return after === null ? (
            <Row key={one.field} name={one.name}>
              {tradeText.removedAmount(
                <span className={textStyles.was}>
                  <Amount value={seen[one.seenAs]} {...format(one)} />
                </span>,
              )}
            </Row>
          ) : (
            <ChangeRow key={one.field} name={one.name} before={seen[one.seenAs]} after={after ?? null} {...format(one)} />
          )
        })}
        <Row name={tradeText.mark}>
          <Amount value={mark} {...priceFormat(market)} />
        </Row>
      </Rows>
    </FormSheet>
  )
}
