import { type FormEvent, useState } from 'react'
import { type AssumedAction, assumedActions, assumedFields, type Corrections, correctionIssues } from '../../../shared/ticket/corrections.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { Panel } from '../../ui/panel.tsx'

const lists = [
  { title: 'By your wallet', label: 'Actions with assumed payloads', actions: assumedActions.wallet },
  { title: 'By the executor of a key', label: 'Actions of an executor with assumed payloads', actions: assumedActions.executor },
] as const

/** The service's own names for fields of payloads that its document does not show. */
export function PayloadsPanel() {
  const query = useDeskQuery('corrections.get', {})
  const save = useDeskCommand('corrections.save')
  const toFile = useDeskCommand('corrections.export')
  const fromFile = useDeskCommand('corrections.import')
  const [editing, setEditing] = useState<AssumedAction | null>(null)
  // Without an exchange there is nobody to send to.
  if (query.data === undefined) return null
  const corrections: Corrections = query.data
  const changed = Object.values(query.data).reduce((count, names) => count + Object.keys(names).length, 0)
  const failed = [save.error, toFile.error, fromFile.error].find((error) => error !== null)
  const keep = (action: AssumedAction, names: Readonly<Record<string, string>>) =>
    save.mutate({ ...query.data, [action]: { ...names } }, { onSuccess: () => setEditing(null) })
  return (
    <div id="settings-payloads">
      <Panel
        title="Names in payloads"
        count={changed === 0 ? undefined : `${changed} changed`}
        end={
          <span className="set-acts">
            <Button size="sm" icon="upload" busy={fromFile.isPending} onClick={() => fromFile.mutate({}, { onSuccess: () => setEditing(null) })}>
              Read a file
            </Button>
            <Button size="sm" icon="download" busy={toFile.isPending} disabled={changed === 0} onClick={() => toFile.mutate({})}>
              Save a file
            </Button>
          </span>
        }
      >
        <p className="set-note muted">
          The exchange shows the payload of <code>open_position</code> alone. Fields of the others go by names that are assumed. Where it answers that it does
          not know one, give the name that it wants; it is sent from then on, in this profile. A batch sends each of its actions by that action&apos;s own
          names.
        </p>
        {failed == null ? null : (
          <div className="set-note">
            <FailureNote failure={failureOf(failed)} />
          </div>
        )}
        {lists.map(({ title, label, actions }) => (
          <section key={title}>
            <h3 className="set-by">{title}</h3>
            <ul className="set-list set-payloads" aria-label={label}>
              {actions.map((action) => (
                <li key={action}>
                  {editing === action ? (
                    <NamesForm
                      action={action}
                      names={corrections[action] ?? {}}
                      busy={save.isPending}
                      onKeep={(names) => keep(action, names)}
                      onCancel={() => setEditing(null)}
                    />
                  ) : (
                    <>
                      <div className="grow">
                        <code>{action}</code>
                        <FieldNames action={action} names={corrections[action] ?? {}} />
                      </div>
                      <Button size="sm" aria-label={`Change the names of ${action}`} onClick={() => setEditing(action)}>
                        Change
                      </Button>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Panel>
    </div>
  )
}

interface NamesProps {
  readonly action: AssumedAction
  readonly names: Readonly<Record<string, string>>
}

function FieldNames({ action, names }: NamesProps) {
  return (
    <p className="set-facts">
      {assumedFields[action].map((field) => {
        const name = names[field]
        return name === undefined ? (
          <code key={field}>{field}</code>
        ) : (
          <span key={field}>
            <code>{field}</code> <Icon name="arrow-right" size={12} />
            <span className="sr"> is sent as </span> <code className="t2">{name}</code>
          </span>
        )
      })}
    </p>
  )
}

function NamesForm({
  action,
  names,
  busy,
  onKeep,
  onCancel,
}: NamesProps & { readonly busy: boolean; readonly onKeep: (names: Readonly<Record<string, string>>) => void; readonly onCancel: () => void }) {
  const [typed, setTyped] = useState(names)
  const said = Object.fromEntries(Object.entries(typed).filter(([field, name]) => name.trim() !== '' && name !== field))
  const issues = correctionIssues(action, said)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (issues.size === 0) onKeep(said)
  }
  return (
    <form className="grow set-names" onSubmit={submit} noValidate aria-label={`Names of ${action}`}>
      <code>{action}</code>
      <div className="set-grid">
        {assumedFields[action].map((field) => (
          <Field key={field} id={`${action}-${field}`} label={<code>{field}</code>} error={issues.get(field)}>
            <Input
              id={`${action}-${field}`}
              mono
              value={typed[field] ?? ''}
              placeholder={field}
              maxLength={64}
              invalid={issues.has(field)}
              onChange={(name) => setTyped({ ...typed, [field]: name })}
            />
          </Field>
        ))}
      </div>
      <div className="set-acts">
        <Button type="submit" size="sm" variant="primary" busy={busy} disabled={issues.size > 0}>
          Use these names
        </Button>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
