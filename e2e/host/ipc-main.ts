import { EventEmitter } from 'node:events'
import type { FromPage, ToPage } from './page/setup.ts'
import { makeEvent } from './strict.ts'
import type { Frame } from './windows/frames.ts'
import type { WebContents } from './windows/web-contents.ts'

/**
 * The event that a handler of `ipcMain` receives: the page and the frame that sent the message. `senderFrame` is null if the frame has been removed.
 */
export interface IpcEvent {
  readonly type: 'frame'
  readonly sender: WebContents
  readonly senderFrame: Frame | null
  readonly frameId: number
  readonly processId: number
  readonly ports: readonly never[]
  readonly defaultPrevented: boolean
  preventDefault(): void
  reply(channel: string, ...parameters: unknown[]): void
}

type Handler = (event: IpcEvent, ...parameters: unknown[]) => unknown

/** The app chooses its own channel names, so this emitter accepts listeners for any event name. */
export class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>()

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.#handlers.set(channel, handler)
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...parameters) => {
      this.removeHandler(channel)
      return handler(event, ...parameters)
    })
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel)
  }

  /** Not part of Electron’s API: answers an `invoke` from a page. Error messages are the same as Electron’s. */
  async answer({ id, channel, parameters }: FromPage & { type: 'invoke' }, event: IpcEvent): Promise<ToPage> {
    try {
      const handler = this.#handlers.get(channel)
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
      return { type: 'reply', id, ok: true, value: structuredClone(await handler(event, ...parameters)) }
    } catch (cause) {
      return { type: 'reply', id, ok: false, message: `Error invoking remote method '${channel}': ${cause}` }
    }
  }
}

/** @param frame the frame that sent the message; undefined if it was removed meanwhile */
export function ipcEvent(sender: WebContents, frame: Frame | undefined): IpcEvent {
  return makeEvent({
    type: 'frame' as const,
    sender,
    senderFrame: frame ?? null,
    frameId: frame?.routingId ?? -1,
    processId: frame?.processId ?? -1,
    ports: [],
    reply: (channel: string, ...parameters: unknown[]) => frame?.send(channel, ...parameters),
  })
}
