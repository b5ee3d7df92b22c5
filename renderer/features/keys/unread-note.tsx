import type { Failure } from '../../../shared/ipc/failure.ts'
import { Note } from '../../kit/layout/note.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'

/** Stands above keys that this app knows while the service's list tells nothing. Draws nothing where the list was read. */
export function UnreadNote({ unread }: { readonly unread: Failure | null }) {
  if (unread === null) return null
  return (
    <>
      <Note tone="warn" icon="unknown" title="The service’s list of keys cannot be read.">
        These are the keys that this app knows, as it last saw them. There may be others. Rotating and revoking need no list.
      </Note>
      <FailureNote failure={unread} />
    </>
  )
}
