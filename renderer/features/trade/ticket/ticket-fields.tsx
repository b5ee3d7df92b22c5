import type { KeyboardEvent, ReactNode } from 'react'
import { absolute, changePercent, formatDecimal, signOf } from '../../../../shared/decimal.ts'
import type { Offers } from '../../../../shared/ipc/host/service.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import type { TicketField } from '../../../../shared/ticket/check-ticket.ts'
import type { TicketState } from '../../../../shared/ticket/form/ticket-state.ts'
import { typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { markInField, steppedPrice } from '../../../../shared/ticket/typed-price.ts'
import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { keysTitle, pressed } from '../../../kit/key-bindings.ts'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { roveOnKey } from '../../../kit/roving.ts'
import { Slider } from '../../../kit/slider.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import { notTaken } from './ticket-model.ts'

export interface FieldsProps {
  readonly state: TicketState
  readonly market: Market
  /** The order settings, such as order types, that the exchange states it accepts. */
  readonly offers?: Offers | undefined
  readonly edit: (change: Partial<TicketState>) => void
  readonly errorAt: (field: TicketField) => string | undefined
  readonly touch: (field: TicketField) => void
}

export function SideChoice({ state, edit }: Pick<FieldsProps, 'state' | 'edit'>) {
  return (
    <div className={styles.sides} role="radiogroup" aria-label={tradeText.side} onKeyDown={(event) => roveOnKey(event, '[role=radio]', true)}>
      {(['long', 'short'] as const).map((side) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look without a hidden twin
        <button
          key={side}
          type="button"
          role="radio"
          className={styles[side]}
          aria-checked={state.side === side}
          tabIndex={state.side === side ? 0 : -1}
          title={keysTitle(side === 'long' ? 'chooseLong' : 'chooseShort')}
          onClick={() => edit({ side })}
        >
          <Icon name={side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} />
          {side === 'long' ? tradeText.long : tradeText.short}
        </button>
      ))}
    </div>
  )
}

/** Cross or isolated margin, and the leverage, typed or set by the slider. */
export function LeverageFields({ state, market, offers, edit, errorAt, touch }: FieldsProps) {
  const most = market.maxLeverage
  const value = /^\d{1,4}$/.test(state.leverage.trim()) ? Number(state.leverage) : 1
  const error = errorAt('leverage')
  return (
    <div className={styles.leverage}>
      <Segments
        label={tradeText.margin}
        size="md"
        block
        choices={[
          { value: 'cross', label: tradeText.cross, why: notTaken('marginModes', 'cross', offers) },
          { value: 'isolated', label: tradeText.isolated, why: notTaken('marginModes', 'isolated', offers) },
        ]}
        value={state.marginMode}
        onChange={(marginMode) => edit({ marginMode })}
      />
      <Field id="leverage" label={<span className={textStyles.screenReaderOnly}>{tradeText.leverage}</span>} error={error}>
        <Input
          id="leverage"
          value={state.leverage}
          onChange={(leverage) => edit({ leverage: leverage.replace(/[×x]$/i, '') })}
          onBlur={() => touch('leverage')}
          inputMode="numeric"
          invalid={error !== undefined}
          unit={<>× {most === null ? null : <span className={styles.of}>{tradeText.ofMaximum(most)}</span>}</>}
        />
      </Field>
      {most === null ? null : (
        <Slider
          label={tradeText.leverage}
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

const presets = ['0.1', '0.5', '1'] as const

/** The field for max slippage: how far the price may move against the order before it stops filling. */
export function SlippageField({ state, edit, errorAt, touch, worst }: FieldsProps & { readonly worst: ReactNode }) {
  const error = errorAt('slippage')
  const preset = presets.find((one) => one === state.slippagePercent.trim())
  return (
    <Field id="slippage" label={tradeText.maxSlippage} end={worst} error={error}>
      <div className={styles.slippage}>
        <Segments
          label={tradeText.slippage}
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

const slippageEntryPresets = ['0.1', '0.5', '1'] as const

interface SlippageEntryProps {
  /** The max slippage in percent, as the user typed it. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}

export function SlippageEntry({ value, error, onChange, onBlur }: SlippageEntryProps) {
  return (
    <Field id="row-slippage" label={tradeText.maxSlippage} error={error}>
      <div className={styles.slippage}>
        <Segments
          label={tradeText.slippage}
          size="md"
          choices={slippageEntryPresets.map((one) => ({ value: one as string, label: `${one} %` }))}
          value={value.trim()}
          onChange={onChange}
        />
        <Input id="row-slippage" numeric value={value} onChange={onChange} onBlur={onBlur} invalid={error !== undefined} unit="%" />
      </div>
    </Field>
  )
}

const ticks = { priceUp: 1, priceDown: -1, priceUpTen: 10, priceDownTen: -10 } as const

/** The up and down arrow keys move the price by one tick, with Shift by ten ticks. */
export function stepOnKey(event: KeyboardEvent, typed: string, market: Market, mark: string | null, take: (price: string) => void): void {
  const key = pressed(event, 'priceUp', 'priceDown', 'priceUpTen', 'priceDownTen')
  if (key === null) return
  event.preventDefault()
  const next = steppedPrice(typed, ticks[key], market, mark)
  if (next !== null) take(next)
}

/** The distance of a typed price from the mark price, for example "0.32 % below mark". */
function fromMark(typed: string, mark: string | null): string | null {
  const price = typedDecimal(typed)
  if (price === null || mark === null) return null
  const change = changePercent(mark, price, 2)
  if (change === null) return null
  const direction = signOf(change)
  if (direction === 0) return tradeText.atMark
  const percent = formatDecimal(absolute(change), { decimals: 2 })
  return direction > 0 ? tradeText.aboveMark(percent) : tradeText.belowMark(percent)
}

const kinds = {
  limitPrice: { id: 'limit-price', label: tradeText.limitPrice },
  triggerPrice: { id: 'trigger-price', label: tradeText.triggerPrice },
} as const

/** The field for the price at which the order rests or triggers. */
export function PriceField({
  kind,
  mark,
  state,
  market,
  edit,
  errorAt,
  touch,
}: FieldsProps & { readonly kind: keyof typeof kinds; readonly mark: string | null }) {
  const { id, label } = kinds[kind]
  const error = errorAt(kind)
  const take = (price: string) => edit({ [kind]: price })
  return (
    <Field id={id} label={label} end={fromMark(state[kind], mark)} error={error}>
      <Input
        id={id}
        large
        value={state[kind]}
        onChange={take}
        onBlur={() => touch(kind)}
        onKeyDown={(event) => stepOnKey(event, state[kind], market, mark, take)}
        inputMode="decimal"
        placeholder="0.00"
        invalid={error !== undefined}
        unit={
          <>
            {tradeText.usdc}
            <Button size="xs" disabled={mark === null} title={tradeText.useMark} onClick={() => mark !== null && take(markInField(mark, market))}>
              {tradeText.mark}
            </Button>
          </>
        }
      />
    </Field>
  )
}
