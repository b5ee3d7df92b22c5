import { type ReactNode, useState } from 'react'
import { countsOf, isOpen, isUnread } from '../../../../shared/check-counts.ts'
import type { CheckDetail, CheckedField, CheckedResource, CheckOutcome, CheckRow, ServiceCheckState } from '../../../../shared/ipc/host/service-check.ts'
import { phraseOf } from '../../../../shared/phrases.ts'
import { blockedText, lineName, lineValueText } from '../../../../shared/text/comparison-text.ts'
import { reasonText } from '../../../../shared/text/reason-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import textStyles from '../../../kit/text.module.css'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'
import styles from '../settings.module.css'

/** One step of the service check: its findings, and what the user can correct. */
export function ServiceCheckDetail({ id }: { readonly id: string }) {
  const { data, error } = useIpcQuery('serviceCheck.detail', { id })
  if (data === undefined) return error === null ? <p className={textStyles.muted}>{settingsText.reading}</p> : <FailureNote failure={failureOf(error)} />
  const open = data.resources.flatMap((of) => of.fields.filter(isUnread).map((field) => ({ of, field })))
  return (
    <div className={styles.checkDetail}>
      {data.row.failure === null ? null : <FailureNote failure={data.row.failure} />}
      {data.row.outcome === 'acted' ? (
        <Note tone="danger" title={settingsText.dryRunMayHaveActed}>
          {settingsText.dryRunMayHaveActedHelp}
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
  const accept = useIpcCommand('serviceCheck.accept')
  const units = isOpen(field) ? unitsOf(field) : []
  const [unit, setUnit] = useState<string | null>(field.reason === 'unit' ? null : (units[0] ?? null))
  const places = (isOpen(field) ? [...(field.path === null ? [] : [{ path: field.path, preview: '' }]), ...field.suggestions] : []).filter(
    ({ path }, index, all) => all.findIndex((one) => one.path === path) === index,
  )
  return (
    <section className={styles.checkField} aria-label={`${of.resource} ${field.field}`}>
      <b>{field.field}</b> <span className={textStyles.muted}>{fieldText(field)}</span>
      {units.length === 0 ? null : (
        <Segments label={settingsText.unitOf(field.field)} choices={units.map((value) => ({ value, label: value }))} value={unit ?? ''} onChange={setUnit} />
      )}
      <ul>
        {places.map(({ path, preview }) => (
          <CheckPlace key={path} path={path} preview={preview}>
            <Button
              size="xs"
              busy={accept.isPending}
              disabled={units.length > 0 && unit === null}
              aria-label={settingsText.readFieldFrom(field.field, path)}
              onClick={() => accept.mutate({ id, resource: of.resource, field: field.field, path, unit })}
            >
              {settingsText.useField}
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
      <summary>{settingsText.fieldsRead(resource, read.length, fields.length, unread.length)}</summary>
      {incomplete === 0 ? null : <p className={textStyles.warn}>{settingsText.incompleteRecords(incomplete, records)}</p>}
      {records === 0 ? <p className={textStyles.muted}>{settingsText.noRecords}</p> : null}
      <ul>
        {fields.map(({ field, state, path, unit }) => (
          <li key={field}>
            <span className={textStyles.grow}>{field}</span>
            <code>{path === null ? '—' : <VisibleText text={path} />}</code>
            <span className={textStyles.muted}>
              {state === 'read' ? (unit ?? settingsText.fieldRead) : state === 'missing' ? settingsText.fieldMissing : settingsText.fieldUnknown}
            </span>
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
  const pin = useIpcCommand('serviceCheck.pin')
  const [typed, setTyped] = useState('')
  if (signing === null) return null
  const { verdict, messages, contracts, reason } = signing
  const replaced = contracts.find(({ state }) => state === 'changed')
  const odd = messages.find(({ asks }) => asks !== null && asks.kind !== 'format')?.asks
  const wanted = replaced?.candidate ?? (odd == null ? null : phraseOf(odd))
  return (
    <section className={styles.checkSigning} aria-label={settingsText.signingFormat}>
      {verdict === 'block' ? (
        <Note tone="danger" title={settingsText.neverSigned}>
          {reason === null ? messages.flatMap(({ blocked }) => (blocked === null ? [] : blockedText(blocked)))[0] : reasonText(reason)}
        </Note>
      ) : null}
      {verdict === 'unsigned' ? (
        <p className={textStyles.muted}>{reason === null ? settingsText.nothingToSignNow : settingsText.nothingToSign(reasonText(reason))}</p>
      ) : null}
      {verdict === 'pass' ? <p className={textStyles.muted}>{settingsText.signingFormatAgreed}</p> : null}
      {messages.map(({ digest, signature, lines }) => (
        <div key={digest}>
          <b>{signature === null ? settingsText.messageToSign : signature === '' ? settingsText.unreadableCall : signature}</b>
          <ul>
            {lines.map((line) => (
              <li key={line.id} data-verdict={line.verdict}>
                <span>{lineName(line)}</span>
                <code className={textStyles.grow}>{line.field === null ? '—' : <VisibleText text={line.field} />}</code>
                <span className={textStyles.muted}>
                  <VisibleText text={line.signed === null ? '—' : lineValueText(line.signed)} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {contracts.map(({ candidate, state }) => (
        <p key={candidate}>{(state === 'changed' ? settingsText.replacesTrustedContract : settingsText.newContract)(<code>{candidate}</code>)}</p>
      ))}
      {verdict === 'confirm' ? (
        <>
          {wanted === null ? null : (
            <Field id={`pin-${id}`} label={settingsText.typePhrase(wanted)}>
              <Input id={`pin-${id}`} mono value={typed} onChange={setTyped} />
            </Field>
          )}
          <Button
            size="sm"
            variant="primary"
            busy={pin.isPending}
            onClick={() => pin.mutate({ id, digests: messages.map(({ digest }) => digest), typed: wanted === null ? null : typed })}
          >
            {settingsText.agreeToFormat}
          </Button>
        </>
      ) : null}
      {pin.error === null ? null : <FailureNote failure={failureOf(pin.error)} />}
    </section>
  )
}

interface OutcomeText {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
}

const outcomes: Readonly<Record<CheckOutcome, OutcomeText>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: settingsText.waiting },
  read: { tone: 'ok', icon: 'check', word: settingsText.readState },
  partly: { tone: 'warn', icon: 'unknown', word: settingsText.partlyRead },
  not: { tone: 'danger', icon: 'x', word: settingsText.notReadable },
  empty: { tone: 'off', icon: 'inbox', word: settingsText.nothingToReadYet },
  nothing_yet: { tone: 'off', icon: 'inbox', word: settingsText.nothingToReadYet },
  impossible: { tone: 'off', icon: 'inbox', word: settingsText.cannotPrepare },
  no_scope: { tone: 'off', icon: 'key', word: settingsText.scopeMissing },
  signed_out: { tone: 'off', icon: 'user', word: settingsText.needsSignIn },
  failed: { tone: 'danger', icon: 'x', word: settingsText.failed },
  refused_as_expected: { tone: 'ok', icon: 'check', word: settingsText.refusedAsExpected },
  acted: { tone: 'danger', icon: 'warn', word: settingsText.actedOutcome },
}
export const outcomeText = (outcome: CheckOutcome): OutcomeText => outcomes[outcome]

const needing: ReadonlySet<CheckOutcome> = new Set(['partly', 'not', 'failed', 'acted'])
export const needsAttention = ({ outcome }: CheckRow): boolean => needing.has(outcome)

export const rowName = ({ kind, route, action }: CheckRow): string => {
  switch (kind) {
    case 'read':
      return route
    case 'preview':
      return `${route} · ${action}`
    case 'prepare':
      return settingsText.prepareAction(action)
    case 'dry_run':
      return settingsText.dryRunOfAction(action)
  }
}

/** The result of the service check in one line. */
export function resultText({ phase, rows, done }: ServiceCheckState): string {
  if (phase === 'none') return settingsText.serviceNotChecked
  if (phase === 'running') return settingsText.checkingProgress(done, rows.length)
  const counts = countsOf(rows)
  return phase === 'stopped' ? settingsText.checkStopped(done, rows.length, counts) : settingsText.checkResult(counts)
}

const fieldText = (field: CheckedField): string => (field.documented ? `${problemText(field)} ${settingsText.documentedField}` : problemText(field))

const shownUnread = 3

/** Which fields of a partly read response the app did not read, and why; null if it read all of them. */
export function unreadText({ outcome, unread, records, incomplete }: CheckRow): string | null {
  if (outcome !== 'partly') return null
  const shown = unread.slice(0, shownUnread).map((field) => ({ name: field.field, why: problemText(field) }))
  const fields = unread.length === 0 ? [] : [settingsText.unreadFields(shown, unread.length - shown.length)]
  return [...fields, ...(incomplete === 0 ? [] : [settingsText.incompleteRecords(incomplete, records)])].join(' ')
}

function problemText({ state, reason }: Pick<CheckedField, 'state' | 'reason'>): string {
  if (state === 'missing') return settingsText.fieldNotFound
  switch (reason) {
    case 'unit':
      return settingsText.fieldUnitless
    case 'scale':
      return settingsText.fieldScaled
    case 'conflict':
      return settingsText.fieldConflict
    default:
      return settingsText.fieldUnreadable
  }
}

const amounts = ['usdc', 'base'] as const
const ratios = ['percent', 'fraction', 'bps'] as const
/** The units that the user can choose for a field. A price is always in USDC. */
function unitsOf({ unit }: CheckedField): readonly string[] {
  switch (unit) {
    case 'usdc':
    case 'base':
      return amounts
    case 'percent':
    case 'hourly':
      return ratios
    default:
      return []
  }
}

/** A list entry for a place in a response: its path and value. `before` names the field that the app would read from this place. */
export function CheckPlace({ path, preview, before, children }: CheckPlaceProps) {
  return (
    <li>
      {before === undefined ? null : <span>{before}</span>}
      <code>
        <VisibleText text={path} />
      </code>
      <span className={cx(textStyles.muted, textStyles.grow)}>
        <VisibleText text={preview} />
      </span>
      {children}
    </li>
  )
}

interface CheckPlaceProps {
  readonly path: string
  readonly preview: string
  readonly before?: string
  readonly children?: ReactNode
}
