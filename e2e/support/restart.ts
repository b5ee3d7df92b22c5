import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { argumentsOf, descendantsOf, isRunning, startedWith } from '../host/process-tree.ts'
import type { Desk } from './desk.ts'

/** An app that started again automatically, so it is not a child process of the test. */
export interface Restarted {
  readonly main: Page
  readonly words: readonly string[]
  end(): Promise<void>
}

const appsOn = (profileDir: string): number[] =>
  startedWith(`--user-data-dir=${profileDir}`).filter((pid) => !argumentsOf(pid).some((word) => word.startsWith('--type=')))

/** Whether an app with this profile folder is running. */
export const isRunningOn = (profileDir: string): boolean => appsOn(profileDir).length > 0

/** Ends every app that restarted with this profile folder, so that none is left running after the test. */
export async function endRestarted(profileDir: string): Promise<void> {
  const all = appsOn(profileDir).flatMap((pid) => [pid, ...descendantsOf(pid)])
  for (const pid of appsOn(profileDir)) process.kill(pid, 'SIGTERM')
  await expect.poll(() => all.filter(isRunning), { message: 'what started again has ended', timeout: 20_000 }).toEqual([])
}

/**
 * The file with the debugging port of Chromium, for an app that started again automatically. An earlier run leaves its own file, so remove the file
 * before the restart.
 */
export const portFile = (profileDir: string) => join(profileDir, 'stand-in-chromium/DevToolsActivePort')

/** Moves the app’s clock, so that the app behaves as if it had run for longer than a minute. */
export const age = (desk: Desk): Promise<void> =>
  desk.app.evaluate(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + 61_000
  })

/**
 * Causes an uncaught error or an unhandled rejection in the main process. Resolves with the exit code when the process has ended. `meanwhile`: what
 * the user does before, such as closing the window that explains the error.
 */
export async function plantError(
  desk: Desk,
  profileDir: string,
  how: 'throws' | 'rejects',
  message: string,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<number | null> {
  const child = desk.app.process()
  rmSync(portFile(profileDir), { force: true })
  await desk.app.evaluate(
    (_electron, [kind, text]) => {
      setTimeout(() => {
        if (kind === 'throws') throw new Error(text)
        void Promise.reject(new Error(text))
      })
    },
    [how, message] as const,
  )
  await meanwhile()
  await desk.ended()
  return child.exitCode
}

/** The part of an address that only the window has that explains why the app closed. */
const closedHost = /\/\/closed[./]/

/** Returns the window that explains why the app closed. */
export async function closedWindow(desk: Desk): Promise<Page> {
  const find = () => desk.app.windows().find((page) => closedHost.test(page.url()))
  await expect.poll(() => find() !== undefined, { message: 'the app explains why it closed', timeout: 15_000 }).toBe(true)
  const window = find()
  if (window === undefined) throw new Error('the window closed at once')
  return window
}

/** Connects to the Chromium of an app that the test did not start through Playwright, once a window with such an address is open. */
export async function windowOn(profileDir: string, address: RegExp = closedHost): Promise<{ readonly page: Page; readonly browser: Browser }> {
  await expect.poll(() => existsSync(portFile(profileDir)), { message: 'the app started', timeout: 30_000 }).toBe(true)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${readFileSync(portFile(profileDir), 'utf8').split('\n')[0]}`)
  const pages = () => browser.contexts().flatMap((context) => context.pages())
  const find = () => pages().find((page) => address.test(page.url()))
  await expect.poll(() => find() !== undefined, { message: 'its window opened', timeout: 30_000 }).toBe(true)
  const page = find()
  if (page === undefined) throw new Error('its window closed at once')
  return { page, browser }
}

/** Returns the app that started again on the profile folder, once its window is open. */
export async function restartedOn(profileDir: string): Promise<Restarted> {
  const { page: main, browser } = await windowOn(profileDir, /index\.html/)
  const [pid = 0] = appsOn(profileDir)
  return {
    main,
    words: argumentsOf(pid),
    end: async () => {
      await browser.close()
      await endRestarted(profileDir)
    },
  }
}

export interface LoggedError {
  readonly reference: string
  readonly what: string
  readonly error: { readonly message: string; readonly stack: string }
}

/** The uncaught errors in the main process’s log. */
export function uncaughtInMain(profileDir: string): LoggedError[] {
  const files = ['main.log.old', 'main.log'].map((name) => join(profileDir, 'logs', name)).filter(existsSync)
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as LoggedError) // safe cast: the app wrote these lines
    .filter(({ what }) => what === 'uncaught exception' || what === 'unhandled rejection')
}
