import type { ReactNode } from 'react'
import { formatDecimal, parseDecimal } from '../../../shared/decimal.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import type { TicketError, TicketField } from '../../../shared/ticket/check-ticket.ts'
import type { TicketSummary } from '../../../shared/ticket/summarise-ticket.ts'
import type { TicketState } from '../../../shared/ticket/ticket-state.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { Amount, Percent } from '../../ui/number.tsx'
import { roveOnKey } from '../../ui/roving.ts'
import { Segments } from '../../ui/segments.tsx'
import { Slider } from '../../ui/slider.tsx'
import { shareOf, valueAtShare } from './ticket-model.ts'

export interface FieldsProps {
  readonly state: TicketState
  readonly market: Market
  readonly edit: (change: Partial<TicketState>) => void
  /** The error to show at a field now; none before it was touched. */
  readonly errorAt: (field: TicketField) => TicketError | undefined
  readonly touch: (field: TicketField) => void
}

export function SideChoice({ state, edit }: Pick<FieldsProps, 'state' | 'edit'>) {
  return (
    <div className="sides" role="radiogroup" aria-label="Side" onKeyDown={(event) => roveOnKey(event, '[role=radio]', true)}>
      {(['long', 'short'] as const).map((side) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look without a hidden twin
        <button
          key={side}
          type="button"
          role="radio"
          className={side}
          aria-checked={state.side === side}
          tabIndex={state.side === side ? 0 : -1}
          onClick={() => edit({ side })}
        >
          <Icon name={side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} />
          {side === 'long' ? 'Long' : 'Short'}
        </button>
      ))}
    </div>
  )
}

/** Cross or isolated, and how much leverage, by typing or by the slider. */
export function LeverageFields({ state, market, edit, errorAt, touch }: FieldsProps) {
  const most = market.maxLeverage
  const value = /^\d{1,4}$/.test(state.leverage.trim()) ? Number(state.leverage) : 1
  const error = errorAt('leverage')
  return (
    <div className="lev">
      <Segments
        label="Margin"
        size="md"
        block
        choices={[
          { value: 'cross', label: 'Cross' },
          { value: 'isolated', label: 'Isolated' },
        ]}
        value={state.marginMode}
        onChange={(marginMode) => edit({ marginMode })}
      />
      <Field id="leverage" label={<span className="sr">Leverage</span>} error={error?.text} className="lev-field">
        <Input
          id="leverage"
          value={state.leverage}
          onChange={(leverage) => edit({ leverage: leverage.replace(/[×x]$/i, '') })}
          onBlur={() => touch('leverage')}
          inputMode="numeric"
          invalid={error !== undefined}
          unit={<>× {most === null ? null : <span className="of">of {most}×</span>}</>}
        />
      </Field>
      {most === null ? null : (
        <Slider
          label="Leverage"
          min={1}
          max={most}
          value={Math.min(value, most)}
          onChange={(next) => edit({ leverage: String(next) })}
          stops={[0.25, 0.5, 0.75, 1].map((part) => Math.max(1, Math.round(most * part)))}
          text={`${value}×`}
        />
      )}
    </div>
  )
}

/** The order's notional in USDC: typed, or as a share of what can be opened. */
export function ValueField({
  state,
  market,
  edit,
  errorAt,
  touch,
  summary,
  most,
  free,
}: FieldsProps & { readonly summary: TicketSummary | null; readonly most: string | null; readonly free: string | null }) {
  const error = errorAt('orderValue')
  const share = shareOf(parseDecimal(state.orderValue.replaceAll(',', '')), most)
  return (
    <Field
      id="order-value"
      label="Order value"
      end={summary === null ? null : `${formatDecimal(summary.baseSize, market.sizeDecimals === null ? {} : { decimals: market.sizeDecimals })} ${market.base}`}
      error={error?.text}
    >
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
            USDC
            <Button size="xs" disabled={most === null} onClick={() => most !== null && edit({ orderValue: valueAtShare(100, most) })}>
              Max
            </Button>
          </>
        }
      />
      <Slider
        label="Share of what you can open"
        min={0}
        max={100}
        value={Math.round(share)}
        onChange={(next) => most !== null && edit({ orderValue: next === 0 ? '' : valueAtShare(next, most) })}
        stops={[25, 50, 75, 100]}
        text={`${Math.round(share)} %`}
        disabled={most === null}
      />
      <p className="avail">
        <span>{most === null ? 'Free margin is not known' : `${share.toFixed(share < 10 ? 1 : 0)} % of what you can open`}</span>
        {free === null ? null : (
          <span>
            Free <b>{formatDecimal(free, { decimals: 2 })}</b>
          </span>
        )}
      </p>
    </Field>
  )
}

