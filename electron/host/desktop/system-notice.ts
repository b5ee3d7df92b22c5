import { Notification } from 'electron'
import { formatDecimal, hiddenAmount } from '../../../shared/decimal.ts'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { lockedNotice, noticeText } from '../../../shared/text/notice-text.ts'
import { dialogLine, dialogLines, most } from '../../kernel/files/dialogs.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'

export interface SystemNoticeParts {
  readonly locked: () => boolean
  readonly hidesAmounts: () => boolean
  /** Whether a window of the app has the focus. */
  readonly hasFocus: () => boolean
  /** Brings the app to the front after a click on the notification. `to`: the page to open; null: the page that is open. */
  readonly open: (to: string | null) => void
}

/** Shown notifications. Without a reference, a notification and its click handler may be garbage collected. */
const shown = new Set<Notification>()

/**
 * Shows a system notification if the notice requests one, because the user may be looking elsewhere. While locked, the notification only says that an
 * account needs the user, and its click opens no page.
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
  notification.on('click', () => open(locked() ? null : to))
  notification.on('close', () => shown.delete(notification))
  notification.show()
}

type Notice = Extract<AppEvent, { type: 'notice' }>

/** Both notices below stay until dismissed, because the user may have been away. */
const stays = { type: 'notice', severity: 'danger' } as const

/**
 * The notice after a restart that an error caused. `isOpen`: the last profile is open, so the app has already checked its journal. Otherwise
 * the notice asks the user to open the profile.
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
