import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { AgentSheet } from './agents/agent-sheet.tsx'
import { ExecutorSheet } from './agents/executor-sheet.tsx'
import { PaymentSheet } from './agents/payment-sheet.tsx'
import { RevokeSheet, RotateSheet } from './danger-sheet.tsx'
import { HandoverSheet } from './delivery/handover-sheet.tsx'
import { ExpirySheet } from './list/expiry-sheet.tsx'
import { NoteSheet } from './list/note-sheet.tsx'
import { ReplaceSheet } from './replace/replace-sheet.tsx'

/** The sheet that a place such as `keys/<id>/extend` names; nothing for another name. */
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

/** The same over a page that is not the key's own. Nothing where the wallet has no such key. */
export function KeySheetOver({ keyId, action, onClose }: { readonly keyId: string; readonly action: string; readonly onClose: () => void }) {
  const list = useDeskQuery('keys.list', {})
  const entry = list.data?.keys.find(({ id }) => id === keyId)
  return entry === undefined ? null : <KeyActionSheet action={action} entry={entry} onClose={onClose} />
}
