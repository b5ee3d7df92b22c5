import { type ReactNode, useId, useState } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { formatDecimal } from '../../../../shared/decimal.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { postOnlyRemark, type TicketSummary } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { sizeInUnit } from '../../../../shared/ticket/form/ticket-state.ts'
import type { SizeFacts, SizeUnit } from '../../../../shared/ticket/order-size.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount } from '../../../kit/number.tsx'
import { Slider } from '../../../kit/slider.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import { type FieldsProps, LeverageFields, PriceField, SideChoice, SlippageField } from './ticket-fields.tsx'
import { notTaken, shareOf, sizeAtShare } from './ticket-model.ts'
import { ExitFields } from './ticket-tp-sl.tsx'

interface FormProps {
  readonly fields: FieldsProps
  readonly mark: string | null
  readonly summary: TicketSummary | null
  readonly facts: SizeFacts
  readonly most: string | null
}

/** The ticket's fields for the chosen order type, in the order in which the user fills them in. */
export function TicketForm({ fields, mark, summary, facts, most }: FormProps) {
  const { state, market } = fields
  const exits = facts.entry === null ? null : { side: state.side, entry: facts.entry, orderValueUsdc: summary?.orderValueUsdc ?? null, market }
  const worstPrice = summary?.worstPrice ?? null
  const worst = worstPrice === null ? null : formatDecimal(worstPrice, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })
  const ofType: Readonly<Record<typeof state.orderType, ReactNode>> = {
    market: (
      <>
        <SlippageField {...fields} worst={worst === null ? null : state.side === 'long' ? tradeText.atMost(worst) : tradeText.atLeast(worst)} />
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

interface SizeProps extends FieldsProps {
  readonly summary: TicketSummary | null
  readonly facts: SizeFacts
  /** The maximum value of an order that can be opened, in USDC; `null` if unknown. */
  readonly most: string | null
}

/** The field for the order's size: in USDC, in the market's base asset or as a share of the free margin. The slider sets a share of the largest size. */
function SizeField({ state, market, edit, errorAt, touch, summary, facts, most }: SizeProps) {
  const error = errorAt('orderValue')
  const share = shareOf(summary?.orderValueUsdc ?? null, most)
  const units: readonly { readonly value: SizeUnit; readonly label: string }[] = [
    { value: 'usdc', label: 'USDC' },
    { value: 'base', label: market.base },
    { value: 'free_margin', label: tradeText.percentFree },
  ]
  const take = (percent: number) => most !== null && edit({ orderValue: sizeAtShare(percent, most, state.valueIn, facts) })
  return (
    <Field id="order-value" label={tradeText.orderValue} end={summary === null ? null : reading(state.valueIn, summary, facts)} error={error}>
      <Input
        id="order-value"
        large
        value={state.orderValue}
        onChange={(orderValue) => edit({ orderValue })}
        onBlur={() => touch('orderValue')}
        inputMode="decimal"
        placeholder="0.00"
        invalid={error !== undefined}
        unit={
          <>
            <UnitChoice
              label={tradeText.orderValueUnit}
              choices={units}
              value={state.valueIn}
              onChange={(valueIn) => edit({ valueIn, orderValue: sizeInUnit(state.orderValue, state.valueIn, valueIn, facts) })}
            />
            <Button size="xs" disabled={most === null} onClick={() => take(100)}>
              {tradeText.max}
            </Button>
          </>
        }
      />
      <Slider
        label={tradeText.shareSlider}
        min={0}
        max={100}
        value={Math.round(share)}
        onChange={take}
        stops={[25, 50, 75, 100]}
        text={`${Math.round(share)} %`}
        disabled={most === null}
      />
      <p className={styles.avail}>
        <span>{most === null ? tradeText.freeMarginUnknown : tradeText.shareOfMaximum(share.toFixed(share < 10 ? 1 : 0))}</span>
        {facts.freeMargin === null ? null : <span>{tradeText.freeAmount(<Amount value={facts.freeMargin} decimals={2} />)}</span>}
      </p>
    </Field>
  )
}

/** Shows the size in a second unit: in base units if the user typed USDC, otherwise in USDC. */
function reading(unit: SizeUnit, { baseSize, orderValueUsdc }: TicketSummary, { market }: SizeFacts): string {
  if (unit !== 'usdc') return tradeText.usdcAmount(formatDecimal(orderValueUsdc, { decimals: 2 }))
  return `${formatDecimal(baseSize, market.sizeDecimals === null ? {} : { decimals: market.sizeDecimals })} ${market.base}`
}

interface UnitChoiceProps<V extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: V; readonly label: string }[]
  readonly value: V
  readonly onChange: (value: V) => void
}

