import { useState } from 'react'
import type { CheckDetail, CheckedField, CheckedResource } from '../../../../shared/ipc/host/service-check.ts'
import { isOpen } from '../../../../shared/service-check.ts'
import { phraseOf } from '../../../../shared/signing/confirmation-phrase.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import textStyles from '../../../kit/text.module.css'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import styles from '../settings.module.css'
import { CheckPlace } from './check-place.tsx'
import { fieldText, unitsOf } from './service-check-text.ts'

/** What one step of the check found, and what the user may set right. */
export function ServiceCheckDetail({ id }: { readonly id: string }) {
  const { data, error } = useDeskQuery('serviceCheck.detail', { id })
  if (data === undefined) return error === null ? <p className={textStyles.muted}>Reading</p> : <FailureNote failure={failureOf(error)} />
  const open = data.resources.flatMap((of) => of.fields.filter(isOpen).map((field) => ({ of, field })))
  return (
    <div className={styles.checkDetail}>
      {data.row.failure === null ? null : <FailureNote failure={data.row.failure} />}
      {data.row.outcome === 'acted' ? (
        <Note tone="danger" title="This dry run may have been carried out.">
          The service answered with a command or a hash. The check stopped. Look at your account before you use dry runs again.
        </Note>
      ) : null}
      {open.map(({ of, field }) => (
        <OpenField key={`${of.resource}.${field.field}`} id={id} of={of} field={field} />
      ))}
      {data.resources.map((of) => (
        <AllFields key={of.resource} of={of} />
      ))}
      <Signing id={id} signing={data.signing} />
    </div>
  )
}

function OpenField({ id, of, field }: { readonly id: string; readonly of: CheckedResource; readonly field: CheckedField }) {
  const accept = useDeskCommand('serviceCheck.accept')
  const units = unitsOf(field)
  const [unit, setUnit] = useState<string | null>(field.reason === 'unit' ? null : (units[0] ?? null))
  const places = [...(field.path === null ? [] : [{ path: field.path, preview: '' }]), ...field.suggestions].filter(
    ({ path }, index, all) => all.findIndex((one) => one.path === path) === index,
  )
  return (
    <section className={styles.checkField} aria-label={`${of.resource} ${field.field}`}>
      <b>{field.field}</b> <span className={textStyles.muted}>{fieldText(field)}</span>
      {units.length === 0 ? null : (
        <Segments label={`Unit of ${field.field}`} choices={units.map((value) => ({ value, label: value }))} value={unit ?? ''} onChange={setUnit} />
      )}
      <ul>
        {places.map(({ path, preview }) => (
          <CheckPlace key={path} path={path} preview={preview}>
            <Button
              size="xs"
              busy={accept.isPending}
              disabled={units.length > 0 && unit === null}
              aria-label={`Read ${field.field} from ${path}`}
              onClick={() => accept.mutate({ id, resource: of.resource, field: field.field, path, unit })}
            >
              Use this
            </Button>
          </CheckPlace>
        ))}
      </ul>
      {accept.error === null ? null : <FailureNote failure={failureOf(accept.error)} />}
    </section>
  )
}

function AllFields({ of: { resource, records, incomplete, fields, unread } }: { readonly of: CheckedResource }) {
  const read = fields.filter(({ state }) => state === 'read')
  return (
    <details className={styles.checkAll}>
      <summary>
        {resource}: {read.length} of {fields.length} fields read, {unread.length} unknown
      </summary>
      {incomplete === 0 ? null : (
        <p className={textStyles.warn}>
          {incomplete} of {records} records lack a field that is needed, and are left out.
        </p>
      )}
      {records === 0 ? <p className={textStyles.muted}>The answer holds no records.</p> : null}
      <ul>
        {fields.map(({ field, state, path, unit }) => (
          <li key={field}>
            <span className={textStyles.grow}>{field}</span>
            <code>{path === null ? '—' : <VisibleText text={path} />}</code>
            <span className={textStyles.muted}>{state === 'read' ? (unit ?? 'read') : state}</span>
          </li>
        ))}
        {unread.map(({ path, preview }) => (
          <li key={`unread ${path}`}>
            <code className={textStyles.grow}>
              <VisibleText text={path} />
            </code>
            <span className={textStyles.muted}>
              <VisibleText text={preview} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Signing({ id, signing }: { readonly id: string; readonly signing: CheckDetail['signing'] }) {
  const pin = useDeskCommand('serviceCheck.pin')
  const [typed, setTyped] = useState('')
  if (signing === null) return null
  const { verdict, messages, contracts, reason } = signing
  const replaced = contracts.find(({ state }) => state === 'changed')
  const odd = messages.find(({ asks }) => asks !== null && asks.kind !== 'format')?.asks
  const wanted = replaced?.candidate ?? (odd == null ? null : phraseOf(odd))
  return (
    <section className={styles.checkSigning} aria-label="Signing format">
      {verdict === 'block' ? (
        <Note tone="danger" title="This would never be signed.">
          {reason ?? messages.find(({ sentence }) => sentence !== null)?.sentence}
        </Note>
      ) : null}
      {verdict === 'unsigned' ? <p className={textStyles.muted}>Nothing to sign now{reason === null ? '.' : `: ${reason}`}</p> : null}
      {verdict === 'pass' ? <p className={textStyles.muted}>You agreed to this signing format.</p> : null}
      {messages.map(({ digest, signature, lines }) => (
        <div key={digest}>
          <b>{signature === null ? 'Message to sign' : signature === '' ? 'Call that cannot be read' : signature}</b>
          <ul>
            {lines.map((line) => (
              <li key={line.id} data-verdict={line.verdict}>
                <span>{line.label}</span>
                <code className={textStyles.grow}>{line.field === null ? '—' : <VisibleText text={line.field} />}</code>
                <span className={textStyles.muted}>
                  <VisibleText text={line.signed ?? '—'} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {contracts.map(({ candidate, state }) => (
        <p key={candidate}>
          {state === 'changed' ? 'Replaces the contract you trust: ' : 'New contract, published by the service: '}
          <code>{candidate}</code>
        </p>
      ))}
      {verdict === 'confirm' ? (
        <>
          {wanted === null ? null : (
            <Field id={`pin-${id}`} label={`Type “${wanted}”`}>
              <Input id={`pin-${id}`} mono value={typed} onChange={setTyped} />
            </Field>
          )}
          <Button
            size="sm"
            variant="primary"
            busy={pin.isPending}
            onClick={() => pin.mutate({ id, digests: messages.map(({ digest }) => digest), typed: wanted === null ? null : typed })}
          >
            Agree to this signing format
          </Button>
        </>
      ) : null}
      {pin.error === null ? null : <FailureNote failure={failureOf(pin.error)} />}
    </section>
  )
}
