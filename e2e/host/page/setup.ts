/** Data that the main process sends to both JavaScript worlds of a document. */
export interface PageSetup {
  /** Name of the event with which the two JavaScript worlds of a document connect before any script of the page runs. */
  greeting: string
  /** Name of the function with which the isolated world calls the main process. The function exists only in that world. */
  binding: string
  /** Name of the function with which the main process calls the isolated world. */
  inbox: string
  /** Whether child frames get the preload too (`nodeIntegrationInSubFrames`). */
  subframes: boolean
  platform: string
  arch: string
  versions: { electron: string; chrome: string; node: string }
  arguments: string[]
}

/** Fixed numbers under which the two JavaScript worlds of a document register the functions that they call on each other from the start. */
export const OFFERED = { expose: -1, openWindow: -2, askPermission: -3 } as const

/** A message from a page’s isolated world to the main process. */
export type FromPage =
  | { type: 'hello'; url: string }
  | { type: 'invoke'; id: number; channel: string; parameters: unknown[] }
  | { type: 'send'; channel: string; parameters: unknown[] }
  | { type: 'window-open'; url: string; frameName: string; features: string }
  | { type: 'permission'; id: number; permission: string }
  | { type: 'input'; event: 'mouseDown' | 'mouseUp' | 'rawKeyDown' | 'keyUp'; repeated: boolean }
  | { type: 'preload-error'; stack: string }

/** A message from the main process to a page’s isolated world. */
export type ToPage =
  | { type: 'event'; channel: string; parameters: unknown[] }
  | { type: 'reply'; id: number; ok: true; value: unknown }
  | { type: 'reply'; id: number; ok: false; message: string }
