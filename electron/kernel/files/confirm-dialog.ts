import type { BrowserWindow } from 'electron'
import { dialogLine, dialogLines, most } from './dialog-text.ts'
import type { MessageOptions, NativeDialog } from './native-dialog.ts'

export interface ConfirmQuestion {
  readonly title: string
  /** One sentence. */
  readonly message: string
  /** What exactly is agreed to: at most `most.detail` characters are shown. */
  readonly detail: string
  /** Of the button that agrees. The other one is Cancel, and is the one that Enter presses. */
  readonly button: string
}

/** A question that no page can answer: for what a script in the page must never do alone. */
export type Confirm = (question: ConfirmQuestion) => Promise<boolean>

export interface ConfirmParts {
  readonly dialog: Pick<NativeDialog, 'showMessageBox'>
  readonly window: () => BrowserWindow | null
}

export function createConfirm({ dialog, window }: ConfirmParts): Confirm {
  return async ({ title, message, detail, button }) => {
    const options: MessageOptions = {
      type: 'warning',
      title: dialogLine(title, most.title),
      message: dialogLine(message, most.message),
      detail: dialogLines(detail, most.detail),
      buttons: [dialogLine(button, most.button), dialogLine('Cancel', most.button)],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    }
    const parent = window()
    const { response } = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
    return response === 0
  }
}
