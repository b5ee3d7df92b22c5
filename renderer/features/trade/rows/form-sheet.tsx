import { type FormEvent, type ReactNode, type RefObject, useId, useState } from 'react'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import type { FieldIssue, FormReading } from '../../../../shared/ticket/typed-number.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { ShownAmounts } from '../../../kit/number.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { TicketOutcome } from '../ticket/ticket-outcome.tsx'
import styles from '../trade.module.css'
import type { OrderFlow } from '../use-order-flow.ts'

interface FormSheetProps {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly icon: IconName
  readonly review: string
  readonly order: OrderFlow
  readonly market: Pick<Market, 'priceDecimals'>
  readonly mark: string | null
  /** Why the Review button is disabled; `null` if it is enabled. */
  readonly wait: string | null
  /** A problem with the form as a whole, not with one field. */
  readonly issue?: string | undefined
  readonly first: RefObject<HTMLInputElement | null>
  readonly onSubmit: (event: FormEvent) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A form that a table row opens: its fields, its estimated results and the Review button. After the review, the signing sheet replaces the form. If
 * the user signs nothing, the form returns unchanged.
 */
export function FormSheet({ title, lead, icon, review, order, market, mark, wait, issue, first, onSubmit, onClose, children }: FormSheetProps) {
  const id = useId()
  if (order.open !== null) return null
  return (
    <ShownAmounts>
      <Sheet title={title} {...(lead === undefined ? {} : { lead })} icon={icon} onClose={onClose} initialFocus={first} className={styles.rowForm}>
        <form id={id} className={overlayStyles.sheetBody} onSubmit={onSubmit} noValidate>
          {children}
          {issue === undefined ? null : (
            <p className={cx(controlsStyles.help, controlsStyles.error)} role="alert">
              <Icon name="stop" />
              <span>{issue}</span>
            </p>
          )}
          {order.signWith}
        </form>
        {order.outcome === null ? null : (
          <div className={styles.rowSaid}>
            <TicketOutcome order={order} market={market} mark={mark} />
          </div>
        )}
        <SheetFoot
          verdict={
            <p className={wait === null ? textStyles.muted : textStyles.warn}>
              <Icon name={wait === null ? 'lock' : 'clock'} size={14} />
              {wait ?? tradeText.nothingIsSentYet}
            </p>
          }
        >
          <Button onClick={onClose} kbd={[tradeText.esc]}>
            {tradeText.cancel}
          </Button>
          <Button variant="primary" type="submit" form={id} busy={order.preparing} disabled={wait !== null}>
            {order.preparing ? tradeText.preparing : review}
          </Button>
        </SheetFoot>
      </Sheet>
    </ShownAmounts>
  )
}

export interface RowForm<State, Field extends string> {
  readonly state: State
  /** Changes the form, and discards the outcome of the last review. */
  readonly edit: (change: Partial<State>) => void
  readonly touch: (field: Field) => void
  /** Returns a field's problem, but only after the user has touched the field or pressed Review. */
  readonly errorAt: (errors: readonly FieldIssue<Field>[], field: Field) => string | undefined
  /** Reviews the order. If a field is invalid, moves the focus to the first such field instead. `controls` has the id of each field's control. */
  readonly submit: (event: FormEvent, reading: FormReading<Field, OrderTicket>, controls: Readonly<Partial<Record<Field, string>>>, ready: boolean) => void
}

/** The state of a form that a table row opens. `start`: initial values that differ from the current ones and are checked at once. */
export function useRowForm<State extends object, Field extends string>(
  initial: State,
  order: OrderFlow,
  start: Partial<Record<Field & keyof State, string>> = {},
): RowForm<State, Field> {
  const [state, setState] = useState<State>({ ...initial, ...start })
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set(Object.keys(start)))
  const [pressed, setPressed] = useState(false)
  return {
    state,
    edit: (change) => {
      order.clearOutcome()
      setPressed(false)
      setState((before) => ({ ...before, ...change }))
    },
    touch: (field) => setTouched((before) => new Set(before).add(field)),
    errorAt: (errors, field) => {
      const error = errors.find((one) => one.field === field && (pressed || (touched.has(field) && !one.untouched)))
      return error === undefined ? undefined : formIssueText(error.issue)
    },
    submit: (event, { errors, ticket }, controls, ready) => {
      event.preventDefault()
      setPressed(true)
      if (order.preparing || !ready) return
      if (ticket !== null) {
        void order.review(ticket)
        return
      }
      const first = errors.map(({ field }) => controls[field]).find((id) => id !== undefined)
      if (first !== undefined) document.getElementById(first)?.focus()
    },
  }
}
