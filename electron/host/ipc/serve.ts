import type { BrowserWindow, IpcMain, IpcMainInvokeEvent } from 'electron'
import { callChannel, type DeskEvent, eventChannel } from '../../../shared/ipc/contract.ts'
import type { AnswerCall } from './answer-call.ts'
import { isFromPage, type PageOrigin } from './sender.ts'

/** A kind of window, the contract that it may use, and the windows of that kind that are open now. */
export interface Audience {
  readonly windows: () => readonly BrowserWindow[]
  readonly answerCall: AnswerCall
}

export interface ServeParts {
  readonly ipc: Pick<IpcMain, 'handle'>
  readonly audiences: readonly Audience[]
  readonly origin: PageOrigin
}

/** The only user of `ipcMain`: one channel, and the sender decides which contract it speaks. Any other sender gets an error. */
export function serve({ ipc, audiences, origin }: ServeParts): void {
  const audienceOf = (event: IpcMainInvokeEvent): Audience | undefined =>
    audiences.find(({ windows }) => windows().some((window) => !window.isDestroyed() && isFromPage(event.senderFrame, window.webContents.mainFrame, origin)))

  ipc.handle(callChannel, (event, name: unknown, input: unknown) => {
    const audience = audienceOf(event)
    if (audience === undefined) throw new Error('refused')
    return audience.answerCall(name, input)
  })
}

/** Tells every window that is open. A page whose process ended hears nothing: it asks for everything again once it has loaded. */
export const tellWindows =
  (windows: () => readonly BrowserWindow[]) =>
  (event: DeskEvent): void => {
    for (const window of windows()) if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send(eventChannel, event)
  }
