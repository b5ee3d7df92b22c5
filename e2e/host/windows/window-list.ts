import type { WebContents } from './web-contents.ts'
import type { HostWindow } from './window.ts'

export class WindowList {
  readonly #windows = new Set<HostWindow>()
  focused: HostWindow | undefined
  /** True while the app closes all windows in order to quit. In that case, closing the last window must not emit `window-all-closed`. */
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

  /** Closes all windows in sequence until one refuses. Returns false if a window refused; earlier windows remain closed. */
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
