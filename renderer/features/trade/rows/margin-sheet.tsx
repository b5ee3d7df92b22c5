import { useRef } from 'react'
import { type MarginField, type MarginTicket, readMargin, summariseMargin } from '../../../../shared/ticket/actions/margin-ticket.ts'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import { Amount } from '../../../kit/number.tsx'
import { ChangeRow } from '../change-row.tsx'
import styles from '../trade.module.css'
import { FormSheet } from './form-sheet.tsx'
import { type PositionForm, symbolOf } from './row-context.ts'
import { freeAfter, liquidationWith } from './row-figures.ts'
import { LiquidationRow, RiskCosts, useRowRisk } from './row-risk.tsx'
import { marginFacts } from './row-subjects.ts'
import { useRowForm } from './use-row-form.ts'

const controls = { amount: 'row-margin' } as const

interface MarginState {
  readonly action: MarginTicket['action']
  readonly amount: string
}

/** Puts margin into an isolated position, or takes some out. */
export function MarginSheet(given: PositionForm) {
  const { position, seen, market, mark, account, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const form = useRowForm<MarginState, MarginField>({ action: 'add_isolated_margin', amount: '' }, order)
  const { action, amount } = form.state
  const adds = action === 'add_isolated_margin'
  const free = account?.freeMargin ?? null
  const facts = marginFacts(position, free)
  const reading = readMargin(action, amount, seen, facts)
  const errorAt = (field: MarginField) => form.errorAt(reading.errors, field)
  const after = reading.ticket === null ? null : summariseMargin(reading.ticket, facts)
  const risk = useRowRisk(reading.ticket)
  const error = errorAt('amount')
  return (
    <FormSheet
      title={`Margin of the ${position.side} on ${symbolOf(given)}`}
      lead={adds ? 'More of it moves the liquidation price away.' : 'Less of it brings the liquidation price nearer.'}
      icon="coins"
      review={adds ? 'Review adding margin' : 'Review taking margin out'}
      order={order}
      market={market}
      mark={mark}
      wait={null}
      issue={errorAt('form')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, controls, true)}
      onClose={onClose}
    >
      <Segments
        label="Margin"
        size="md"
        block
        choices={[
          { value: 'add_isolated_margin', label: 'Add' },
          { value: 'reduce_isolated_margin', label: 'Take out' },
        ]}
        value={action}
        onChange={(next) => form.edit({ action: next })}
      />
      <Field
        id="row-margin"
        label="Amount"
        end={
          adds ? (
            <>
              free <Amount value={free} decimals={2} />
            </>
          ) : (
            <>
              in it <Amount value={position.marginUsdc} decimals={2} />
            </>
          )
        }
        error={error}
      >
        <Input
          id="row-margin"
          ref={first}
          large
          inputMode="decimal"
          placeholder="0.00"
          value={amount}
          onChange={(next) => form.edit({ amount: next })}
          onBlur={() => form.touch('amount')}
          invalid={error !== undefined}
          unit="USDC"
        />
      </Field>
      <Rows className={styles.risk}>
        <ChangeRow name="Margin" before={position.marginUsdc} after={after?.marginUsdc ?? null} decimals={2} unit="USDC" />
        <ChangeRow name="Leverage" before={position.leverage} after={after?.leverage ?? null} unit="×" />
        <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} own={liquidationWith(position, after?.marginUsdc ?? null)} />
        <ChangeRow name="Free margin" before={free} after={freeAfter(free, position.marginUsdc, after?.marginUsdc ?? null)} decimals={2} unit="USDC" />
        <RiskCosts risk={risk} />
      </Rows>
    </FormSheet>
  )
}
