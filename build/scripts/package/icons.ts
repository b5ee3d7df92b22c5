import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { inRoot } from '../project.ts'

/** Edge lengths of the icons in pixels. Linux desktops use all of these sizes; ICO and ICNS files contain some of them. */
export const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const

export const iconFile = (size: number): string => `icons/${size}x${size}.png`

interface Picture {
  readonly size: number
  readonly png: Buffer
}

/** An icon file for Windows that contains PNG pictures of at most 256 pixels. */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const small = pictures.filter(({ size }) => size <= 256)
  const head = Buffer.alloc(6 + 16 * small.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(small.length, 4)
  let at = head.length
  for (const [index, { size, png }] of small.entries()) {
    const entry = 6 + 16 * index
    // In an ICO file, a width or height of 0 means 256 pixels.
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += png.length
  }
  return Buffer.concat([head, ...small.map(({ png }) => png)])
}

/**
 * The type codes of PNG pictures in an ICNS file, by edge length in pixels. Some pictures have two codes: their own size, and half that size at
 * double density.
 */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
}

/** An icon file for macOS that contains PNG pictures. */
export function icnsOf(pictures: readonly Picture[]): Buffer {
  const block = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(8 + content.length, 4)
    return Buffer.concat([head, content])
  }
  return block('icns', Buffer.concat(pictures.flatMap(({ size, png }) => (icnsTypes[size] ?? []).map((type) => block(type, png)))))
}

/**
 * Draws the icons of all systems from `icon.svg` into the folder of package resources. The icons are committed, so packaging needs no browser to draw
 * them.
 */
export async function drawIcons(resources: string): Promise<void> {
  const drawing = readFileSync(join(resources, 'icon.svg'), 'utf8')
  const browser = await chromium.launch({ executablePath: '/usr/lib/chromium/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const pictures: Picture[] = []
    mkdirSync(join(resources, 'icons'), { recursive: true })
    for (const size of sizes) {
      await page.setViewportSize({ width: size, height: size })
      await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`)
      const png = await page.screenshot({ omitBackground: true })
      writeFileSync(join(resources, iconFile(size)), png)
      pictures.push({ size, png })
    }
    writeFileSync(join(resources, 'icon.ico'), icoOf(pictures))
    writeFileSync(join(resources, 'icon.icns'), icnsOf(pictures))
  } finally {
    await browser.close()
  }
}

export const resourcesFolder = inRoot('build/package')
