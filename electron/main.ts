import { join } from 'node:path'
import { app } from 'electron'
import { redactText } from '../shared/api/redact.ts'
import { errorText } from '../shared/text/desktop-text.ts'
import { systemClock } from '../shared/time.ts'
import { claimSingleInstance, namedFolders } from './host/app/folders.ts'
import { createLog } from './host/app/log.ts'
import { sayWhy, watchErrors } from './host/app/watch-errors.ts'
import { hardenChromium } from './host/desktop/chromium-switches.ts'
import { registerAppScheme } from './host/desktop/protocol.ts'
import { forkKeychain } from './host/processes/forks.ts'
import { ExpectedFailure } from './kernel/failures.ts'
import { debuggerSwitch, guardMemory } from './kernel/process-guard.ts'
import type { StartParts } from './start.ts'
import { commandWords } from './terminal/command-words.ts'

// This file does only what must happen before Electron is ready. The rest of the app loads while Electron starts.

declare const __VERSION__: string

const folder = import.meta.dirname
const shown: StartParts['shown'] = { window: null }

guardMemory()
registerAppScheme()
app.enableSandbox()
hardenChromium(app.commandLine)
const words = commandWords(process.argv)
// A debugger could read the keys from memory, so the packaged app refuses to start with one.
const opened = app.isPackaged ? debuggerSwitch(process.argv, process.env) : null
if (opened !== null) refuse(opened)
else if (words !== null) void runCommand(words).catch(refuseCommand)
else if (claimSingleInstance(app, () => shown.window)) void openApp()
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
  const logFile = namedFolders(app.getPath('userData')).log
  const log = createLog({ file: logFile, clock: systemClock })
  let isOpen = false
  const ending = watchErrors({ log, logFile, isOpen: () => isOpen })
  try {
    const { start } = await import('./start.ts')
    await app.whenReady()
    await start({ folder, shown, log, ending })
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