function UnitChoice<V extends string>({ label, choices, value, onChange }: UnitChoiceProps<V>) {
  return (
    <span className={styles.unitPick}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </span>
  )
}

/** The fields for how long the order stays valid, and whether it may take liquidity (post only). */
function TimeInForceFields({ state, offers, edit }: FieldsProps) {
  const odd = state.orderType === 'limit' ? postOnlyRemark(state) : null
  return (
    <div className={controlsStyles.field}>
      <div className={styles.options}>
        <Segments
          label={tradeText.timeInForce}
          choices={[
            { value: 'gtc', why: notTaken('timesInForce', 'gtc', offers), label: <abbr title={tradeText.goodTillCancelled}>{tradeText.gtc}</abbr> },
            { value: 'ioc', why: notTaken('timesInForce', 'ioc', offers), label: <abbr title={tradeText.immediateOrCancel}>{tradeText.ioc}</abbr> },
            { value: 'fok', why: notTaken('timesInForce', 'fok', offers), label: <abbr title={tradeText.fillOrKill}>{tradeText.fok}</abbr> },
          ]}
          value={state.timeInForce}
          onChange={(timeInForce) => edit({ timeInForce })}
        />
        {state.orderType === 'limit' ? (
          <Checkbox
            id="post-only"
            {...(odd === null ? {} : { describedBy: 'post-only-help' })}
            checked={state.postOnly}
            onChange={(postOnly) => edit({ postOnly })}
          >
            {tradeText.postOnly}
          </Checkbox>
        ) : null}
      </div>
      {odd === null ? null : (
        <p className={cx(controlsStyles.help, controlsStyles.warn)} id="post-only-help">
          <Icon name="warn" />
          <span>{formIssueText(odd)}</span>
        </p>
      )}
    </div>
  )
}

function RestChoice({ state, edit }: Pick<FieldsProps, 'state' | 'edit'>) {
  return (
    <Checkbox checked={state.restIfUnfilled} onChange={(restIfUnfilled) => edit({ restIfUnfilled })}>
      {tradeText.restAsLimitOrder}
    </Checkbox>
  )
}

/** The collapsed part of the ticket with rarely used fields: the order id that the user chooses. */
function MoreTerms({ state, edit, errorAt, touch }: FieldsProps) {
  const id = useId()
  const error = errorAt('clientOrderId')
  const [opened, setOpened] = useState(state.clientOrderId !== '')
  const open = opened || error !== undefined
  return (
    <div className={styles.ticketMore}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpened(!open)}>
        <Icon name="chevron-right" size={14} />
        {tradeText.more}
      </button>
      <div id={id} hidden={!open}>
        <Field
          id="client-order-id"
          label={tradeText.clientOrderId}
          end={tradeText.usedOf(state.clientOrderId.trim().length, limits.clientOrderIdLength)}
          help={tradeText.clientOrderIdHelp}
          error={error}
        >
          <Input
            id="client-order-id"
            mono
            value={state.clientOrderId}
            onChange={(clientOrderId) => edit({ clientOrderId })}
            onBlur={() => touch('clientOrderId')}
            invalid={error !== undefined}
          />
        </Field>
      </div>
    </div>
  )
}
