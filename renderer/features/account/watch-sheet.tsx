import { useState } from 'react'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Input } from '../../kit/input.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'

/** Adds a wallet that is only looked at. */
export function WatchSheet({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: (address: string) => void }) {
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const add = useDeskCommand('account.watch')
  const failure = add.error === null ? null : failureOf(add.error)
  const issue = (field: string) => (failure?.kind === 'bad_input' && failure.field === field ? failure.issue : undefined)
  return (
    <Sheet title="Watch a wallet" lead="Look at any account, without a key and without any rights." icon="eye" onClose={onClose} className="narrow">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate({ address, name }, { onSuccess: (added) => onAdded(added.address) })
        }}
      >
        <div className="sheet-body">
          <Field id="watch-address" label="Address" error={issue('address')}>
            <Input id="watch-address" mono value={address} onChange={setAddress} placeholder="0x" maxLength={60} invalid={issue('address') !== undefined} />
          </Field>
          <Field id="watch-name" label="Name" error={issue('name')}>
            <Input id="watch-name" value={name} onChange={setName} placeholder="Treasury" maxLength={60} invalid={issue('name') !== undefined} />
          </Field>
          <Note icon="globe">It is read by public routes that are not a contract and may change without notice. Kept for this profile, on this computer.</Note>
          {failure === null || failure.kind === 'bad_input' ? null : <FailureNote failure={failure} />}
        </div>
        <SheetFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={add.isPending}>
            Watch
          </Button>
        </SheetFoot>
      </form>
    </Sheet>
  )
}
