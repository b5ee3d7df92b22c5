import { once } from 'node:events'
import { join } from 'node:path'
import { _electron, type ElectronApplication, expect, type Page } from '@playwright/test'
import { findHost, type Host } from '../../build/scripts/electron-binary.ts'
import { outOf, root } from './project.ts'

export interface DeskOptions {
  readonly profileDir: string
  readonly variant: 'product' | 'hooks'
  /** Descriptor file of a running practice exchange, to which the app connects. If undefined, the app starts its own exchange. */
  readonly descriptorFile?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Electron or its stand-in. If undefined, the one that is installed. */
  readonly host?: Host
}

/** The running app, on Electron or its stand-in. */
export interface Desk {
  readonly app: ElectronApplication
  readonly main: Page
  /** Returns the practice phone’s window, after opening it if it is closed. */
  phone(): Promise<Page>
  output(): string
  /** Uncaught errors and rejections in the app’s windows, with their stack traces. */
  uncaught(): readonly string[]
  close(): Promise<void>
  /** Resolves when the process has ended for any reason. */
  ended(): Promise<void>
  /** Kills the process with SIGKILL, as abruptly as a power failure would. */
  kill(): Promise<void>
}

export const host = findHost()

const isPhone = (page: Page): boolean => /phone\.html|page=phone/.test(page.url())
/** Whether a page belongs to a pop-out window, which shows only a chart, an order book or positions. */
export const isPopout = (page: Page): boolean => /popout\.html|page=popout/.test(page.url())
/** Whether a page belongs to the window that shows a secret. Tests must never take a screenshot of it. */
export const isReveal = (page: Page): boolean => URL.parse(page.url())?.host.startsWith('reveal') === true

export async function openDesk(options: DeskOptions): Promise<Desk> {
  const { executable, packaged } = options.host ?? host
  const app = await _electron.launch({
    executablePath: executable,
    args: [...(packaged ? [] : [join(outOf(options.variant), 'main/index.js')]), `--user-data-dir=${options.profileDir}`, ...(options.args ?? [])],
    cwd: root,
    env: {
      ...(process.env as Record<string, string>), // safe cast: Playwright’s type allows no undefined values, and Node’s environment has none
      // A fixed language and time zone, so that dates and times look the same on every computer.
      ...{ LANGUAGE: 'en_GB', TZ: 'UTC' },
      ...(packaged ? { SVC_DESK_HOST_DRIVEN: '1' } : {}),
      ...(options.descriptorFile ? { SVC_DESK_PRACTICE_DESCRIPTOR: options.descriptorFile } : {}),
      ...options.env,
    },
  })
  const written: string[] = []
  const child = app.process()
  child.stdout?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const uncaught: string[] = []
  const follow = (page: Page) => page.on('pageerror', (error) => uncaught.push(`${page.url()}: ${error.stack || String(error)}`))
  app.windows().forEach(follow)
  app.on('window', follow)
  const main = app.windows().find((page) => !isPhone(page) && !isPopout(page)) ?? (await app.firstWindow())
  await main.waitForLoadState('domcontentloaded')
  let killed = false
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  return {
    app,
    main,
    phone: async () => {
      const find = () => app.windows().find((page) => isPhone(page) && !page.isClosed())
      // Playwright reports a new window before the window has an address.
      await expect.poll(() => find() !== undefined, { message: 'the phone window opens', timeout: 15_000 }).toBe(true)
      const open = find()
      if (!open) throw new Error('the phone window closed at once')
      return open
    },
    output: () => written.join(''),
    uncaught: () => uncaught,
    close: async () => {
      if (killed || child.exitCode !== null) return
      await app.close()
    },
    ended,
    kill: async () => {
      killed = true
      child.kill('SIGKILL')
      await ended()
    },
  }
}
