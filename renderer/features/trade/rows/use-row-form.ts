import { type FormEvent, useState } from 'react'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { FieldIssue, FormReading } from '../../../../shared/ticket/field-issue.ts'
import type { OrderFlow } from '../use-order-flow.ts'

export interface RowForm<State, Field extends string> {
  readonly state: State
  /** A change of the form makes what was said of the last review old. */
  readonly edit: (change: Partial<State>) => void
  readonly touch: (field: Field) => void
  /** What is wrong with a field, once it was touched or Review was pressed. */
  readonly errorAt: (errors: readonly FieldIssue<Field>[], field: Field) => string | undefined
  /** Reviews, or goes to the first field that is wrong. `controls` are the ids of the fields' controls. */
  readonly submit: (event: FormEvent, reading: FormReading<Field, OrderTicket>, controls: Readonly<Partial<Record<Field, string>>>, ready: boolean) => void
}

/** The state of one form over a row. `start` is what was changed before the form opened, and is judged at once. */
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
    errorAt: (errors, field) => errors.find((error) => error.field === field && (pressed || (touched.has(field) && !error.untouched)))?.text,
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
