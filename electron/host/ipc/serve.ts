import type { BrowserWindow, IpcMain, IpcMainInvokeEvent } from 'electron'
import { type Answer, type AppEvent, callChannel, eventChannel } from '../../../shared/ipc/contract.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { CallParts, HandlerTable } from './answer-call.ts'
import type { Asker } from './shared-reads.ts'

/** A kind of window: the contract it may use, and its open windows. */
export interface Audience {
  readonly windows: () => readonly BrowserWindow[]
  readonly answerCall: (name: unknown, input: unknown, asker: Asker<BrowserWindow>) => Promise<Answer<unknown>>
}

export interface ServeParts {
  readonly ipc: Pick<IpcMain, 'handle'>
  readonly audiences: readonly Audience[]
  readonly origin: PageOrigin
}

/**
 * Handles all IPC calls through one channel. The sender’s kind of window determines its contract; unknown senders get an error. No other code uses
 * `ipcMain`.
 */
export function serve({ ipc, audiences, origin }: ServeParts): void {
  const callerOf = ({ senderFrame }: IpcMainInvokeEvent) => {
    for (const audience of audiences)
      for (const window of audience.windows())
        if (!window.isDestroyed() && isFromPage(senderFrame, window.webContents.mainFrame, origin)) return { audience, window }
    return null
  }

  ipc.handle(callChannel, (event, name: unknown, input: unknown, withinMs: unknown) => {
    const caller = callerOf(event)
    if (caller === null) throw new Error('refused')
    return caller.audience.answerCall(name, input, { window: caller.window, withinMs: typeof withinMs === 'number' ? withinMs : 0 })
  })
}

/** Sends an event to all open windows. Skips pages whose process has crashed, because they read everything again after loading. */
export const tellWindows =
  (windows: () => readonly BrowserWindow[]) =>
  (event: AppEvent): void => {
    for (const window of windows()) if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send(eventChannel, event)
  }

interface OpenProfile {
  readonly handlers: Partial<Handlers>
}

interface HandlerTablesParts {
  /** Handlers that need no profile and are always available. */
  readonly always: Partial<Handlers>
  readonly workspace: {
    /** The open profile; null if none is open or the app is just switching profiles. */
    current(): OpenProfile | null
    settled(): Promise<OpenProfile | null>
  }
}

/**
 * Finds the handler of a call: the app’s own, or else the open profile’s. While the user switches profiles, the call waits for the new
 * profile.
 */
export function createHandlerTables({ always, workspace }: HandlerTablesParts): CallParts['handlers'] {
  const own = tableOf(always)
  return (name) => {
    if (Object.hasOwn(own, name)) return own
    const open = workspace.current()
    return open === null ? workspace.settled().then((settled) => tableOf(settled?.handlers ?? {})) : tableOf(open.handlers)
  }
}

/** Casts handlers to one common signature. This is safe, because `createAnswerCall` checks each handler’s input at run time. */
export const tableOf = (handlers: Partial<Handlers>): HandlerTable => handlers as HandlerTable

/** The properties of an Electron frame that decide whether its messages are trusted. */
interface Frame {
  readonly url: string
}

interface PageOrigin {
  /** The scheme with a colon at its end, as in `URL.protocol`. */
  readonly protocol: string
  readonly host: string
}

export const bundleOrigin: PageOrigin = { protocol: 'app:', host: 'bundle' }

/**
 * Whether a message comes from the page that a window shows. The sender must be the window’s main frame; null means that the frame is gone. The page
 * must be one of the app’s, by exact scheme and host.
 */
export function isFromPage(sender: Frame | null | undefined, mainFrame: Frame | null | undefined, origin: PageOrigin): boolean {
  if (sender === null || sender === undefined || sender !== mainFrame) return false
  const url = URL.parse(sender.url)
  return url !== null && url.protocol === origin.protocol && url.host === origin.host
}
