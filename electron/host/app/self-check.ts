import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { App, WebContents } from 'electron'
import { redactText } from '../../../shared/api/redact.ts'
import type { Answer, Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import { sleep } from '../../kernel/deadline.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'

const selfCheckSwitch = '--self-check'

/** The path of the report file, from `--self-check FILE` or `--self-check=FILE`; null if the app was started as usual. */
export function selfCheckFile(argv: readonly string[], folder: string): string | null {
  const at = argv.findIndex((word) => word === selfCheckSwitch || word.startsWith(`${selfCheckSwitch}=`))
  if (at < 0 || argv.slice(0, at).includes('--')) return null
  const file = argv[at]?.slice(selfCheckSwitch.length + 1) || argv[at + 1]
  return file === undefined || file === '' ? null : resolve(folder, file)
}

/** The parts of the started app that the self-check uses. */
export interface CheckedParts {
  readonly version: string
  readonly host: Output<'app.info'>['host']
  /** Opens the main window without showing it. */
  readonly open: () => Pick<WebContents, 'once' | 'executeJavaScript'>
  readonly probeKeychain: () => Promise<Result<unknown, Failure>>
  readonly practice: { start(): Promise<Result<unknown, Failure>>; stop(): Promise<void> }
  /** Shuts down all parts of the app. */
  readonly end: () => Promise<void>
}

interface SelfCheckParts {
  readonly file: string
  readonly app: Pick<App, 'setPath' | 'exit' | 'isPackaged'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** The result of one step. `detail`: why it failed, without secrets; null if it passed. */
interface Step {
  readonly name: string
  readonly passed: boolean
  readonly ms: number
  readonly detail: string | null
}

/** A start of the app that only checks the installed app. It writes a report as a JSON file. The exit code is 0 if every step passed, else 1. */
export interface SelfCheck {
  run(parts: CheckedParts): Promise<void>
  /** Reports that the app did not start, and ends the self-check. */
  failed(error: unknown): Promise<void>
}

/** Time limits in ms: for one step, and for all steps together. */
const stepMs = minute
const allMs = 3 * minute

/**
 * Creates the self-check. Moves the app's data to an empty folder, so that the self-check neither reads nor changes the user's own data. The app
 * deletes this folder when it exits.
 */
export function createSelfCheck({ file, app, clock }: SelfCheckParts): SelfCheck {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-self-check-'))
  app.setPath('userData', folder)
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    } catch {
      // Ignore the error: Chromium may still have files open in the folder. The folder holds no data of the user.
    }
  })
  const steps: Step[] = []
  let facts: Readonly<Record<string, unknown>> = {}
  let isOver = false

  const step = async (name: string, work: () => Promise<string | null>): Promise<void> => {
    // After a failed step, skip the later steps. They would only repeat the failure.
    if (steps.some(({ passed }) => !passed)) return
    const startedAt = clock.monotonic()
    const done = new AbortController()
    const late = sleep(stepMs, done.signal).then(() => 'timeout')
    const detail = await Promise.race([work().catch((error: unknown) => redactText(String(error))), late])
    done.abort()
    steps.push({ name, passed: detail === null, ms: Math.round(clock.monotonic() - startedAt), detail })
  }

  const finish = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    const passed = steps.length > 0 && steps.every((one) => one.passed)
    const { platform, arch, versions } = process
    const about = {
      ...facts,
      packaged: app.isPackaged,
      platform,
      arch,
      electron: versions.electron ?? null,
      chrome: versions.chrome ?? null,
      node: versions.node,
    }
    const written = await writePrivate(file, `${JSON.stringify({ passed, ...about, steps }, null, 2)}\n`)
    app.exit(passed && written.ok ? 0 : 1)
  }
  const stop = (name: string, detail: string): Promise<void> => {
    steps.push({ name, passed: false, ms: 0, detail })
    return finish()
  }
  setTimeout(() => void stop('all', 'timeout'), allMs).unref()

  return {
    async run({ version, host, open, probeKeychain, practice, end }) {
      facts = { version, host }
      let page: ReturnType<CheckedParts['open']> | null = null
      await step('window', async () => {
        const loaded = Promise.withResolvers<string | null>()
        page = open()
        page.once('did-finish-load', () => loaded.resolve(null))
        page.once('did-fail-load', (_event, code, what) => loaded.resolve(`${code} ${what}`))
        return loaded.promise
      })
      const inPage = (script: string): Promise<unknown> => page?.executeJavaScript(script) ?? Promise.reject(new Error('no page'))
      await step('page', async () => ((await inPage(drawn)) === true ? null : 'empty'))
      await step('call', async () => {
        const { result } = (await inPage("appBridge.call('app.info', {})")) as Answer<Output<'app.info'>> // safe cast: the IPC contract defines this type for `app.info`
        return result.ok ? (result.value.version === version ? null : `version ${result.value.version}`) : kindOf(result.failure)
      })
      await step('keychain', async () => detailOf(await probeKeychain()))
      await step('practice_start', async () => detailOf(await practice.start()))
      await step('practice_stop', async () => {
        await practice.stop()
        return null
      })
      await end()
      await finish()
    },
    failed: (error) => stop('start', redactText(String(error))),
  }
}

/** A script for the page. Resolves with true once the page shows a heading. */
const drawn = `new Promise((resolve) => {
  const look = () => document.querySelector('#root h1, #root h2') !== null && (resolve(true), true)
  if (!look()) new MutationObserver((_, watch) => look() && watch.disconnect()).observe(document, { childList: true, subtree: true })
})`

const detailOf = (result: Result<unknown, Failure>): string | null => (result.ok ? null : kindOf(result.failure))

const kindOf = (failure: Failure): string =>
  ['kind', 'code', 'part', 'issue', 'detail'].flatMap((name) => (name in failure ? [String(failure[name as keyof Failure])] : [])).join(' ') // safe cast: the code reads only fields that exist
