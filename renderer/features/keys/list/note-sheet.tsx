import { useId, useState } from 'react'
import type { KeyNote, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'

const empty: KeyNote = { owner: '', environment: '', group: '', text: '' }
const longest = 2_000

/** Owner, environment, group and words about a key. They stay on this computer. */
export function NoteSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const annotate = useDeskCommand('keys.annotate')
  const [note, setNote] = useState<KeyNote>(entry.note ?? empty)
  const blank = Object.values(note).every((part) => part.trim() === '')
  const tooLong = note.text.length > longest
  const save = () => {
    if (!tooLong) annotate.mutate({ keyId: entry.id, note: blank ? null : note }, { onSuccess: onClose })
  }
  const edit = (part: keyof KeyNote) => (value: string) => setNote({ ...note, [part]: value })
  return (
    <Sheet title={`Note on ${entry.label}`} lead="Kept on this computer. The service never sees it." icon="pen" onClose={onClose} className="narrow">
      <form
        className="sheet-body"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className="note-3">
          <Field id={`${id}-owner`} label="Owner">
            <Input id={`${id}-owner`} value={note.owner} onChange={edit('owner')} maxLength={80} placeholder="ana" />
          </Field>
          <Field id={`${id}-environment`} label="Environment">
            <Input id={`${id}-environment`} value={note.environment} onChange={edit('environment')} maxLength={40} placeholder="production" />
          </Field>
          <Field id={`${id}-group`} label="Group">
            <Input id={`${id}-group`} value={note.group} onChange={edit('group')} maxLength={40} placeholder="market making" />
          </Field>
        </div>
        <Field
          id={`${id}-text`}
          label="Note"
          error={tooLong ? `A note has at most ${longest} characters; this one has ${note.text.length}.` : undefined}
          help="Never write a secret here: notes are not encrypted."
        >
          <textarea
            id={`${id}-text`}
            className="area"
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
        <Button onClick={onClose} kbd={['Esc']}>
          Cancel
        </Button>
        <Button variant="primary" busy={annotate.isPending} disabled={tooLong} onClick={save}>
          Save note
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
