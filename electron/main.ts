import { join } from 'node:path'
import { app, dialog } from 'electron'
import { redactText } from '../shared/api/redact.ts'
import { errorText } from '../shared/text/desktop-text.ts'
import { systemClock } from '../shared/time.ts'
import { createEndOnError, createLog, type EndOnError, restartedAfter, restartWords } from './host/app/end-on-error.ts'
import { claimSingleInstance, namedFolders } from './host/app/folders.ts'
import { hardenChromium } from './host/desktop/chromium-switches.ts'
import { registerAppScheme } from './host/desktop/protocol.ts'
import type { ErrorLog } from './host/ipc/answer-call.ts'
import { createStarts } from './host/presence/app-start.ts'
import { forkKeychain } from './host/processes/forks.ts'
import { ExpectedFailure, newReference } from './kernel/failures.ts'
import { dialogLines, most } from './kernel/files/dialogs.ts'
import { debuggerSwitch, guardMemory } from './kernel/process-guard.ts'
import { inUserLanguage } from './kernel/user-language.ts'
import type { StartParts } from './start.ts'

// This file contains only the code that must run before Electron is ready. The rest of the app loads while Electron starts.

declare const __VERSION__: string

const folder = import.meta.dirname
const shown: StartParts['shown'] = { window: null }
const starts = createStarts()

guardMemory()
registerAppScheme()
app.enableSandbox()
// Windows shows notifications only under the id of the installed shortcut.
if (process.platform === 'win32') app.setAppUserModelId('org.svcdesk.desktop')
hardenChromium(app.commandLine)
const words = commandWords(process.argv)
// Refuse to start the packaged app with a debugger, because a debugger could read the keys from memory.
const opened = app.isPackaged ? debuggerSwitch(process.argv, process.env) : null
if (opened !== null) refuse(opened)
else if (words !== null) void runCommand(words).catch(refuseCommand)
else if (claimSingleInstance(app, starts.give)) void openApp()
else app.exit(0)

async function runCommand(command: readonly string[]): Promise<void> {
  const { startSvcDesk } = await import('./terminal/run-svc-desk.ts')
  await app.whenReady()
  await startSvcDesk({
    words: command,
    version: __VERSION__,
    data: app.getPath('userData'),
    exit: (code) => app.exit(code),
    forkKeychain: () => forkKeychain(join(folder, 'keychain-worker.js')),
  })
}

function refuseCommand(error: unknown): void {
  process.stderr.write(`svc-desk: ${redactText(String(error))}\n`)
  app.exit(1)
}

async function openApp(): Promise<void> {
  // macOS reports a link to the app by this event, even if the link started the app.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    starts.give(['', '--', url])
  })
  const logFile = namedFolders(app.getPath('userData')).log
  const log = createLog({ file: logFile, clock: systemClock })
  let isOpen = false
  const ending = watchErrors({ log, logFile, isOpen: () => isOpen })
  try {
    const { start } = await import('./start.ts')
    await app.whenReady()
    await start({ folder, shown, starts, log, ending })
    isOpen = true
  } catch (error) {
    if (isTaken(error)) leaveToOther()
    else ending.caught('start', error)
  }
}

function refuse(given: string): void {
  process.stderr.write(`Svc Desk does not start with ${given}: a debugger could read its keys.\n`)
  app.exit(1)
}

const isTaken = (error: unknown): boolean => error instanceof ExpectedFailure && error.failure.kind === 'journal' && error.failure.issue === 'taken'

function leaveToOther(): void {
  sayWhy(() => ({ title: errorText.cannotStart, why: errorText.otherCopy }))
  app.exit(1)
}

/**
 * Returns the arguments of the command `svc-desk` if the packaged program was started as that command, and null if it was started as the app. A
 * packaged app contains no separate Node, and its program cannot act as Node (`runAsNode` is off).
 */
function commandWords(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--svc-desk')
  return at < 0 ? null : argv.slice(at + 1)
}

interface WatchErrorsParts {
  readonly log: ErrorLog
  /** The path of the log file, which an error message shows to the user. */
  readonly logFile: string
  /** True once the app has opened. Before that, the error message says that the app cannot start. */
  readonly isOpen: () => boolean
}

/** Once this has been called, any uncaught error of the main process ends the app. */
function watchErrors({ log, logFile, isOpen }: WatchErrorsParts): EndOnError {
  const ending = createEndOnError({
    log,
    newReference,
    clock: systemClock,
    restarted: restartedAfter(process.argv) !== null,
    startAgain: (reference) => app.relaunch({ args: restartWords(process.argv, reference) }),
    say(reference, error) {
      const what = redactText(error instanceof Error ? error.message : String(error))
      sayWhy(() => ({ title: isOpen() ? errorText.closed : errorText.cannotStart, why: errorText.details(what, reference, logFile) }))
    },
    exit: () => app.exit(1),
    kill: () => process.kill(process.pid, 'SIGKILL'),
  })
  process.on('uncaughtException', (error) => ending.caught('uncaught exception', error))
  process.on('unhandledRejection', (error) => ending.caught('unhandled rejection', error))
  // Ignore write errors: the terminal that started the app may be closed before the app ends. The output is then lost, which is not a failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return ending
}

/** Shows why the app ended or cannot start: in English on the terminal, if there is a terminal, and in a dialog until the user closes the dialog. */
function sayWhy(text: () => { readonly title: string; readonly why: string }): void {
  const printed = text()
  process.stderr.write(`${printed.title}: ${printed.why}\n`)
  const { title, why } = inUserLanguage(text)
  dialog.showErrorBox(title, dialogLines(why, most.detail))
}
