import type { Clipboard as ElectronClipboard, ClipboardItem as ElectronItem } from 'electron'

type Members = 'readText' | 'writeText' | 'clear' | 'has' | 'read' | 'write'
type Content = ConstructorParameters<typeof ElectronItem>[0]

/** A MIME type, or a raw format of the system in Electron’s notation. */
const known = /^(?:[a-z]+\/[a-z0-9.+-]+|electron application\/osclipboard;format="[^"]+")$/

/** Electron’s `ClipboardItem`, for texts, blobs, and raw formats of the system. */
export class ClipboardItem implements ElectronItem {
  readonly types: string[]
  readonly #content: ReadonlyMap<string, Blob>

  constructor(content: Content) {
    const entries = Object.entries(content)
    if (entries.length === 0) throw new TypeError('ClipboardItem needs at least one type')
    this.#content = new Map(entries.map(([type, value]) => [type, blobOf(type, value)]))
    this.types = entries.map(([type]) => type)
  }

  // `never` satisfies each of Electron’s overloads: this class has no bookmarks.
  async getType(type: string): Promise<never> {
    const value = this.value(type)
    if (value === undefined) throw new Error(`The clipboard has no ${type}`)
    return value as never
  }

  /** Not part of Electron’s API: the value of a type. */
  value(type: string): Blob | undefined {
    return this.#content.get(type)
  }
}

function blobOf(type: string, value: unknown): Blob {
  if (!known.test(type)) throw new TypeError(`stand-in: the clipboard format ${type} is not implemented`)
  if (value instanceof Blob) return value
  if (typeof value !== 'string') throw new TypeError(`stand-in: this value of ${type} is not implemented`)
  return new Blob([value], { type })
}

/** A clipboard private to this process, so that tests share it neither with the desktop nor with each other. */
export class Clipboard implements Pick<ElectronClipboard, Members> {
  #item: ClipboardItem | undefined

  async readText(): Promise<string> {
    return (await this.#item?.value('text/plain')?.text()) ?? ''
  }

  async writeText(text: string): Promise<void> {
    this.#item = new ClipboardItem({ 'text/plain': text })
  }

  clear(): void {
    this.#item = undefined
  }

  async has(mimetype: string): Promise<boolean> {
    return this.#item?.types.includes(mimetype) === true
  }

  async read(): Promise<ClipboardItem[]> {
    return this.#item === undefined ? [] : [this.#item]
  }

  async write(data: ElectronItem[]): Promise<void> {
    const [item, ...more] = data
    if (!(item instanceof ClipboardItem) || more.length > 0) throw new TypeError('stand-in: clipboard.write takes one ClipboardItem')
    this.#item = item
  }
}
