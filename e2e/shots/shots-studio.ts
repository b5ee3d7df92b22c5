import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Desk, openDesk } from '../support/desk.ts'
import { type Practice, startPractice } from '../support/practice.ts'
import { root } from '../support/project.ts'

const folder = join(root, 'out/shots')
export const wide = { width: 1440, height: 900 }
export const narrow = { width: 1024, height: 680 }
const large = { width: 1920, height: 1080 }
/** A 1440 × 900 window has this size in CSS pixels at 200 % zoom. */
export const zoomed = { width: wide.width / 2, height: wide.height / 2 }

export interface ShotOptions {
  /** The window to take a screenshot of; the main window if undefined. */
  readonly of?: Page
  /** Also takes screenshots in the smallest and in a large window. If this is a function, it is called first to scroll the subject into view. */
  readonly narrow?: boolean | (() => Promise<void>)
}

/** A new app with a new practice exchange, and functions that take screenshots. */
export interface Studio {
  readonly desk: Desk
  readonly page: Page
  readonly practice: Practice
  /** The app’s data folder, deleted afterwards. */
  readonly profileDir: string
  /** Takes screenshots in both themes: `<name>-dark.png` and `<name>-light.png`, and in other sizes: `<name>-narrow.png` and `<name>-large.png`. */
  readonly shoot: (name: string, options?: ShotOptions) => Promise<void>
  /** Simulates the app’s 200 % zoom: half the width and height in CSS pixels, at twice the resolution. */
  readonly zoom: (on: boolean) => Promise<void>
}

/** Takes one set of screenshots. Returns whether the set is complete; otherwise prints the error and takes a screenshot of the window. */
export async function inStudio(set: string, wanted: (name: string) => boolean, take: (studio: Studio) => Promise<void>): Promise<boolean> {
  mkdirSync(folder, { recursive: true })
  const profileDir = mkdtempSync(join(tmpdir(), 'svc-desk-shots-'))
  const practice = await startPractice()
  const desk = await openDesk({ profileDir, variant: 'hooks', descriptorFile: practice.descriptorFile })
  const page = desk.main

  // Sets the system’s theme. The app follows it, because the user has chosen no theme.
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
      for (const [size, viewport] of Object.entries({ narrow, large })) {
        await of.setViewportSize(viewport)
        if (typeof options.narrow === 'function') await options.narrow()
        await of.screenshot({ path: join(folder, `${name}-${size}.png`), animations: 'disabled' })
      }
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
