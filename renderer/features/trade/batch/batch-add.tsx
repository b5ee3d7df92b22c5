import { type DragEvent, type FormEvent, type KeyboardEvent, useState } from 'react'
import { formatDecimal } from '../../../../shared/decimal.ts'
import type { DryRun } from '../../../../shared/ipc/intents/execution.ts'
import type { DelegatedItem } from '../../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { titleText } from '../../../../shared/text/title-text.ts'
import { delegatedTitle } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import type { FieldIssue } from '../../../../shared/ticket/typed-number.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { pressed } from '../../../kit/key-bindings.ts'
import { Empty } from '../../../kit/layout/placeholders.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Menu, type MenuEntry } from '../../../kit/overlay/menu.tsx'
import textStyles from '../../../kit/text.module.css'
import type { Batch } from '../../../parts/drafts/ticket-drafts.tsx'
import partsStyles from '../../../parts/parts.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from './batch.module.css'
import {
  type BatchFacts,
  type BatchField,
  type BatchForm,
  type BatchKind,
  batchKinds,
  initialBatchForm,
  itemDetail,
  pairOfItem,
  readBatchForm,
} from './batch-form.ts'

interface BatchAddProps {
  readonly pairId: number
  readonly markets: readonly Market[]
  readonly facts: BatchFacts
  /** How many more actions may be added to the batch. */
  readonly room: number
  readonly onAdd: (item: DelegatedItem) => void
}

const kinds = Object.keys(batchKinds) as BatchKind[] // The cast is safe: these are the keys of `batchKinds`.
const under = { market: tradeText.newOrders, position: tradeText.positions, order: tradeText.orders } as const
const texts = {
  orderValue: { label: tradeText.orderValue, unit: 'USDC' },
  leverage: { label: tradeText.leverage, unit: '×' },
  slippage: { label: tradeText.slippage, unit: '%' },
  price: { label: tradeText.price, unit: 'USDC' },
  size: { label: tradeText.size, unit: null },
  amount: { label: tradeText.amount, unit: 'USDC' },
} as const
const textFields = ['orderValue', 'leverage', 'size', 'price', 'amount', 'slippage'] as const

