import { type FormEvent, useState } from 'react'
import { entryIssue } from '../../../../shared/field-map/check-entry.ts'
import type { MapEntry } from '../../../../shared/field-map/field-map-entries.ts'
import { type AssumedRequest, assumedFields, assumedRequests } from '../../../../shared/field-map/sent-names.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import textStyles from '../../../kit/text.module.css'
import { settingsText } from '../../../text/en/settings.en.tsx'
import { mapIssueText, requestTitle } from '../../../text/field-map-text.ts'
import styles from '../settings.module.css'

const lists = [
  { title: settingsText.walletActions, requests: assumedRequests.wallet },
  { title: settingsText.executorActions, requests: assumedRequests.executor },
  { title: settingsText.otherRequests, requests: assumedRequests.others },
] as const

/** For each field of a request, the name under which the app sends it. */
export type Names = Readonly<Record<string, string>>

interface RequestNamesProps {
  readonly namesOf: (request: AssumedRequest) => Names
  readonly busy: boolean
  /** Saves the names for one request. `names` contains only those that differ from the app's own. */
  readonly onSave: (request: AssumedRequest, names: Names, done: () => void) => void
}

/** Lists every request whose fields the API document does not show, with the field names that the app sends. */
export function RequestNames({ namesOf, busy, onSave }: RequestNamesProps) {
  const [editing, setEditing] = useState<AssumedRequest | null>(null)
  return lists.map(({ title, requests }) => (
    <section key={title}>
      <h3 className={styles.settingsBy}>{title}</h3>
      <ul className={cx(styles.settingsList, styles.settingsPayloads)} aria-label={title}>
        {requests.map((request) => (
          <li key={request}>
            {editing === request ? (
              <NamesForm
                request={request}
                names={namesOf(request)}
                busy={busy}
                onSave={(names) => onSave(request, names, () => setEditing(null))}
                onCancel={() => setEditing(null)}
              />
            ) : (
              <>
                <div className={textStyles.grow}>
                  <RequestName request={request} />
                  <FieldNames request={request} names={namesOf(request)} />
                </div>
                <Button size="sm" aria-label={settingsText.changeNamesIn(requestTitle(request) ?? request)} onClick={() => setEditing(request)}>
                  {settingsText.change}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  ))
}

function RequestName({ request }: { readonly request: AssumedRequest }) {
  const title = requestTitle(request)
  return title === null ? <code>{request}</code> : <span>{title}</span>
}

function FieldNames({ request, names }: { readonly request: AssumedRequest; readonly names: Names }) {
  return (
    <p className={styles.settingsFacts}>
      {assumedFields[request].map((field) => {
        const name = names[field]
        return name === undefined ? (
          <code key={field}>{field}</code>
        ) : (
          <span key={field}>
            <span aria-hidden="true">
              <code>{field}</code> <Icon name="arrow-right" size={12} /> <code className={textStyles.secondary}>{name}</code>
            </span>
            <span className={textStyles.screenReaderOnly}>{settingsText.sentAs(field, name)}</span>
          </span>
        )
      })}
    </p>
  )
}

interface NamesFormProps {
  readonly request: AssumedRequest
  readonly names: Names
  readonly busy: boolean
  readonly onSave: (names: Names) => void
  readonly onCancel: () => void
}

function NamesForm({ request, names, busy, onSave, onCancel }: NamesFormProps) {
  const [typed, setTyped] = useState(names)
  const said = Object.entries(typed).flatMap(([field, name]): MapEntry[] => {
    const at = name.trim()
    return at === '' || at === field ? [] : [{ part: 'payloads', of: request, field, at, unit: null, from: 'you' }]
  })
  const issues = new Map(
    said.flatMap((entry) => {
      const twice = said.some((other) => other !== entry && other.at === entry.at)
      const code = entryIssue(entry, {}) ?? (twice ? 'taken' : null)
      return code === null ? [] : [[entry.field, mapIssueText({ code, line: null, path: [entry.field], given: entry.at })] as const]
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (issues.size === 0) onSave(Object.fromEntries(said.map(({ field, at }) => [field, at])))
  }
  return (
    <form
      className={cx(textStyles.grow, styles.settingsNames)}
      onSubmit={submit}
      noValidate
      aria-label={settingsText.namesIn(requestTitle(request) ?? request)}
    >
      <RequestName request={request} />
      <div className={styles.settingsGrid}>
        {assumedFields[request].map((field) => (
          <Field key={field} id={`${request}-${field}`} label={<code>{field}</code>} error={issues.get(field)}>
            <Input
              id={`${request}-${field}`}
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
      <div className={styles.settingsActions}>
        <Button type="submit" size="sm" variant="primary" busy={busy} disabled={issues.size > 0}>
          {settingsText.saveNames}
        </Button>
        <Button size="sm" onClick={onCancel}>
          {settingsText.cancel}
        </Button>
      </div>
    </form>
  )
}
