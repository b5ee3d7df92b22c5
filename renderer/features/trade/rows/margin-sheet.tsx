import { useRef } from 'react'
import { roundTo } from '../../../../shared/decimal.ts'
import {
  type LeverageField,
  type MarginField,
  type MarginTicket,
  readLeverage,
  readMargin,
  summariseLeverage,
  summariseMargin,
} from '../../../../shared/ticket/actions/margin-ticket.ts'
import { typedWhole } from '../../../../shared/ticket/typed-number.ts'
import { Field, Input } from '../../../kit/input.tsx'
import { Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount } from '../../../kit/number.tsx'
import { Slider } from '../../../kit/slider.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import { FormSheet, useRowForm } from './form-sheet.tsx'
import { ChangeRow, LiquidationRow, RiskCosts, useRowRisk } from './row-risk.tsx'
import { freeAfter, liquidationWith, marginFacts, type PositionForm, symbolOf } from './row-subjects.ts'

const controls = { amount: 'row-margin' } as const

interface MarginState {
  readonly action: MarginTicket['action']
  readonly amount: string
}

/** Adds margin to an isolated position, or removes some. */
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
      title={tradeText.marginTitle(position.side, symbolOf(given))}
      lead={adds ? tradeText.addMarginLead : tradeText.removeMarginLead}
      icon="coins"
      review={adds ? tradeText.reviewAddedMargin : tradeText.reviewRemovedMargin}
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
        label={tradeText.margin}
        size="md"
        block
        choices={[
          { value: 'add_isolated_margin', label: tradeText.addMargin },
          { value: 'reduce_isolated_margin', label: tradeText.removeMargin },
        ]}
        value={action}
        onChange={(next) => form.edit({ action: next })}
      />
      <Field
        id="row-margin"
        label={tradeText.amount}
        end={adds ? tradeText.freeAmount(<Amount value={free} decimals={2} />) : tradeText.inPosition(<Amount value={position.marginUsdc} decimals={2} />)}
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
        <ChangeRow name={tradeText.margin} before={position.marginUsdc} after={after?.marginUsdc ?? null} decimals={2} unit="USDC" />
        <ChangeRow name={tradeText.leverage} before={position.leverage} after={after?.leverage ?? null} unit="×" />
        <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} own={liquidationWith(position, after?.marginUsdc ?? null)} />
        <ChangeRow name={tradeText.freeMargin} before={free} after={freeAfter(free, position.marginUsdc, after?.marginUsdc ?? null)} decimals={2} unit="USDC" />
        <RiskCosts risk={risk} />
      </Rows>
    </FormSheet>
  )
}

const leverageSheetControls = { leverage: 'row-leverage' } as const

/** Sets the leverage of an isolated position, which also changes its margin. */
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
      title={tradeText.leverageTitle(position.side, symbolOf(given))}
      lead={tradeText.leverageLead}
      icon="settings"
      review={tradeText.reviewLeverage}
      order={order}
      market={market}
      mark={mark}
      wait={null}
      issue={errorAt('form')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, leverageSheetControls, true)}
      onClose={onClose}
    >
      <Field id="row-leverage" label={tradeText.leverage} error={error}>
        <Input
          id="row-leverage"
          ref={first}
          large
          inputMode="numeric"
          value={leverage}
          onChange={(next) => form.edit({ leverage: next.replace(/[×x]$/i, '') })}
          onBlur={() => form.touch('leverage')}
          invalid={error !== undefined}
          unit={<>× {most === null ? null : <span className={styles.of}>{tradeText.ofMaximum(most)}</span>}</>}
        />
        {most === null ? null : (
          <Slider
            label={tradeText.leverageSlider}
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
        <ChangeRow name={tradeText.leverage} before={position.leverage} after={reading.ticket === null ? null : String(reading.ticket.leverage)} unit="×" />
        <ChangeRow name={tradeText.margin} before={position.marginUsdc} after={after?.marginUsdc ?? null} decimals={2} unit="USDC" />
        <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} own={liquidationWith(position, after?.marginUsdc ?? null)} />
        <ChangeRow name={tradeText.freeMargin} before={free} after={freeAfter(free, position.marginUsdc, after?.marginUsdc ?? null)} decimals={2} unit="USDC" />
        <RiskCosts risk={risk} />
      </Rows>
    </FormSheet>
  )
}
