import type { Clipboard as ElectronClipboard } from 'electron'

type Members = 'readText' | 'writeText' | 'clear' | 'has'

/** A text clipboard private to this process, so that tests share it neither with the desktop nor with each other. */
export class Clipboard implements Pick<ElectronClipboard, Members> {
  #text: string | undefined

  async readText(): Promise<string> {
    return this.#text ?? ''
  }

  async writeText(text: string): Promise<void> {
    this.#text = text
  }

  clear(): void {
    this.#text = undefined
  }

  async has(mimetype: string): Promise<boolean> {
    return mimetype === 'text/plain' && this.#text !== undefined
  }
}
