import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { chromium, type Locator, type Page } from 'playwright-core'
import { compare, type Measured } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'

const paintPatienceMs = 10_000
const endPatienceMs = 10_000

/** An app to start. `usable`: waits until its first screen can be used. */
export interface Startable {
  readonly args: readonly string[]
  readonly usable: (page: Page) => Locator
}

const asRoot = process.platform === 'linux' && process.getuid?.() === 0

/**
 * Milliseconds from starting the process until the first screen is painted and `usable` is visible. The page records its paint times, so this
 * function may read them later. Throws if the process ends first.
 */
async function start(executable: string, { args, usable }: Startable): Promise<number> {
  const began = performance.timeOrigin + performance.now()
  const child = spawn(executable, [...(asRoot ? ['--no-sandbox'] : []), '--remote-debugging-port=0', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(child, 'spawn')
  try {
    const browser = await chromium.connectOverCDP(await devToolsAddress(child.stderr))
    const [context] = browser.contexts()
    if (context === undefined) throw new Error('The host shows no browser context')
    const page = context.pages()[0] ?? (await context.waitForEvent('page'))
    await usable(page).waitFor()
    return (await page.evaluate(paintedAt, paintPatienceMs)) - began
  } finally {
    await end(child)
  }
}

/** Runs inside the page. Returns the time when the page painted its largest element, in Unix ms. */
async function paintedAt(patienceMs: number): Promise<number> {
  const largest = await new Promise<number>((resolve, reject) => {
    setTimeout(() => reject(new Error('The page painted nothing')), patienceMs)
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  return performance.timeOrigin + largest
}

async function devToolsAddress(output: Readable): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface({ input: output })) {
    const address = /^DevTools listening on (ws:\S+)$/.exec(line)?.[1]
    if (address !== undefined) {
      // Discards all further output: a full pipe would block the app.
      output.resume()
      return address
    }
    said.push(line)
  }
  throw new Error(`The app ended before it showed anything:\n${said.join('\n')}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), endPatienceMs)
  await ended
  clearTimeout(timer)
}

/**
 * Measures start-up. Starts the product and an app with an empty React page in turn, each with its own data folder. The warm-up round creates both
 * folders.
 */
export async function measureStart(
  rounds: Rounds,
  { executable, product, empty }: { readonly executable: string; readonly product: Startable; readonly empty: Startable },
): Promise<Measured[]> {
  const p50 = await interleave({ ours: () => start(executable, product), against: () => start(executable, empty) }, rounds)
  return [compare('Start to the first screen painted and usable, ms, against an empty React page on the same host', { ...p50, target: 1.25 })]
}
