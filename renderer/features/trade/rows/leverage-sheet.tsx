import { useRef } from 'react'
import { roundTo } from '../../../../shared/decimal.ts'
import { type LeverageField, readLeverage, summariseLeverage } from '../../../../shared/ticket/actions/margin-ticket.ts'
import { typedWhole } from '../../../../shared/ticket/typed-number.ts'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Rows } from '../../../kit/layout/panel.tsx'
import { Slider } from '../../../kit/slider.tsx'
import { ChangeRow } from '../change-row.tsx'
import styles from '../trade.module.css'
import { FormSheet } from './form-sheet.tsx'
import { type PositionForm, symbolOf } from './row-context.ts'
import { freeAfter, liquidationWith } from './row-figures.ts'
import { LiquidationRow, RiskCosts, useRowRisk } from './row-risk.tsx'
import { marginFacts } from './row-subjects.ts'
import { useRowForm } from './use-row-form.ts'

const controls = { leverage: 'row-leverage' } as const

/** Sets the leverage of an isolated position, and with it its margin. */
export function LeverageSheet(given: PositionForm) {
  const { position, seen, market, mark, account, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const now = position.leverage === null ? '' : roundTo(position.leverage, 0)
  const form = useRowForm<{ readonly leverage: string }, LeverageField>({ leverage: now }, order)
  const { leverage } = form.state
  const free = account?.freeMargin ?? null
  const facts = marginFacts(position, free)
  const reading = readLeverage(leverage, seen, market, facts)
  const errorAt = (field: LeverageField) => form.errorAt(reading.errors, field)
  const after = reading.ticket === null ? null : summariseLeverage(reading.ticket, facts)
  const risk = useRowRisk(reading.ticket)
  const most = market.maxLeverage
  const value = typedWhole(leverage) ?? 1
  const error = errorAt('leverage')
  return (
    <FormSheet
      title={`Leverage of the ${position.side} on ${symbolOf(given)}`}
      lead="The size stays; the margin behind it changes."
      icon="settings"
      review="Review leverage"
      order={order}
      market={market}
      mark={mark}
      wait={null}
      issue={errorAt('form')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, controls, true)}
      onClose={onClose}
    >
      <Field id="row-leverage" label="Leverage" error={error}>
        <Input
          id="row-leverage"
          ref={first}
          large
          inputMode="numeric"
          value={leverage}
          onChange={(next) => form.edit({ leverage: next.replace(/[×x]$/i, '') })}
          onBlur={() => form.touch('leverage')}
          invalid={error !== undefined}
          unit={<>× {most === null ? null : <span className={styles.of}>of {most}×</span>}</>}
        />
        {most === null ? null : (
          <Slider
            label="Leverage, by slider"
            min={1}
            max={most}
            value={Math.min(Math.max(value, 1), most)}
            onChange={(next) => form.edit({ leverage: String(next) })}
            stops={[0.25, 0.5, 0.75, 1].map((part) => Math.max(1, Math.round(most * part)))}
            text={`${value}×`}
          />
        )}
      </Field>
      <Rows className={styles.risk}>
        <ChangeRow name="Leverage" before={position.leverage} after={reading.ticket === null ? null : String(reading.ticket.leverage)} unit="×" />
        <ChangeRow name="Margin" before={position.marginUsdc} after={after?.marginUsdc ?? null} decimals={2} unit="USDC" />
        <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} own={liquidationWith(position, after?.marginUsdc ?? null)} />
        <ChangeRow name="Free margin" before={free} after={freeAfter(free, position.marginUsdc, after?.marginUsdc ?? null)} decimals={2} unit="USDC" />
        <RiskCosts risk={risk} />
      </Rows>
    </FormSheet>
  )
}
