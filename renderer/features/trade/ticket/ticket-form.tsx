import { type ReactNode, useId, useState } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { formatDecimal } from '../../../../shared/decimal.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { type ExitOutcome, postOnlyRemark, type TicketSummary } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { exitBy, sizeInUnit } from '../../../../shared/ticket/form/ticket-state.ts'
import type { SizeFacts, SizeUnit } from '../../../../shared/ticket/order-size.ts'
import { readAs } from '../../../../shared/ticket/typed-number.ts'
import { type ExitBy, type ExitFacts, type ExitKind, priceInField } from '../../../../shared/ticket/typed-price.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input, ReadAs } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount, Percent } from '../../../kit/number.tsx'
import { Slider } from '../../../kit/slider.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import { type FieldsProps, LeverageFields, PriceField, SideChoice, SlippageField, stepOnKey } from './ticket-fields.tsx'
import { notTaken, shareOf, sizeAtShare } from './ticket-model.ts'

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

const kinds = {
  takeProfit: { id: 'take-profit', tag: 'TP', name: tradeText.takeProfit },
  stopLoss: { id: 'stop-loss', tag: 'SL', name: tradeText.stopLoss },
} as const

const units: Readonly<Record<ExitBy, string>> = { price: '', percent: '%', profit: 'USDC' }

/** A TP or SL can be stated as a price, as a distance in percent, or as a gain in USDC. This line shows the two that the user did not type. */
function Readings({ outcome, by, decimals }: { readonly outcome: ExitOutcome; readonly by: ExitBy; readonly decimals: number | null }) {
  return (
    <>
      {by === 'price' ? null : <Amount isShown value={outcome.price} {...(decimals === null ? {} : { decimals })} />}
      {by === 'profit' ? null : <Amount isShown value={outcome.pnl} decimals={2} signed />}
      {by === 'percent' ? null : <Percent value={outcome.percent} signed />}
    </>
  )
}

interface ExitFieldProps extends FieldsProps {
  readonly kind: ExitKind
  readonly outcome: ExitOutcome | null
  readonly error: string | undefined
}

function ExitField({ kind, state, market, edit, touch, outcome, error }: ExitFieldProps) {
  const { id, tag, name } = kinds[kind]
  const by = state[`${kind}By`]
  const read = readAs(state[kind])
  const take = (typed: string) => edit({ [kind]: typed })
  return (
    <div>
      <div className={error === undefined ? controlsStyles.input : cx(controlsStyles.input, controlsStyles.isError)}>
        <span className={textStyles.muted}>{tag}</span>
        <input
          id={id}
          aria-label={by === 'price' ? name : by === 'percent' ? tradeText.percentFromEntryOf(name) : tradeText.usdcOf(name)}
          value={state[kind]}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={read === null ? `${id}-help` : `${id}-read ${id}-help`}
          onChange={(event) => take(event.target.value)}
          onBlur={() => touch(kind)}
          onKeyDown={(event) => by === 'price' && stepOnKey(event, state[kind], market, null, take)}
        />
        <ReadAs id={id} read={read} />
        {units[by] === '' ? null : <span className={controlsStyles.unit}>{units[by]}</span>}
      </div>
      <p
        className={error === undefined ? controlsStyles.help : cx(controlsStyles.help, controlsStyles.error)}
        id={`${id}-help`}
        role={error === undefined ? undefined : 'alert'}
      >
        {error !== undefined ? (
          <span>{error}</span>
        ) : outcome === null ? (
          <span>&nbsp;</span>
        ) : (
          <Readings outcome={outcome} by={by} decimals={market.priceDecimals} />
        )}
      </p>
    </div>
  )
}

/** The fields for take profit and stop loss, by price, distance from the entry, or gain. If the user switches the unit, the values are converted. */
function ExitFields({ summary, facts, ...fields }: FieldsProps & { readonly summary: TicketSummary | null; readonly facts: ExitFacts | null }) {
  const { state, edit, errorAt } = fields
  const measure = (by: ExitBy) => {
    const converted = (kind: ExitKind) => {
      const exit = facts === null ? '' : exitBy(kind, state[kind], state[`${kind}By`], by, facts)
      return exit === '' || by !== 'price' ? exit : priceInField(exit, fields.market)
    }
    edit({ takeProfit: converted('takeProfit'), takeProfitBy: by, stopLoss: converted('stopLoss'), stopLossBy: by })
  }
  return (
    <div className={controlsStyles.field}>
      <div className={styles.options}>
        <Checkbox checked={state.hasTpSl} onChange={(hasTpSl) => edit({ hasTpSl })}>
          {state.hasTpSl ? tradeText.tpSlBy : tradeText.takeProfitAndStopLoss}
        </Checkbox>
        {state.hasTpSl ? (
          <Segments
            label={tradeText.tpSlBy}
            choices={[
              { value: 'price', label: tradeText.price },
              { value: 'percent', label: '%' },
              { value: 'profit', label: 'USDC' },
            ]}
            value={state.takeProfitBy}
            onChange={measure}
          />
        ) : null}
      </div>
      {state.hasTpSl ? (
        <div className={styles.pair}>
          {(['takeProfit', 'stopLoss'] as const).map((kind) => (
            <ExitField key={kind} kind={kind} {...fields} outcome={summary?.[kind] ?? null} error={errorAt(kind)} />
          ))}
        </div>
      ) : null}
    </div>
  )
}
