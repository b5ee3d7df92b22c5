import type { Attention, Health } from '../../../shared/ipc/host/app.ts'
import type { JournalTrouble } from '../../store/journal/journal.ts'

const settings = { label: 'Open settings', to: '/settings' }

const heldBack = 'so new orders and keys are held back. Closing, cancelling and revoking still work.'
const troubles = {
  no_space: ['The disk is full', `The journal cannot be written, ${heldBack} Free some space; the journal goes on by itself.`],
  read_only: ['The journal cannot be written', `The app may not write its own files, ${heldBack} Allow writing to its folder, then start the app again.`],
  newer: ['A newer version of Svc Desk wrote the journal', `This version leaves it as it is, ${heldBack} Start the newer version again.`],
} as const satisfies Record<JournalTrouble, readonly [title: string, text: string]>

/**
 * `setAside`: the file name of the corrupt list of profiles and settings; null when there is none, or the user agreed to go on. `unreadable`: what of
 * that list is damaged.
 */
export function journalAttention({
  setAside,
  unreadable,
  trouble,
  nowMs,
}: {
  readonly setAside: string | null
  readonly unreadable: readonly string[]
  readonly trouble: JournalTrouble | null
  readonly nowMs: number
}): Attention[] {
  const rows: Attention[] = []
  if (trouble !== null)
    rows.push({
      id: 'journal-memory',
      kind: 'journal_rebuilt',
      severity: 'danger',
      title: troubles[trouble][0],
      text: troubles[trouble][1],
      action: settings,
      atMs: nowMs,
      untilMs: null,
    })
  if (setAside !== null)
    rows.push({
      id: 'profiles-rebuilt',
      kind: 'journal_rebuilt',
      severity: 'danger',
      title: 'The list of profiles was damaged and begun anew',
      text: `The damaged file was kept as ${setAside}. Add your profiles again; their journals and keys are still here.`,
      action: settings,
      atMs: nowMs,
      untilMs: null,
    })
  if (unreadable.length > 0)
    rows.push({
      id: 'profiles-unreadable',
      kind: 'journal_rebuilt',
      severity: 'danger',
      title: unreadable.length === 1 ? 'A profile cannot be read' : `${unreadable.length} profiles cannot be read`,
      text: `Damaged in the list of profiles, and left out: ${unreadable.slice(0, 5).join(', ')}. Their journals and keys are still here. Put back a copy of desk.db and desk.db.mark, or add the exchange again.`,
      action: settings,
      atMs: nowMs,
      untilMs: null,
    })
  return rows
}

/** Before a profile is open nobody else looks at the keychain. */
export function keychainAttention(keychain: Health['keychain'], nowMs: number): Attention[] {
  switch (keychain) {
    case 'ready':
    case 'unknown':
      return []
    case 'locked':
      return [
        {
          id: 'keychain',
          kind: 'keychain',
          severity: 'warn',
          title: 'The system keychain is locked',
          text: 'Keys cannot be created or used until it is unlocked. Unlock it, or sign in to your desktop again.',
          action: settings,
          atMs: nowMs,
          untilMs: null,
        },
      ]
    case 'unavailable':
      return [
        {
          id: 'keychain',
          kind: 'keychain',
          severity: 'danger',
          title: 'No system keychain',
          text: 'Keys cannot be stored on this computer. On Linux, install and start gnome-keyring or KWallet, then look again.',
          action: settings,
          atMs: nowMs,
          untilMs: null,
        },
      ]
  }
}
