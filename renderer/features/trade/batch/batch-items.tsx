import { type DragEvent, type KeyboardEvent, useState } from 'react'
import type { DryRun } from '../../../../shared/ipc/intents/execution.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { delegatedTitle } from '../../../../shared/ticket/delegated/delegated-title.ts'
import type { FieldIssue } from '../../../../shared/ticket/field-issue.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Empty } from '../../../kit/layout/empty.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import type { Batch } from '../../../parts/drafts/batch-draft.tsx'
import partsStyles from '../../../parts/parts.module.css'
import styles from './batch.module.css'
import { itemDetail, pairOfItem } from './batch-form.ts'

interface BatchItemsProps {
  readonly batch: Batch
  readonly markets: readonly Market[]
  readonly issues: readonly FieldIssue<string>[]
  /** The dry run of this very list; null: none was made of it. */
  readonly dryRun: DryRun | null
}

const verdicts = {
  valid: { tone: 'ok', icon: 'check', word: 'Valid' },
  refused: { tone: 'danger', icon: 'x', word: 'Refused' },
  untold: { tone: 'off', icon: 'unknown', word: 'Not told' },
} as const

/** The actions of the batch in their order: moved by buttons, by Alt and the arrows, or by dragging. */
export function BatchItems({ batch, markets, issues, dryRun }: BatchItemsProps) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [told, setTold] = useState('')
  if (batch.items.length === 0) {
    return (
      <Empty left icon="inbox" title="No actions yet">
        Add 1 to 32 of them. They are carried out in their order.
      </Empty>
    )
  }
  const titles = batch.items.map(({ item }) => {
    const pairId = pairOfItem(item)
    const market = markets.find(({ id }) => id === pairId)
    return { title: delegatedTitle(item, market?.priceDecimals ?? null), detail: itemDetail(item, market) }
  })
  const move = (id: number, title: string, to: number) => {
    batch.move(id, to)
    setTold(`${title} is number ${Math.min(Math.max(to, 0), batch.items.length - 1) + 1} now.`)
  }
  return (
    <>
      <ol className={styles.batchItems} aria-label="Actions of the batch">
        {batch.items.map(({ id, item }, index) => {
          const { title, detail } = titles[index] ?? { title: item.action, detail: '' }
          const own = issues.filter(({ field }) => batch.items.length === 1 || field.startsWith(`items.${index}.`))
          const verdict = dryRun?.items.find((one) => one.index === index)
          const onKeyDown = (event: KeyboardEvent) => {
            if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
            event.preventDefault()
            move(id, title, event.key === 'ArrowUp' ? index - 1 : index + 1)
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
                {own.map(({ field, text }) => (
                  <p key={field} className={textStyles.danger} role="alert">
                    {text}
                  </p>
                ))}
                {verdict?.issue == null ? null : <p className={textStyles.danger}>The service said: {verdict.issue}</p>}
              </div>
              {verdict === undefined ? null : (
                <State tone={verdicts[verdict.verdict].tone} icon={verdicts[verdict.verdict].icon}>
                  {verdicts[verdict.verdict].word}
                </State>
              )}
              <IconButton icon="arrow-up" size="xs" label={`Move up: ${title}`} disabled={index === 0} onClick={() => move(id, title, index - 1)} />
              <IconButton
                icon="arrow-down"
                size="xs"
                label={`Move down: ${title}`}
                disabled={index === batch.items.length - 1}
                onClick={() => move(id, title, index + 1)}
              />
              <IconButton icon="x" size="xs" label={`Remove: ${title}`} onClick={() => batch.remove(id)} />
            </li>
          )
        })}
      </ol>
      <p className={textStyles.screenReaderOnly} role="status">
        {told}
      </p>
    </>
  )
}
