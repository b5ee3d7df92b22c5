import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'

export interface Bridge {
  invoke(channel: string, ...values: unknown[]): Promise<unknown>
  note(text: string): void
  on(channel: string, listener: (...values: never[]) => void): () => void
  refuse(): never
  twice(callback: (turn: number) => unknown): unknown[]
  sandboxed: boolean
  versions: Record<string, string>
}

export interface Seen {
  navigations: string[]
  opened: string[]
  second: { argv: string[]; cwd: string; data: unknown }[]
  permissions: { permission: string; url: string; contents: number }[]
  frames: unknown[]
  requests: { url: string; method: string; origin: string | null; body: string }[]
}

declare global {
  interface Window {
    bridge: Bridge
    pushed: unknown[]
  }
  var seen: Seen
  var grants: string | undefined
}

export interface Fixture {
  app: ElectronApplication
  page: Page
  /** Resolves with the exit code when the process has ended, or with null if a signal ended it. */
  ended: Promise<number | null>
}

export const fixtureFolder = join(import.meta.dirname, 'fixture')
export const electronPath = join(import.meta.dirname, 'electron')

export function makeProfile(): { profile: string; removeProfile: () => void } {
  const profile = mkdtempSync(join(tmpdir(), 'host-'))
  return { profile, removeProfile: () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Starts the fixture app through Playwright, as tests start the product. Resolves after the app’s first response over IPC. */
export async function launchFixture(profile: string, { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {}): Promise<Fixture> {
  const app = await _electron.launch({
    executablePath: electronPath,
    args: [fixtureFolder, `--user-data-dir=${profile}`, ...args],
    env: { ...definedOf(process.env), SVC_DESK_HEADED: '0', ...env },
    colorScheme: null,
  })
  const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve))
  const page = await app.firstWindow()
  await page.getByText('pong').waitFor()
  return { app, page, ended }
}

const definedOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
