import { Notification } from 'electron'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { lockedNotice, noticeText } from '../../../shared/text/notice-text.ts'
import { dialogLine, dialogLines, most } from '../../kernel/files/dialogs.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'

/**
 * Shows a system notification if the notice requests one, because the user may be looking elsewhere. While locked, the notification only says that an
 * account needs the user.
 */
export function tellSystem(event: AppEvent, locked: boolean): void {
  if (event.type !== 'notice' || event.system !== true || !Notification.isSupported()) return
  const { notice } = event
  const { title, text } = inUserLanguage(() => (locked ? lockedNotice() : noticeText(notice)))
  new Notification({ title: dialogLine(title, most.title), body: dialogLines(text, most.message), urgency: 'critical' }).show()
}

type Notice = Extract<AppEvent, { type: 'notice' }>

/** Both notices below stay until dismissed, because the user may have been away. */
const stays = { type: 'notice', severity: 'danger' } as const

/** `isOpen`: the last profile is open, so its journal has been checked. */
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
