import type { Failure } from '../../../shared/ipc/failure.ts'
import { Note } from '../../kit/layout/note.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { keysText } from '../../text/en/keys.en.tsx'

/** Shown above the keys this app knows when the service's list is unreadable. Draws nothing otherwise. */
export function UnreadNote({ unread }: { readonly unread: Failure | null }) {
  if (unread === null) return null
  return (
    <>
      <Note tone="warn" icon="unknown" title={keysText.serviceListUnread}>
        {keysText.serviceListUnreadDetail}
      </Note>
      <FailureNote failure={unread} />
    </>
  )
}
