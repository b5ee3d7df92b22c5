import { type FormEvent, useState } from 'react'
import { formatDecimal } from '../../../../shared/decimal.ts'
import type { DelegatedItem } from '../../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import { Pick } from '../pick.tsx'
import styles from './batch.module.css'
import { type BatchFacts, type BatchField, type BatchForm, type BatchKind, batchKinds, initialBatchForm, readBatchForm } from './batch-form.ts'

interface BatchAddProps {
  readonly pairId: number
  readonly markets: readonly Market[]
  readonly facts: BatchFacts
  /** How many more may be added. */
  readonly room: number
  readonly onAdd: (item: DelegatedItem) => void
}

const kinds = Object.keys(batchKinds) as BatchKind[] // its own keys
const under = { market: 'New orders', position: 'Positions', order: 'Orders' } as const
const texts = {
  orderValue: { label: 'Order value', unit: 'USDC' },
  leverage: { label: 'Leverage', unit: '×' },
  slippage: { label: 'Slippage', unit: '%' },
  price: { label: 'Price', unit: 'USDC' },
  size: { label: 'Size', unit: null },
  amount: { label: 'Amount', unit: 'USDC' },
} as const
const textFields = ['orderValue', 'leverage', 'size', 'price', 'amount', 'slippage'] as const

/** The form that adds one action to the batch. */
export function BatchAdd({ pairId, markets, facts, room, onAdd }: BatchAddProps) {
  const [form, setForm] = useState<BatchForm>(() => initialBatchForm(pairId))
  const [pressed, setPressed] = useState(false)
  const kind = batchKinds[form.kind]
  const shown = (field: BatchField) => kind.fields.some((one) => one === field)
  const { errors, ticket: item } = readBatchForm(form, facts)
  const errorAt = (field: string) => errors.find((error) => error.field === field && (pressed || !error.untouched))?.text
  const edit = (change: Partial<BatchForm>) => {
    setPressed(false)
    setForm((before) => ({ ...before, ...change }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setPressed(true)
    if (item === null || room <= 0) return
    onAdd(item)
    setPressed(false)
    setForm((before) => ({ ...before, price: '', size: '', amount: '' }))
  }
  const positions = facts.positions.flatMap(({ id, symbol, side, size }) =>
    id === null ? [] : [{ value: id, label: `${symbol ?? 'Position'} ${side}${size === null ? '' : ` ${formatDecimal(size)}`}` }],
  )
  const orders = facts.orders.map(({ id, symbol, side, type, price }) => ({
    value: id,
    label: [symbol ?? 'Order', side, type, price === null ? null : formatDecimal(price)].filter((part) => part !== null).join(' '),
  }))
  const about = errorAt('about')
  return (
    <form className={styles.batchAdd} aria-label="Add an action" onSubmit={submit} noValidate>
      <Pick
        label="Action"
        value={form.kind}
        none="Choose"
        choices={kinds.map((value) => ({ value, label: batchKinds[value].label, under: under[batchKinds[value].of] }))}
        onChange={(next) => edit({ kind: next })}
      />
      {kind.of === 'market' ? (
        <Pick
          label="Market"
          value={form.pairId}
          none="Choose a market"
          choices={markets.map(({ id, symbol }) => ({ value: id, label: symbol }))}
          onChange={(next) => edit({ pairId: next })}
        />
      ) : kind.of === 'position' ? (
        <Pick
          label="Position"
          value={form.positionId}
          none={positions.length === 0 ? 'No open positions' : 'Choose a position'}
          choices={positions}
          onChange={(positionId) => edit({ positionId })}
        />
      ) : (
        <Pick
          label="Order"
          value={form.orderId}
          none={orders.length === 0 ? 'No open orders' : 'Choose an order'}
          choices={orders}
          onChange={(orderId) => edit({ orderId })}
        />
      )}
      {about === undefined ? null : (
        <p className={cx(controlsStyles.help, controlsStyles.error)} role="alert">
          {about}
        </p>
      )}
      {shown('side') ? (
        <div className={styles.batchTwo}>
          <Segments
            label="Side"
            block
            choices={[
              { value: 'long', label: 'Long' },
              { value: 'short', label: 'Short' },
            ]}
            value={form.side}
            onChange={(side) => edit({ side })}
          />
          <Segments
            label="Margin"
            block
            choices={[
              { value: 'cross', label: 'Cross' },
              { value: 'isolated', label: 'Isolated' },
            ]}
            value={form.marginMode}
            onChange={(marginMode) => edit({ marginMode })}
          />
        </div>
      ) : null}
      {shown('direction') ? (
        <Segments
          label="Direction"
          block
          choices={[
            { value: 'add', label: 'Add' },
            { value: 'take', label: 'Take out' },
          ]}
          value={form.direction}
          onChange={(direction) => edit({ direction })}
        />
      ) : null}
      {textFields.filter(shown).map((field) => {
        const error = errorAt(field)
        return (
          <Field key={field} id={`batch-${field}`} label={texts[field].label} error={error}>
            <Input
              id={`batch-${field}`}
              value={form[field]}
              onChange={(text) => edit({ [field]: text })}
              numeric
              invalid={error !== undefined}
              {...(texts[field].unit === null ? {} : { unit: texts[field].unit })}
            />
          </Field>
        )
      })}
      <Button type="submit" icon="plus" block disabled={room <= 0}>
        {room <= 0 ? '32 actions are the most' : 'Add to the batch'}
      </Button>
    </form>
  )
}
