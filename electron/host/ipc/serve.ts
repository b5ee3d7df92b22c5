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

/** The only user of `ipcMain`. Uses one channel and picks the contract by the sender. Any unknown sender gets an error. */
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

/** Sends an event to every open window. Skips a page whose process ended: it reads everything again once it has loaded. */
export const tellWindows =
  (windows: () => readonly BrowserWindow[]) =>
  (event: AppEvent): void => {
    for (const window of windows()) if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send(eventChannel, event)
  }

interface OpenProfile {
  readonly handlers: Partial<Handlers>
}

interface HandlerTablesParts {
  /** Handlers that belong to no profile and are always available. */
  readonly always: Partial<Handlers>
  readonly workspace: {
    /** null while no profile is open or one is being switched. */
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

/** Each handler has its own input type, which `createAnswerCall` checks at runtime. This cast gives all handlers in a table one signature. */
export const tableOf = (handlers: Partial<Handlers>): HandlerTable => handlers as HandlerTable

/** The parts of an Electron frame that decide whether to trust it. */
interface Frame {
  readonly url: string
}

/** The origin of the app's own pages. */
interface PageOrigin {
  /** With the colon, as `URL` writes it. */
  readonly protocol: string
  readonly host: string
}

export const bundleOrigin: PageOrigin = { protocol: 'app:', host: 'bundle' }

/**
 * True if a message comes from the page that a window shows. Its frame must be that window's main frame (not a nested frame, and not null, which
 * means it is gone), and the page must belong to the app, by exact scheme and host.
 */
export function isFromPage(sender: Frame | null | undefined, mainFrame: Frame | null | undefined, origin: PageOrigin): boolean {
  if (sender === null || sender === undefined || sender !== mainFrame) return false
  const url = URL.parse(sender.url)
  return url !== null && url.protocol === origin.protocol && url.host === origin.host
}
