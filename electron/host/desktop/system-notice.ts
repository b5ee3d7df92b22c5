import { Notification } from 'electron'
import type { DeskEvent } from '../../../shared/ipc/contract.ts'
import { dialogLine, dialogLines, most } from '../../kernel/files/dialogs.ts'

/** Shows by the system what its notice asks it to: whoever it is for may be looking elsewhere. A locked app says of whom, but not what. */
export function tellSystem(event: DeskEvent, locked: boolean): void {
  if (event.type !== 'notice' || event.system !== true || !Notification.isSupported()) return
  const { title, text } = locked ? { title: 'An account needs you', text: 'Unlock Svc Desk to see what happened.' } : event
  new Notification({ title: dialogLine(title, most.title), body: dialogLines(text, most.message), urgency: 'critical' }).show()
}

type Notice = Extract<DeskEvent, { type: 'notice' }>

/** Both stay until the user dismisses them, who may have been away. */
const stays = { type: 'notice', severity: 'danger' } as const

/** `isOpen`: the profile of the last time is open, so its journal was gone through. */
export const restartNotice = (reference: string, isOpen: boolean): Notice => ({
  ...stays,
  title: 'Svc Desk restarted after an error',
  text: `${isOpen ? 'It checked your orders and keys against the journal. Anything that needs you is in Overview.' : 'Open your profile to check its orders and keys against the journal.'} The log has the error under ${reference}.`,
  to: '/overview',
  system: true,
})

export const pageNotice: Notice = {
  ...stays,
  title: 'The window reloaded after an error',
  text: 'Orders and keys were not affected. Anything that needs you is in Overview.',
  to: '/overview',
}
