import { useState } from 'react'
import type { ImportRead } from '../../../../shared/ipc/keys/keys.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCall, useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { CountdownRing } from '../../../kit/time/countdown-ring.tsx'
import { useNow } from '../../../kit/time/now.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { ImportEntries, ImportVerdict } from './import-result.tsx'

/** For how long main keeps what it read. */
const keptMs = 5 * minute

function Sources({ busy, onRead }: { readonly busy: 'clipboard' | 'file' | null; readonly onRead: (source: 'clipboard' | 'file') => void }) {
  return (
    <div className="imp-from">
      {(
        [
          { source: 'clipboard', icon: 'copy', name: 'From the clipboard', detail: 'It is cleared once the key is stored' },
          { source: 'file', icon: 'file', name: 'From a file', detail: 'An .env file, or one with the key alone' },
        ] as const
      ).map(({ source, icon, name, detail }) => (
        <button key={source} type="button" className="pre" aria-busy={busy === source || undefined} disabled={busy !== null} onClick={() => onRead(source)}>
          <Icon name={icon} />
          <b className="name">{name}</b>
          <small>{busy === source ? 'Reading, then one call with it' : detail}</small>
        </button>
      ))}
    </div>
  )
}

/** Takes the secret of a key that exists into the keychain. Main reads and tries it; this window never has it. */
export function ImportSheet({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const call = useDeskCall()
  const read = useDeskCommand('keys.importRead')
  const pick = useDeskCommand('keys.importPick')
  const store = useDeskCommand('keys.importStore')
  const [found, setFound] = useState<ImportRead | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const now = useNow(1_000)
  const held = found?.state === 'several' || found?.state === 'read' ? found : null
  const over = held !== null && now >= held.expiresAtMs
  const failed = read.error ?? pick.error ?? store.error

  const forget = () => {
    if (held !== null) void call('keys.importLeave', { importId: held.importId })
  }
  const take = (next: ImportRead) => {
    const only = next.state === 'read' && next.evidence !== 'none' ? next.candidates[0] : undefined
    // Without evidence nothing is chosen for the user.
    setChosen(only?.id ?? null)
    setFound(next)
  }
  const again = () => {
    forget()
    for (const one of [read, pick, store]) one.reset()
    setFound(null)
  }
  const close = () => {
    forget()
    onClose()
  }
  const onStore = () => {
    if (held === null || chosen === null) return
    store.mutate(
      { importId: held.importId, keyId: chosen },
      {
        onSuccess: ({ key, clipboard }) => {
          const after = clipboard === 'cleared' ? ' The clipboard was cleared.' : clipboard === 'changed' ? ' The clipboard holds something else by now.' : ''
          toast({
            tone: key.secret === 'memory' ? 'warn' : 'ok',
            title: `${key.label} is imported`,
            text: key.secret === 'memory' ? 'The keychain did not take it. It is kept for this run only.' : `In the keychain, read back.${after}`,
            action: null,
          })
          navigate(`keys/${key.id}`)
        },
      },
    )
  }
  const storable = found?.state === 'read' && found.verdict !== 'dead' && found.verdict !== 'other_wallet' && found.candidates.length > 0
  const label = found?.state === 'read' ? found.candidates.find(({ id }) => id === chosen)?.label : undefined
  return (
    <Sheet
      title="Import a key"
      lead="Its secret goes into the keychain of this computer."
      icon="download"
      onClose={close}
      end={held === null || over ? undefined : <CountdownRing untilMs={held.expiresAtMs} totalMs={keptMs} />}
      className="imp"
    >
      <div className="sheet-body">
        {found === null || found.state === 'cancelled' || found.state === 'nothing_found' ? (
          <>
            {found?.state === 'nothing_found' ? (
              <Note tone="warn" live title={found.from === null ? 'No key stands in the clipboard.' : `No key stands in ${found.from}.`}>
                Nothing there begins as a key of this exchange does, with <code>SVC</code>.
              </Note>
            ) : null}
            <Sources busy={read.isPending ? (read.variables?.source ?? null) : null} onRead={(source) => read.mutate({ source }, { onSuccess: take })} />
          </>
        ) : over ? (
          <Note tone="warn" live title="Its five minutes are over.">
            The secret was forgotten; nothing was stored. Read it again.
          </Note>
        ) : found.state === 'several' ? (
          <ImportEntries found={found} busy={pick.isPending} onPick={(entry) => pick.mutate({ importId: found.importId, entry }, { onSuccess: take })} />
        ) : (
          <ImportVerdict found={found} chosen={chosen} onChoose={setChosen} />
        )}
        {failed === null ? null : (
          <FailureNote
            failure={failureOf(failed)}
            actions={
              failureOf(failed).kind === 'sign_in_required' ? (
                <Button size="xs" icon="user" onClick={() => navigate('sign-in')}>
                  Sign in
                </Button>
              ) : undefined
            }
          />
        )}
        <p className="help">
          <Icon name="info" />
          <span>This window never sees it. One reading call with it tells whether it works.</span>
        </p>
      </div>
      <SheetFoot>
        <Button onClick={close} kbd={['Esc']}>
          Cancel
        </Button>
        {held === null ? null : (
          <Button icon="undo" onClick={again}>
            Read another
          </Button>
        )}
        {storable && !over ? (
          <Button variant="primary" icon="lock" disabled={chosen === null} busy={store.isPending} onClick={onStore}>
            {label === undefined ? 'Store it' : `Store it as ${label}`}
          </Button>
        ) : null}
      </SheetFoot>
    </Sheet>
  )
}
