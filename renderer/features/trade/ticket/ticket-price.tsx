import type { KeyboardEvent } from 'react'
import { absolute, changePercent, formatDecimal, signOf } from '../../../../shared/decimal.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { markInField, steppedPrice } from '../../../../shared/ticket/price-field.ts'
import { typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import type { FieldsProps } from './ticket-fields.tsx'

/** Up and down move the price by a tick, with Shift by ten. */
export function stepOnKey(event: KeyboardEvent, typed: string, market: Market, mark: string | null, take: (price: string) => void): void {
  const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
  if (way === 0 || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const next = steppedPrice(typed, event.shiftKey ? way * 10 : way, market, mark)
  if (next !== null) take(next)
}

/** "0.32 % below mark". */
function fromMark(typed: string, mark: string | null): string | null {
  const price = typedDecimal(typed)
  if (price === null || mark === null) return null
  const change = changePercent(mark, price, 2)
  if (change === null) return null
  const way = signOf(change)
  return way === 0 ? 'at mark' : `${formatDecimal(absolute(change), { decimals: 2 })} % ${way > 0 ? 'above' : 'below'} mark`
}

const kinds = {
  limitPrice: { id: 'limit-price', label: 'Limit price' },
  triggerPrice: { id: 'trigger-price', label: 'Trigger price' },
} as const

/** The price at which the order stands or wakes. */
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
    <Field id={id} label={label} end={fromMark(state[kind], mark)} error={error?.text}>
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
            USDC
            <Button size="xs" disabled={mark === null} title="Fill in the mark" onClick={() => mark !== null && take(markInField(mark, market))}>
              Mark
            </Button>
          </>
        }
      />
    </Field>
  )
}
