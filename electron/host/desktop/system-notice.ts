import { Notification } from 'electron'
import type { DeskEvent } from '../../../shared/ipc/contract.ts'
import { dialogLine, dialogLines, most } from '../../kernel/files/dialogs.ts'

/** Shows by the system what its notice asks it to: whoever it is for may be looking elsewhere. A locked app says of whom, but not what. */
export function tellSystem(event: DeskEvent, locked: boolean): void {
  if (event.type !== 'notice' || event.system !== true || !Notification.isSupported()) return
  const { title, text } = locked ? { title: 'An account needs you', text: 'Unlock Svc Desk to see what happened.' } : event
  new Notification({ title: dialogLine(title, most.title), body: dialogLines(text, most.message), urgency: 'critical' }).show()
}
