import type { WebContents } from './web-contents.ts'
import type { HostWindow } from './window.ts'

/** The open windows, in the order in which they opened. */
export class WindowList {
  readonly #windows = new Set<HostWindow>()
  focused: HostWindow | undefined
  /** True while the app closes all windows in order to quit. The last window then emits no `window-all-closed`. */
  closingAll = false

  add(window: HostWindow): void {
    this.#windows.add(window)
  }

  remove(window: HostWindow): void {
    this.#windows.delete(window)
  }

  all(): HostWindow[] {
    return [...this.#windows]
  }

  /** Returns false if a window refused to close; the windows before it in the list are closed by then. */
  closeAll(): boolean {
    this.closingAll = true
    const closed = this.all().every((window) => window.requestClose())
    this.closingAll = false
    return closed
  }

  ofContents(contents: WebContents): HostWindow | undefined {
    return this.all().find(({ webContents }) => webContents === contents)
  }

  contentsOfTarget(targetId: string): WebContents | undefined {
    return this.all().find(({ webContents }) => webContents.page.targetId === targetId)?.webContents
  }

  contentsOfFrame(frameId: string): WebContents | undefined {
    return this.all().find(({ webContents }) => webContents.page.frames.find(frameId) !== undefined)?.webContents
  }
}
