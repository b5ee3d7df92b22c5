import { existsSync, readFileSync } from 'node:fs'
import type { NativeImage as ElectronNativeImage, Size } from 'electron'

type Members = 'isEmpty' | 'toPNG' | 'toDataURL' | 'getSize' | 'setTemplateImage' | 'isTemplateImage'

/** An image that consists of the bytes of a PNG file. Its pixels are never decoded. */
export class NativeImage implements Pick<ElectronNativeImage, Members> {
  readonly #png: Buffer
  #template = false

  constructor(png: Buffer = Buffer.alloc(0)) {
    this.#png = png
  }

  isEmpty(): boolean {
    return this.#png.length === 0
  }

  toPNG(): Buffer {
    return Buffer.from(this.#png)
  }

  toDataURL(): string {
    return `data:image/png;base64,${this.#png.toString('base64')}`
  }

  /** Reads width and height from the PNG header: the 32-bit numbers at offsets 16 and 20. */
  getSize(): Size {
    return this.#png.length < 24 ? { width: 0, height: 0 } : { width: this.#png.readUInt32BE(16), height: this.#png.readUInt32BE(20) }
  }

  setTemplateImage(template: boolean): void {
    this.#template = template
  }

  isTemplateImage(): boolean {
    return this.#template
  }
}

export const nativeImage = {
  createEmpty: () => new NativeImage(),
  createFromPath: (path: string) => new NativeImage(existsSync(path) ? readFileSync(path) : undefined),
  createFromBuffer: (buffer: Buffer) => new NativeImage(buffer),
  createFromDataURL: (url: string) => new NativeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
}
