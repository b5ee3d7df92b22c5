import { join } from 'node:path'
import { app, dialog } from 'electron'
import { hardenChromium } from './app/chromium-switches.ts'
import { dialogLines, most } from './app/dialog-text.ts'
import { forkKeychain } from './app/forks.ts'
import { debuggerSwitch, guardMemory } from './app/memory-guard.ts'
import { registerAppScheme } from './app/protocol.ts'
import { claimSingleInstance } from './app/single-instance.ts'
import { ExpectedFailure } from './ipc/expected-failure.ts'
import type { StartParts } from './start.ts'
import { commandWords } from './terminal/command-words.ts'

// What must happen before Electron is ready, and nothing else: the rest of the app is loaded while Electron's own parts start.

declare const __VERSION__: string

const folder = import.meta.dirname
const shown: StartParts['shown'] = { window: null }

guardMemory()
registerAppScheme()
app.enableSandbox()
hardenChromium(app.commandLine)
const words = commandWords(process.argv)
// Whoever looks into the packaged app reads its keys.
const opened = app.isPackaged ? debuggerSwitch(process.argv, process.env) : null
if (opened !== null) refuse(opened)
else if (words !== null) void runCommand(words)
else if (claimSingleInstance(app, () => shown.window)) void openApp().catch(sayWhyNot)
else app.exit(0)

async function runCommand(command: readonly string[]): Promise<void> {
  const { startSvcDesk } = await import('./terminal/start.ts')
  await app.whenReady()
  await startSvcDesk({
    words: command,
    version: __VERSION__,
    data: app.getPath('userData'),
    exit: (code) => app.exit(code),
    forkKeychain: () => forkKeychain(join(folder, 'keychain-worker.js')),
  })
}

async function openApp(): Promise<void> {
  const { start } = await import('./start.ts')
  await app.whenReady()
  await start({ folder, shown })
}

function refuse(given: string): void {
  process.stderr.write(`Svc Desk does not start with ${given}: a debugger could read its keys.\n`)
  app.exit(1)
}

function sayWhyNot(error: unknown): void {
  const taken = error instanceof ExpectedFailure && error.failure.kind === 'journal' && error.failure.issue === 'taken'
  const sentence = taken ? 'Another copy of Svc Desk is using its files. Close it, then start this one again.' : String(error)
  process.stderr.write(`Svc Desk cannot start: ${sentence}\n`)
  dialog.showErrorBox('Svc Desk cannot start', dialogLines(sentence, most.detail))
  app.exit(1)
}
