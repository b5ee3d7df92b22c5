import { useId, useState } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { postOnlyRemark } from '../../../../shared/ticket/form/ticket-remarks.ts'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Field } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import type { FieldsProps } from './ticket-fields.tsx'
import { notTaken } from './ticket-offers.ts'

/** How long an order that waits is good for, and whether it may take. */
export function TimeInForceFields({ state, offers, edit }: FieldsProps) {
  const odd = state.orderType === 'limit' ? postOnlyRemark(state) : null
  return (
    <div className="field">
      <div className="opts">
        <Segments
          label="Time in force"
          choices={[
            { value: 'gtc', why: notTaken('timesInForce', 'gtc', offers), label: <abbr title="Good till cancelled">GTC</abbr> },
            { value: 'ioc', why: notTaken('timesInForce', 'ioc', offers), label: <abbr title="Immediate or cancel">IOC</abbr> },
            { value: 'fok', why: notTaken('timesInForce', 'fok', offers), label: <abbr title="Fill or kill">FOK</abbr> },
          ]}
          value={state.timeInForce}
          onChange={(timeInForce) => edit({ timeInForce })}
        />
        {state.orderType === 'limit' ? (
          <Checkbox id="post-only" describedBy="post-only-help" checked={state.postOnly} onChange={(postOnly) => edit({ postOnly })}>
            Post only
          </Checkbox>
        ) : null}
      </div>
      {odd === null ? null : (
        <p className="help warn" id="post-only-help">
          <Icon name="warn" />
          <span>{odd}</span>
        </p>
      )}
    </div>
  )
}

export function RestChoice({ state, edit }: Pick<FieldsProps, 'state' | 'edit'>) {
  return (
    <Checkbox checked={state.restIfUnfilled} onChange={(restIfUnfilled) => edit({ restIfUnfilled })}>
      Let an unfilled rest wait as a limit order
    </Checkbox>
  )
}

/** What is rarely needed, folded: the user's own id of the order. */
export function MoreTerms({ state, edit, errorAt, touch }: FieldsProps) {
  const id = useId()
  const error = errorAt('clientOrderId')
  const [opened, setOpened] = useState(state.clientOrderId !== '')
  const open = opened || error !== undefined
  return (
    <div className="t-more">
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpened(!open)}>
        <Icon name="chevron-right" size={14} />
        More
      </button>
      <div id={id} hidden={!open}>
        <Field
          id="client-order-id"
          label="Client order id"
          end={`${state.clientOrderId.trim().length} of ${limits.clientOrderIdLength}`}
          help="Names one order for good. Empty: one is made."
          error={error?.text}
        >
          <Input
            id="client-order-id"
            mono
            value={state.clientOrderId}
            onChange={(clientOrderId) => edit({ clientOrderId })}
            onBlur={() => touch('clientOrderId')}
            invalid={error !== undefined}
          />
        </Field>
      </div>
    </div>
  )
}
