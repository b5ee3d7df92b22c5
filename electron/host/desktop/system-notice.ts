import { Notification } from 'electron'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { lockedNotice, noticeText } from '../../../shared/text/notice-text.ts'
import { dialogLine, dialogLines, most } from '../../kernel/files/dialogs.ts'

/** Shows by the system what its notice asks it to: whoever it is for may be looking elsewhere. A locked app says of whom, but not what. */
export function tellSystem(event: AppEvent, locked: boolean): void {
  if (event.type !== 'notice' || event.system !== true || !Notification.isSupported()) return
  const { title, text } = locked ? lockedNotice : noticeText(event.notice)
  new Notification({ title: dialogLine(title, most.title), body: dialogLines(text, most.message), urgency: 'critical' }).show()
}

type Notice = Extract<AppEvent, { type: 'notice' }>

/** Both stay until the user dismisses them, who may have been away. */
const stays = { type: 'notice', severity: 'danger' } as const

/** `isOpen`: the profile of the last time is open, so its journal was gone through. */
export const restartNotice = (reference: string, isOpen: boolean): Notice => ({
  ...stays,
  notice: { code: 'restarted', reference, isOpen },
  to: '/overview',
  system: true,
})

export const pageNotice: Notice = {
  ...stays,
  notice: { code: 'page_reloaded' },
  to: '/overview',
}
