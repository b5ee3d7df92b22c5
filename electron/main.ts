import { app, dialog } from 'electron'
import { redactText } from '../shared/api/redact.ts'
import { errorText } from '../shared/text/desktop-text.ts'
import { second, systemClock } from '../shared/time.ts'
import { createEndOnError, type EndOnError, restartedAfter, restartWords } from './host/app/end-on-error.ts'
import { claimSingleInstance, namedFolders } from './host/app/folders.ts'
import { createLog } from './host/app/log.ts'
import { createSelfCheck, type SelfCheck, selfCheckFile } from './host/app/self-check.ts'
import { hardenChromium } from './host/desktop/chromium-switches.ts'
import { registerAppScheme } from './host/desktop/protocol.ts'
import type { ErrorLog } from './host/ipc/answer-call.ts'
import { createStarts, plainWords } from './host/presence/app-start.ts'
import type { ClosedText } from './host/windows/page-window.ts'
import { sleep } from './kernel/deadline.ts'
import { ExpectedFailure, newReference } from './kernel/failures.ts'
import { dialogLines, most } from './kernel/files/dialogs.ts'
import { guardMemory, refusedSwitch } from './kernel/process-guard.ts'
import { inUserLanguage } from './kernel/user-language.ts'
import type { StartParts } from './start.ts'

// This file contains only the code that must run before Electron is ready. The rest of the app loads while Electron starts.

// The packaged app refuses to start with a command-line switch that would let other programs read its memory or traffic (ADR 5).
const refused = app.isPackaged ? refusedSwitch(process.argv, process.env) : null
const folder = import.meta.dirname
const shown: StartParts['shown'] = { window: null }
const starts = createStarts()
if (refused === null) begin()
else refuse(refused)

function begin(): void {
  guardMemory()
  registerAppScheme()
  app.enableSandbox()
  // Windows shows notifications only under the id of the installed shortcut.
  if (process.platform === 'win32') app.setAppUserModelId('org.svcdesk.desktop')
  hardenChromium(app.commandLine)
  const report = selfCheckFile(process.argv, process.cwd())
  const selfCheck = report === null ? null : createSelfCheck({ file: report, app, clock: systemClock })
  if (claimSingleInstance(app, starts.give)) void openApp(selfCheck)
  else app.exit(0)
}

async function openApp(selfCheck: SelfCheck | null): Promise<void> {
  // macOS reports a link to the app by this event, even if the link started the app.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    starts.give(['', '--', url])
  })
  const logFile = namedFolders(app.getPath('userData')).log
  const log = createLog({ file: logFile, clock: systemClock })
  let isOpen = false
  const ending = watchErrors({ log, logFile, isOpen: () => isOpen, selfCheck })
  try {
    const { start } = await import('./start.ts')
    await app.whenReady()
    await start({ folder, shown, starts, log, ending, selfCheck })
    isOpen = true
  } catch (error) {
    if (isTaken(error)) leaveToOther()
    else ending.caught('start', error)
  }
}

function refuse(given: string): void {
  process.stderr.write(`Svc Desk does not start with ${given}: another program could read its keys or its traffic. Start it without this switch.\n`)
  // `svc-desk` uses the same exit code for an invalid command line.
  app.exit(64)
}

const isTaken = (error: unknown): boolean => error instanceof ExpectedFailure && error.failure.kind === 'journal' && error.failure.issue === 'taken'

function leaveToOther(): void {
  print(errorText.cannotStart, errorText.otherCopy)
  inUserLanguage(() => showError(errorText.cannotStart, errorText.otherCopy))
  app.exit(1)
}

interface WatchErrorsParts {
  readonly log: ErrorLog
  /** The path of the log file, which an error message shows to the user. */
  readonly logFile: string
  /** True once the app has opened. Before that, the error message says that the app cannot start. */
  readonly isOpen: () => boolean
  /** The running self-check, which reports errors instead of showing them to the user; null on a normal start. */
  readonly selfCheck: SelfCheck | null
}

/** Once the returned function has been called, any uncaught error of the main process ends the app. */
function watchErrors({ log, logFile, isOpen, selfCheck }: WatchErrorsParts): EndOnError {
  const ending = createEndOnError({
    log,
    newReference,
    clock: systemClock,
    restarted: restartedAfter(process.argv) !== null,
    startAgain: (reference) => app.relaunch({ args: restartWords(process.argv, reference) }),
    say(reference, error) {
      if (selfCheck !== null) return void selfCheck.failed(error)
      const what = redactText(error instanceof Error ? error.message : String(error))
      const title = () => (isOpen() ? errorText.closed : errorText.cannotStart)
      return sayWhy(() => ({ title: title(), error: what, next: errorText.next, log: errorText.log(reference) }), logFile)
    },
    // In a self-check, do not exit here: the self-check exits once it has written its report.
    exit: () => (selfCheck === null ? app.exit(1) : undefined),
    kill: () => process.kill(process.pid, 'SIGKILL'),
  })
  process.on('uncaughtException', (error) => ending.caught('uncaught exception', error))
  process.on('unhandledRejection', (error) => ending.caught('unhandled rejection', error))
  // Ignore write errors: the terminal may close before the app ends. The lost output is not a failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return ending
}

/** Time limits in ms for Electron to be ready and for the window to appear. After that, a dialog takes the window’s place. */
const windowMs = 5 * second

/**
 * Explains why the app ended or cannot start: in English on the terminal, and in a window until the user closes it. Restarts the app if the user asks
 * for that. If no window can be opened, shows a dialog.
 */
async function sayWhy(text: () => ClosedText, logFile: string): Promise<void> {
  const details = ({ error, next, log }: ClosedText) => `${error}\n\n${next}\n${log} ${logFile}`
  print(text().title, details(text()))
  const shownText = inUserLanguage(text)
  try {
    const late = sleep(windowMs).then(() => Promise.reject(new Error('Electron is not ready.')))
    await Promise.race([app.whenReady(), late])
    const { showClosedWindow } = await import('./host/windows/page-window.ts')
    const choice = await showClosedWindow({ text: { ...shownText, error: dialogLines(shownText.error, most.detail) }, logFile, starts, patienceMs: windowMs })
    if (choice === 'again') app.relaunch({ args: plainWords(process.argv) })
  } catch {
    showError(shownText.title, details(shownText))
  }
}

const print = (title: string, why: string) => process.stderr.write(`${title}: ${why}\n`)
const showError = (title: string, why: string) => dialog.showErrorBox(title, dialogLines(why, most.detail))
