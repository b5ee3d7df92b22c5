import type { ReactNode } from 'react'
import type { Offers } from '../../../../shared/ipc/host/service.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import type { TicketError, TicketField } from '../../../../shared/ticket/check-ticket.ts'
import type { TicketState } from '../../../../shared/ticket/form/ticket-state.ts'
import { Field } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import { roveOnKey } from '../../../kit/roving.ts'
import { Slider } from '../../../kit/slider.tsx'
import textStyles from '../../../kit/text.module.css'
import styles from '../trade.module.css'
import { notTaken } from './ticket-offers.ts'

export interface FieldsProps {
  readonly state: TicketState
  readonly market: Market
  /** What the exchange takes, as it publishes it. */
  readonly offers?: Offers | undefined
  readonly edit: (change: Partial<TicketState>) => void
  /** The error to show at a field now; none before it was touched. */
  readonly errorAt: (field: TicketField) => TicketError | undefined
  readonly touch: (field: TicketField) => void
}

export function SideChoice({ state, edit }: Pick<FieldsProps, 'state' | 'edit'>) {
  return (
    <div className={styles.sides} role="radiogroup" aria-label="Side" onKeyDown={(event) => roveOnKey(event, '[role=radio]', true)}>
      {(['long', 'short'] as const).map((side) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the segment's look without a hidden twin
        <button
          key={side}
          type="button"
          role="radio"
          className={styles[side]}
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
export function LeverageFields({ state, market, offers, edit, errorAt, touch }: FieldsProps) {
  const most = market.maxLeverage
  const value = /^\d{1,4}$/.test(state.leverage.trim()) ? Number(state.leverage) : 1
  const error = errorAt('leverage')
  return (
    <div className={styles.leverage}>
      <Segments
        label="Margin"
        size="md"
        block
        choices={[
          { value: 'cross', label: 'Cross', why: notTaken('marginModes', 'cross', offers) },
          { value: 'isolated', label: 'Isolated', why: notTaken('marginModes', 'isolated', offers) },
        ]}
        value={state.marginMode}
        onChange={(marginMode) => edit({ marginMode })}
      />
      <Field id="leverage" label={<span className={textStyles.screenReaderOnly}>Leverage</span>} error={error?.text}>
        <Input
          id="leverage"
          value={state.leverage}
          onChange={(leverage) => edit({ leverage: leverage.replace(/[×x]$/i, '') })}
          onBlur={() => touch('leverage')}
          inputMode="numeric"
          invalid={error !== undefined}
          unit={<>× {most === null ? null : <span className={styles.of}>of {most}×</span>}</>}
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

const presets = ['0.1', '0.5', '1'] as const

/** How far the price may go against the order before it stops filling. */
export function SlippageField({ state, edit, errorAt, touch, worst }: FieldsProps & { readonly worst: ReactNode }) {
  const error = errorAt('slippage')
  const preset = presets.find((one) => one === state.slippagePercent.trim())
  return (
    <Field id="slippage" label="Most slippage" end={worst} error={error?.text}>
      <div className={styles.slippage}>
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
