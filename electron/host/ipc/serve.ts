import type { BrowserWindow, IpcMain, IpcMainInvokeEvent } from 'electron'
import { type AppEvent, callChannel, eventChannel } from '../../../shared/ipc/contract.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { AnswerCall, CallParts, HandlerTable } from './answer-call.ts'

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
  (event: AppEvent): void => {
    for (const window of windows()) if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send(eventChannel, event)
  }

interface OpenProfile {
  readonly handlers: Partial<Handlers>
}

interface HandlerTablesParts {
  /** Of what belongs to no profile: there at any time. */
  readonly always: Partial<Handlers>
  readonly workspace: {
    /** null while none is open, or one is being exchanged for another. */
    current(): OpenProfile | null
    settled(): Promise<OpenProfile | null>
  }
}

/** Where a call finds its handler: at the app, else at the open profile; while profiles are exchanged it waits for the next one. */
export function createHandlerTables({ always, workspace }: HandlerTablesParts): CallParts['handlers'] {
  const own = tableOf(always)
  return (name) => {
    if (Object.hasOwn(own, name)) return own
    const open = workspace.current()
    return open === null ? workspace.settled().then((settled) => tableOf(settled?.handlers ?? {})) : tableOf(open.handlers)
  }
}

/** Each name's handler takes its own input, checked by `createAnswerCall`; as one table they share a signature. */
export const tableOf = (handlers: Partial<Handlers>): HandlerTable => handlers as HandlerTable

/** A frame as Electron describes it, as far as trust depends on it. */
interface Frame {
  readonly url: string
}

/** Where the app's own pages come from. */
interface PageOrigin {
  /** With the colon, as `URL` writes it. */
  readonly protocol: string
  readonly host: string
}

export const bundleOrigin: PageOrigin = { protocol: 'app:', host: 'bundle' }

/**
 * Whether a message comes from the page that a window shows: its frame is the very main frame of that window (a frame
 * inside it, or one that is gone and so null, is not), and the page is one of the app's own, by exact scheme and host.
 */
export function isFromPage(sender: Frame | null | undefined, mainFrame: Frame | null | undefined, origin: PageOrigin): boolean {
  if (sender === null || sender === undefined || sender !== mainFrame) return false
  const url = URL.parse(sender.url)
  return url !== null && url.protocol === origin.protocol && url.host === origin.host
}
