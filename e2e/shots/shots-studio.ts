import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Desk, openDesk } from '../support/desk.ts'
import { type Practice, startPractice } from '../support/practice.ts'
import { root } from '../support/project.ts'

const folder = join(root, 'out/shots')
const wide = { width: 1440, height: 900 }
const narrow = { width: 1024, height: 680 }
/** What a window of 1440 × 900 shows at 200 % zoom. */
const zoomed = { width: wide.width / 2, height: wide.height / 2 }

export interface ShotOptions {
  /** Another window than the main one. */
  readonly of?: Page
  /** A third picture, in the smallest window; a function brings into view there what it is of. */
  readonly narrow?: boolean | (() => Promise<void>)
}

/** A new app on a new practice exchange, and what takes pictures of it. */
export interface Studio {
  readonly desk: Desk
  readonly page: Page
  readonly practice: Practice
  /** The app's data folder, thrown away afterwards. */
  readonly profileDir: string
  /** In both themes, as `<name>-dark.png` and `<name>-light.png`. */
  readonly shoot: (name: string, options?: ShotOptions) => Promise<void>
  /** As the app's own zoom shows it: half as wide and high to the page, at twice the pixels. */
  readonly zoom: (on: boolean) => Promise<void>
}

/** Takes one set of pictures; answers whether it came to its end. What stopped it is said, with a picture of the window. */
export async function inStudio(set: string, wanted: (name: string) => boolean, take: (studio: Studio) => Promise<void>): Promise<boolean> {
  mkdirSync(folder, { recursive: true })
  const profileDir = mkdtempSync(join(tmpdir(), 'svc-desk-shots-'))
  const practice = await startPractice()
  const desk = await openDesk({ profileDir, variant: 'hooks', descriptorFile: practice.descriptorFile })
  const page = desk.main

  // The theme follows the system unless it was chosen.
  const theme = async (of: Page, value: 'dark' | 'light') => {
    await of.emulateMedia({ colorScheme: value })
    await of.waitForFunction((chosen) => matchMedia(`(prefers-color-scheme: ${chosen})`).matches, value)
  }
  const shoot = async (name: string, options: ShotOptions = {}) => {
    if (!wanted(name)) return
    const of = options.of ?? page
    for (const value of ['dark', 'light'] as const) {
      await theme(of, value)
      await of.screenshot({ path: join(folder, `${name}-${value}.png`), animations: 'disabled' })
    }
    if (options.narrow) {
      await of.setViewportSize(narrow)
      if (typeof options.narrow === 'function') await options.narrow()
      await of.screenshot({ path: join(folder, `${name}-narrow.png`), animations: 'disabled' })
      await of.setViewportSize(wide)
    }
    process.stdout.write(`${name}\n`)
  }
  const zoom = async (on: boolean) => page.setViewportSize(on ? zoomed : wide)

  try {
    await page.setViewportSize(wide)
    await take({ desk, page, practice, profileDir, shoot, zoom })
    return true
  } catch (error) {
    await page.screenshot({ path: join(folder, `failed-${set}.png`) }).catch(() => undefined)
    process.stderr.write(`${set}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${desk.output()}\n`)
    return false
  } finally {
    await desk.close()
    await practice.stop()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
