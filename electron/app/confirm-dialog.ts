import type { BrowserWindow, Dialog } from 'electron'

export interface ConfirmQuestion {
  readonly title: string
  /** One sentence. */
  readonly message: string
  /** What exactly is agreed to; shown whole. */
  readonly detail: string
  /** Of the button that agrees. The other one is Cancel, and is the one that Enter presses. */
  readonly button: string
}

/** A question that no page can answer: for what a script in the page must never do alone. */
export type Confirm = (question: ConfirmQuestion) => Promise<boolean>

export interface ConfirmParts {
  readonly dialog: Pick<Dialog, 'showMessageBox'>
  readonly window: () => BrowserWindow | null
}

export function createConfirm({ dialog, window }: ConfirmParts): Confirm {
  return async ({ title, message, detail, button }) => {
    const options: Electron.MessageBoxOptions = {
      type: 'warning',
      title,
      message,
      detail,
      buttons: [button, 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    }
    const parent = window()
    const { response } = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
    return response === 0
  }
}
