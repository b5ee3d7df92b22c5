import { formatDecimal } from '../../../../shared/decimal.ts'
import { sizeInUnit } from '../../../../shared/ticket/form/change-unit.ts'
import type { TicketSummary } from '../../../../shared/ticket/form/summarise-ticket.ts'
import type { SizeFacts, SizeUnit } from '../../../../shared/ticket/order-size.ts'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Slider } from '../../../kit/slider.tsx'
import type { FieldsProps } from './ticket-fields.tsx'
import { shareOf, sizeAtShare } from './ticket-model.ts'
import { UnitChoice } from './unit-choice.tsx'

interface SizeProps extends FieldsProps {
  readonly summary: TicketSummary | null
  readonly facts: SizeFacts
  /** The most that can be opened, USDC. */
  readonly most: string | null
}

/** How large the order is: in USDC, in base units, as a share of the free margin, or by the slider as a share of what can be opened. */
export function SizeField({ state, market, edit, errorAt, touch, summary, facts, most }: SizeProps) {
  const error = errorAt('orderValue')
  const share = shareOf(summary?.orderValueUsdc ?? null, most)
  const units: readonly { readonly value: SizeUnit; readonly label: string }[] = [
    { value: 'usdc', label: 'USDC' },
    { value: 'base', label: market.base },
    { value: 'free_margin', label: '% free' },
  ]
  const take = (percent: number) => most !== null && edit({ orderValue: sizeAtShare(percent, most, state.valueIn, facts) })
  return (
    <Field id="order-value" label="Order value" end={summary === null ? null : reading(state.valueIn, summary, facts)} error={error?.text}>
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
              label="Order value in"
              choices={units}
              value={state.valueIn}
              onChange={(valueIn) => edit({ valueIn, orderValue: sizeInUnit(state.orderValue, state.valueIn, valueIn, facts) })}
            />
            <Button size="xs" disabled={most === null} onClick={() => take(100)}>
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
        onChange={take}
        stops={[25, 50, 75, 100]}
        text={`${Math.round(share)} %`}
        disabled={most === null}
      />
      <p className="avail">
        <span>{most === null ? 'Free margin is not known' : `${share.toFixed(share < 10 ? 1 : 0)} % of what you can open`}</span>
        {facts.freeMargin === null ? null : (
          <span>
            Free <b>{formatDecimal(facts.freeMargin, { decimals: 2 })}</b>
          </span>
        )}
      </p>
    </Field>
  )
}

/** The size by its other measure. */
function reading(unit: SizeUnit, { baseSize, orderValueUsdc }: TicketSummary, { market }: SizeFacts): string {
  if (unit !== 'usdc') return `${formatDecimal(orderValueUsdc, { decimals: 2 })} USDC`
  return `${formatDecimal(baseSize, market.sizeDecimals === null ? {} : { decimals: market.sizeDecimals })} ${market.base}`
}
