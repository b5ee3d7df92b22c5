import { eventGroups } from '../../../../shared/webhooks/events.ts'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { type NewWebhookState, toggleEvent } from './new-webhook-form.ts'

interface PickerProps {
  readonly state: NewWebhookState
  /** What is wrong with the choice; null: nothing. */
  readonly issue: string | null
  readonly onEdit: (edit: Partial<NewWebhookState>) => void
}

/** What the service tells about, each with when it is sent. */
export function EventPicker({ state, issue, onEdit }: PickerProps) {
  const { every, events } = state
  return (
    <fieldset className="ev">
      <legend>
        Events
        <span className="muted">{every ? 'all' : `${events.length} chosen`}</span>
      </legend>
      <div className="ev-all">
        <Checkbox checked={every} onChange={(on) => onEdit({ every: on })}>
          <span>
            <b>All events</b> <code>*</code>
          </span>
        </Checkbox>
      </div>
      <div className="ev-groups">
        {eventGroups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3>{group.title}</h3>
            <ul>
              {group.events.map(({ name, when, remark }) => (
                <li key={name}>
                  <Checkbox checked={every || events.includes(name)} disabled={every} onChange={(on) => onEdit({ events: toggleEvent(events, name, on) })}>
                    <span>
                      <code>{name}</code> {remark === null ? null : <Chip tone="warn">{remark}</Chip>}
                      <small>{when}</small>
                    </span>
                  </Checkbox>
                </li>
              ))}
            </ul>
            {group.remark === null ? null : (
              <p className="help">
                <Icon name="info" />
                <span>{group.remark}</span>
              </p>
            )}
          </section>
        ))}
      </div>
      {issue === null ? null : (
        <p className="help error" role="alert">
          <Icon name="stop" />
          <span>{issue}</span>
        </p>
      )}
    </fieldset>
  )
}
