import { useRef, useState } from 'react'
import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'

/** Sets where the chain is read. The URL may hold a key, so it goes one way: main keeps it encrypted and shows only its host. */
export function RpcSheet({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }) {
  const save = useDeskCommand('profiles.setRpc')
  const input = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState('')
  const keep = (rpcUrl: string | null) => save.mutate({ id: profile.id, rpcUrl }, { onSuccess: onClose })
  return (
    <Sheet
      title={`RPC endpoint of ${profile.name}`}
      lead="Where confirmations, code and balances on Base are read."
      icon="globe"
      className="rpc"
      onClose={onClose}
      initialFocus={input}
    >
      <form
        className="sheet-body"
        onSubmit={(event) => {
          event.preventDefault()
          if (url.trim() !== '') keep(url.trim())
        }}
      >
        <Field id="rpc-url" label="URL" end={`Now ${profile.rpcHost ?? 'the default'}`} help="It may hold a key. It is kept encrypted and not shown again.">
          <Input id="rpc-url" ref={input} type="password" mono value={url} onChange={setUrl} placeholder="https://" />
        </Field>
        {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot
        verdict={
          profile.rpcHost === null ? null : (
            <Button variant="ghost" onClick={() => keep(null)}>
              Use the default
            </Button>
          )
        }
      >
        <Button variant="ghost" kbd={['Esc']} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" disabled={url.trim() === ''} busy={save.isPending} onClick={() => keep(url.trim())}>
          Save
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
