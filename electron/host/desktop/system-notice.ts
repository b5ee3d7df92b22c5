import { Notification } from 'electron'
import { formatDecimal, hiddenAmount } from '../../../shared/decimal.ts'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { lockedNotice, noticeText } from '../../../shared/text/notice-text.ts'
import { dialogLine, dialogLines, most } from '../../kernel/files/dialogs.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'

export interface SystemNoticeParts {
  readonly locked: () => boolean
  readonly hidesAmounts: () => boolean
  /** Whether a window of the app has the focus while the main window, which shows notices, is not hidden in the tray. */
  readonly hasFocus: () => boolean
  /** Brings the app to the front when the user clicks the notification. `to`: the page to open; null stays on the current page. */
  readonly open: (to: string | null) => void
}

/** The visible notifications. They must be referenced, because garbage collection could remove a notification with its click handler. */
const shown = new Set<Notification>()

/**
 * Shows a system notification if the notice requests one. While the app is locked, the notification says only that an account needs the user, and
 * clicking opens no page.
 */
export function tellSystem(event: AppEvent, { locked, hidesAmounts, hasFocus, open }: SystemNoticeParts): void {
  if (event.type !== 'notice' || event.system === undefined || !Notification.isSupported()) return
  if (event.system === 'away' && hasFocus()) return
  const { notice, severity, to } = event
  const { title, text } = inUserLanguage(() => (locked() ? lockedNotice() : noticeText(notice, hidesAmounts() ? hiddenAmount : formatDecimal)))
  const notification = new Notification({
    title: dialogLine(title, most.title),
    body: dialogLines(text, most.message),
    urgency: severity === 'danger' ? 'critical' : 'normal',
  })
  shown.add(notification)
  notification.on('click', () => open(to))
  notification.on('close', () => shown.delete(notification))
  notification.show()
}

type Notice = Extract<AppEvent, { type: 'notice' }>

/** Notices of this kind remain until dismissed, because the user may be away when they appear. */
const stays = { type: 'notice', severity: 'danger' } as const

/**
 * The notice after an automatic restart. `isOpen`: whether the last profile is already open and its journal checked. Otherwise the notice asks the
 * user to open the profile.
 */
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
