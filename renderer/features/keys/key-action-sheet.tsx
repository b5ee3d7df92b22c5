import { useId, useState } from 'react'
import type { KeyNote, KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { day, minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Field, Input } from '../../kit/input.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { Time, useNow } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useNaming } from '../../parts/name-offer.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import { AgentSheet, ExecutorSheet } from './agents/agent-sheet.tsx'
import { PaymentSheet } from './agents/payment-sheet.tsx'
import { RevokeSheet, RotateSheet } from './danger-sheet.tsx'
import { HandoverSheet } from './delivery/handover-sheet.tsx'
import styles from './key-detail.module.css'
import { ReplaceSheet } from './replace/replace-sheet.tsx'

/** The sheet for an address such as `keys/<id>/extend`. Draws nothing if `action` names no sheet. */
export function KeyActionSheet({ action, entry, onClose }: { readonly action: string | null; readonly entry: KeySummary; readonly onClose: () => void }) {
  switch (action) {
    case 'extend':
      return <ExpirySheet entry={entry} onClose={onClose} />
    case 'rotate':
      return <RotateSheet entry={entry} onClose={onClose} />
    case 'revoke':
      return <RevokeSheet entry={entry} onClose={onClose} />
    case 'grant':
      return <AgentSheet entry={entry} onClose={onClose} />
    case 'executor':
      return <ExecutorSheet entry={entry} onClose={onClose} />
    case 'handover':
      return <HandoverSheet entry={entry} onClose={onClose} />
    case 'note':
      return <NoteSheet entry={entry} onClose={onClose} />
    case 'payment':
      return <PaymentSheet entry={entry} onClose={onClose} />
    case 'replace':
      return <ReplaceSheet entry={entry} onClose={onClose} />
    case 'schedule':
      return <ReplaceSheet entry={entry} later onClose={onClose} />
    default:
      return null
  }
}

/** A key's action sheet over another page. Draws nothing if the wallet has no such key. */
export function KeySheetOver({ keyId, action, onClose }: { readonly keyId: string; readonly action: string; readonly onClose: () => void }) {
  const list = useIpcQuery('keys.list', {})
  const entry = list.data?.keys.find(({ id }) => id === keyId)
  return entry === undefined ? null : <KeyActionSheet action={action} entry={entry} onClose={onClose} />
}

const empty: KeyNote = { owner: '', environment: '', group: '', text: '' }
const longest = 2_000

/** The user's note on a key: owner, environment, group and text. Stored only on this computer. */
function NoteSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const annotate = useIpcCommand('keys.annotate')
  const [note, setNote] = useState<KeyNote>(entry.note ?? empty)
  const blank = Object.values(note).every((part) => part.trim() === '')
  const tooLong = note.text.length > longest
  const save = () => {
    if (!tooLong) annotate.mutate({ keyId: entry.id, note: blank ? null : note }, { onSuccess: onClose })
  }
  const edit = (part: keyof KeyNote) => (value: string) => setNote({ ...note, [part]: value })
  return (
    <Sheet title={keysText.noteOn(entry.label)} lead={keysText.noteLead} icon="pen" onClose={onClose} className={overlayStyles.narrow}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className={styles.threeNotes}>
          <Field id={`${id}-owner`} label={keysText.owner}>
            <Input id={`${id}-owner`} value={note.owner} onChange={edit('owner')} maxLength={80} placeholder={keysText.ownerPlaceholder} />
          </Field>
          <Field id={`${id}-environment`} label={keysText.environment}>
            <Input
              id={`${id}-environment`}
              value={note.environment}
              onChange={edit('environment')}
              maxLength={40}
              placeholder={keysText.environmentPlaceholder}
            />
          </Field>
          <Field id={`${id}-group`} label={keysText.group}>
            <Input id={`${id}-group`} value={note.group} onChange={edit('group')} maxLength={40} placeholder={keysText.groupPlaceholder} />
          </Field>
        </div>
        <Field
          id={`${id}-text`}
          label={keysText.note}
          error={tooLong ? keysText.noteTooLong(longest, note.text.length) : undefined}
          help={keysText.noteNoSecrets}
        >
          <textarea
            id={`${id}-text`}
            className={styles.area}
            rows={4}
            value={note.text}
            onChange={(event) => edit('text')(event.target.value)}
            aria-describedby={`${id}-text-help`}
          />
        </Field>
        {annotate.error === null ? null : <FailureNote failure={failureOf(annotate.error)} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" busy={annotate.isPending} disabled={tooLong} onClick={save}>
          {keysText.saveNote}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** The lifetimes to choose from, in days from now, all of which the service accepts. */
const spans = { '30': 30, '90': 90, '360': 360, '2000': 2000 } as const
type Span = keyof typeof spans

/** Sets a key's new expiry to one of four spans from now. The new expiry may be earlier than the current expiry. */
function ExpirySheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const set = useIpcCommand('keys.setExpiry')
  const now = useNow(minute)
  const [span, setSpan] = useState<Span>('90')
  const next = now + spans[span] * day
  const sooner = entry.expiresAtMs !== null && next < entry.expiresAtMs
  const save = () =>
    set.mutate(
      { keyId: entry.id, days: spans[span] },
      {
        onSuccess: () => {
          toast({ tone: 'ok', title: keysText.hasNewExpiry(entry.label), text: keysText.expiresInDays(spans[span]), action: null })
          onClose()
        },
      },
    )
  const naming = useNaming(save)
  return (
    <Sheet title={keysText.changeExpiryOf(entry.label)} lead={keysText.changeExpiryLead} icon="clock" onClose={onClose} className={overlayStyles.narrow}>
      <div className={overlayStyles.sheetBody}>
        <Segments
          label={keysText.newValidity}
          size="md"
          choices={(Object.keys(spans) as Span[]).map((days) => ({ value: days, label: keysText.dayCount(spans[days]) }))}
          value={span}
          onChange={setSpan}
        />
        <Rows ruled>
          <Row name={keysText.currentExpiry}>
            <Time ms={entry.expiresAtMs} form="day" />
          </Row>
          <Row name={keysText.newExpiry}>
            <b>
              <Time ms={next} form="day" />
            </b>
          </Row>
        </Rows>
        {sooner ? (
          <Note tone="warn" title={keysText.earlierThanCurrent}>
            {keysText.botsStopOnNewDate}
          </Note>
        ) : spans[span] > 360 ? (
          <Note tone="warn" title={keysText.longValidity}>
            {keysText.longValidityDetail}
          </Note>
        ) : null}
        {set.error === null ? null : <FailureNote failure={failureOf(set.error)} naming={naming} />}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" busy={set.isPending} onClick={save}>
          {keysText.setExpiry}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