const presets = ['0.1', '0.5', '1'] as const

/** How far the price may go against the order before it stops filling. */
export function SlippageField({ state, edit, errorAt, touch, worst }: FieldsProps & { readonly worst: ReactNode }) {
  const error = errorAt('slippage')
  const preset = presets.find((one) => one === state.slippagePercent.trim())
  return (
    <Field id="slippage" label="Most slippage" end={worst} error={error?.text}>
      <div className="slip">
        <Segments
          label="Slippage"
          size="md"
          choices={presets.map((value) => ({ value: value as string, label: `${value} %` }))}
          value={preset ?? ''}
          onChange={(slippagePercent) => edit({ slippagePercent })}
        />
        <Input
          id="slippage"
          numeric
          value={state.slippagePercent}
          onChange={(slippagePercent) => edit({ slippagePercent })}
          onBlur={() => touch('slippage')}
          invalid={error !== undefined}
          unit="%"
        />
      </div>
    </Field>
  )
}

function ExitField({
  id,
  tag,
  name,
  value,
  result,
  error,
  onChange,
  onBlur,
}: {
  readonly id: string
  readonly tag: string
  readonly name: string
  readonly value: string
  readonly result: TicketSummary['takeProfit']
  readonly error: TicketError | undefined
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}) {
  return (
    <div className="exit">
      <div className={error === undefined ? 'input' : 'input is-error'}>
        <span className="muted">{tag}</span>
        <input
          id={id}
          aria-label={name}
          value={value}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </div>
      <p className={error === undefined ? 'help' : 'help error'} id={`${id}-help`} role={error === undefined ? undefined : 'alert'}>
        {error !== undefined ? (
          <span>{error.text}</span>
        ) : result === null ? (
          <span>&nbsp;</span>
        ) : (
          <>
            <Amount value={result.pnl} decimals={2} signed />
            <Percent value={result.percent} signed />
          </>
        )}
      </p>
    </div>
  )
}

/** Take profit and stop loss, with what each would bring. */
export function ExitFields({ state, edit, errorAt, touch, summary }: FieldsProps & { readonly summary: TicketSummary | null }) {
  return (
    <div className="field">
      <Checkbox checked={state.exits} onChange={(exits) => edit({ exits })}>
        Take profit and stop loss
      </Checkbox>
      {state.exits ? (
        <div className="pair">
          <ExitField
            id="take-profit"
            tag="TP"
            name="Take profit"
            value={state.takeProfit}
            result={summary?.takeProfit ?? null}
            error={errorAt('takeProfit')}
            onChange={(takeProfit) => edit({ takeProfit })}
            onBlur={() => touch('takeProfit')}
          />
          <ExitField
            id="stop-loss"
            tag="SL"
            name="Stop loss"
            value={state.stopLoss}
            result={summary?.stopLoss ?? null}
            error={errorAt('stopLoss')}
            onChange={(stopLoss) => edit({ stopLoss })}
            onBlur={() => touch('stopLoss')}
          />
        </div>
      ) : null}
      <Checkbox checked={state.restIfUnfilled} onChange={(restIfUnfilled) => edit({ restIfUnfilled })}>
        Let an unfilled rest wait as a limit order
      </Checkbox>
    </div>
  )
}
