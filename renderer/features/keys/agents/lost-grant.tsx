import type { KeyDraft, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'

/** The grant was signed and the rest is not known: the same signature goes again, or the list of keys tells. */
export function LostGrant({ draft, onCreated }: { readonly draft: KeyDraft; readonly onCreated: (key: KeySummary) => void }) {
  const navigate = useNavigate()
  const create = useDeskCommand('keys.create')
  const lost = draft.state === 'unknown'
  return (
    <aside className="panel grant" aria-label="A signed grant">
      <div className="panel-body pad k-notes">
        <Note tone="warn" icon={lost ? 'unknown' : 'pen'} title={lost ? 'The answer to making this key was lost.' : 'You signed this, and it was not sent.'}>
          <p>
            {lost
              ? 'Keys says what the service knows of it. The same signature can go again within the 30 minutes; it makes at most one key.'
              : 'The signature is kept encrypted. Send it now, or leave: then it is erased and nothing is created.'}
          </p>
        </Note>
        <span className="k-acts">
          {/* An empty signature stands for the one that main keeps. */}
          <Button
            variant="primary"
            icon="send"
            busy={create.isPending}
            onClick={() => create.mutate({ draftId: draft.id, signature: '' }, { onSuccess: onCreated })}
          >
            Send it again
          </Button>
          <Button variant="ghost" onClick={() => navigate('keys')}>
            See what is known
          </Button>
        </span>
        {create.error === null ? null : <FailureNote failure={failureOf(create.error)} />}
      </div>
    </aside>
  )
}