export function BatchAdd({ pairId, markets, facts, room, onAdd }: BatchAddProps) {
  const [form, setForm] = useState<BatchForm>(() => initialBatchForm(pairId))
  const [pressed, setPressed] = useState(false)
  const kind = batchKinds[form.kind]
  const shown = (field: BatchField) => kind.fields.some((one) => one === field)
  const { errors, ticket: item } = readBatchForm(form, facts)
  const errorAt = (field: string) => {
    const error = errors.find((one) => one.field === field && (pressed || !one.untouched))
    return error === undefined ? undefined : formIssueText(error.issue)
  }
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
    id === null ? [] : [{ value: id, label: `${symbol ?? tradeText.position} ${side}${size === null ? '' : ` ${formatDecimal(size)}`}` }],
  )
  const orders = facts.orders.map(({ id, symbol, side, type, price }) => ({
    value: id,
    label: [symbol ?? tradeText.order, side, type, price === null ? null : formatDecimal(price)].filter((part) => part !== null).join(' '),
  }))
  const about = errorAt('about')
  return (
    <form className={styles.batchAdd} aria-label={tradeText.newAction} onSubmit={submit} noValidate>
      <Pick
        label={tradeText.action}
        value={form.kind}
        none={tradeText.choose}
        choices={kinds.map((value) => ({ value, label: batchKinds[value].label, under: under[batchKinds[value].of] }))}
        onChange={(next) => edit({ kind: next })}
      />
      {kind.of === 'market' ? (
        <Pick
          label={tradeText.market}
          value={form.pairId}
          none={tradeText.chooseMarket}
          choices={markets.map(({ id, symbol }) => ({ value: id, label: symbol }))}
          onChange={(next) => edit({ pairId: next })}
        />
      ) : kind.of === 'position' ? (
        <Pick
          label={tradeText.position}
          value={form.positionId}
          none={positions.length === 0 ? tradeText.noOpenPositions : tradeText.choosePosition}
          choices={positions}
          onChange={(positionId) => edit({ positionId })}
        />
      ) : (
        <Pick
          label={tradeText.order}
          value={form.orderId}
          none={orders.length === 0 ? tradeText.noOpenOrders : tradeText.chooseOrder}
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
            label={tradeText.side}
            block
            choices={[
              { value: 'long', label: tradeText.long },
              { value: 'short', label: tradeText.short },
            ]}
            value={form.side}
            onChange={(side) => edit({ side })}
          />
          <Segments
            label={tradeText.margin}
            block
            choices={[
              { value: 'cross', label: tradeText.cross },
              { value: 'isolated', label: tradeText.isolated },
            ]}
            value={form.marginMode}
            onChange={(marginMode) => edit({ marginMode })}
          />
        </div>
      ) : null}
      {shown('direction') ? (
        <Segments
          label={tradeText.direction}
          block
          choices={[
            { value: 'add', label: tradeText.addMargin },
            { value: 'take', label: tradeText.removeMargin },
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
        {room <= 0 ? tradeText.batchFull : tradeText.addAction}
      </Button>
    </form>
  )
}

interface BatchItemsProps {
  readonly batch: Batch
  readonly markets: readonly Market[]
  readonly issues: readonly FieldIssue<string>[]
  /** The dry run of the current batch; `null` if the batch has changed since the last dry run. */
  readonly dryRun: DryRun | null
}

const verdicts = {
  valid: { tone: 'ok', icon: 'check', word: tradeText.valid },
  refused: { tone: 'danger', icon: 'x', word: tradeText.refused },
  untold: { tone: 'off', icon: 'unknown', word: tradeText.notReported },
} as const

/** The actions of the batch in order. The user moves them with buttons, with Alt and the arrow keys, or by dragging. */
export function BatchItems({ batch, markets, issues, dryRun }: BatchItemsProps) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  if (batch.items.length === 0) {
    return (
      <Empty left icon="inbox" title={tradeText.noActionsYet} level={3}>
        {tradeText.noActionsYetHelp}
      </Empty>
    )
  }
  const titles = batch.items.map(({ item }) => {
    const pairId = pairOfItem(item)
    const market = markets.find(({ id }) => id === pairId)
    return { title: titleText(delegatedTitle(item, market?.priceDecimals ?? null)), detail: itemDetail(item, market) }
  })
  const move = (id: number, title: string, to: number) => {
    batch.move(id, to)
    setAnnouncement(tradeText.movedToPlace(title, Math.min(Math.max(to, 0), batch.items.length - 1) + 1))
  }
  return (
    <>
      <ol className={styles.batchItems} aria-label={tradeText.batchActions}>
        {batch.items.map(({ id, item }, index) => {
          const { title, detail } = titles[index] ?? { title: item.action, detail: '' }
          const own = issues.filter(({ field }) => batch.items.length === 1 || field.startsWith(`items.${index}.`))
          const verdict = dryRun?.items.find((one) => one.index === index)
          const onKeyDown = (event: KeyboardEvent) => {
            const key = pressed(event, 'batchUp', 'batchDown')
            if (key === null) return
            event.preventDefault()
            move(id, title, key === 'batchUp' ? index - 1 : index + 1)
          }
          const onDrop = (event: DragEvent) => {
            event.preventDefault()
            if (dragged !== null) move(dragged, title, index)
            setDragged(null)
          }
          return (
            <li
              key={id}
              draggable
              className={dragged === id ? styles.isDragged : undefined}
              onDragStart={() => setDragged(id)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={onDrop}
              onKeyDown={onKeyDown}
            >
              <span className={partsStyles.position}>{index + 1}</span>
              <div className={textStyles.grow}>
                <p>{title}</p>
                {detail === '' ? null : <p className={textStyles.muted}>{detail}</p>}
                {own.map(({ field, issue }) => (
                  <p key={field} className={textStyles.danger} role="alert">
                    {formIssueText(issue)}
                  </p>
                ))}
                {verdict?.issue == null ? null : <p className={textStyles.danger}>{tradeText.serviceSaid(verdict.issue)}</p>}
              </div>
              {verdict === undefined ? null : (
                <State tone={verdicts[verdict.verdict].tone} icon={verdicts[verdict.verdict].icon}>
                  {verdicts[verdict.verdict].word}
                </State>
              )}
              <IconButton icon="arrow-up" size="xs" label={tradeText.moveUp(title)} disabled={index === 0} onClick={() => move(id, title, index - 1)} />
              <IconButton
                icon="arrow-down"
                size="xs"
                label={tradeText.moveDown(title)}
                disabled={index === batch.items.length - 1}
                onClick={() => move(id, title, index + 1)}
              />
              <IconButton icon="x" size="xs" label={tradeText.remove(title)} onClick={() => batch.remove(id)} />
            </li>
          )
        })}
      </ol>
      <p className={textStyles.screenReaderOnly} role="status">
        {announcement}
      </p>
    </>
  )
}

interface PickProps<V extends string | number> {
  /** The name of the setting that the user picks, for example "Action". */
  readonly label: string
  readonly value: V | null
  readonly none: string
  readonly choices: readonly { readonly value: V; readonly label: string; readonly under?: string }[]
  readonly onChange: (value: V) => void
}

/** A button that opens a menu in which the user picks one value. */
export function Pick<V extends string | number>({ label, value, none, choices, onChange }: PickProps<V>) {
  const chosen = choices.find((one) => one.value === value)
  const entries = choices.flatMap((choice, index): MenuEntry[] => {
    const heading = choice.under !== undefined && choices[index - 1]?.under !== choice.under ? [{ type: 'heading' as const, label: choice.under }] : []
    return [...heading, { label: choice.label, checked: choice.value === value, onSelect: () => onChange(choice.value) }]
  })
  return (
    <div className={styles.pick}>
      <span className={controlsStyles.label}>{label}</span>
      <Menu
        label={label}
        entries={entries}
        trigger={(props) => (
          <button
            type="button"
            {...props}
            className={cx(controlsStyles.input, styles.pickNow)}
            disabled={choices.length === 0}
            aria-label={`${label}: ${chosen?.label ?? none}`}
          >
            <span>{chosen?.label ?? none}</span>
            <Icon name="chevron-down" size={14} />
          </button>
        )}
      />
    </div>
  )
}
