import { app, dialog } from 'electron'
import { redactText } from '../../../shared/api/redact.ts'
import { errorText } from '../../../shared/text/desktop-text.ts'
import { systemClock } from '../../../shared/time.ts'
import { newReference } from '../../kernel/failures.ts'
import { dialogLines, most } from '../../kernel/files/dialogs.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import type { ErrorLog } from '../ipc/answer-call.ts'
import { createEndOnError, type EndOnError, restartedAfter, restartWords } from './end-on-error.ts'

export interface WatchErrorsParts {
  readonly log: ErrorLog
  /** The path of the log, shown to the user. */
  readonly logFile: string
  /** Whether the app has opened. Until then, the message says that it cannot start. */
  readonly isOpen: () => boolean
}

/** From here on, every uncaught error of the main process ends the app. */
export function watchErrors({ log, logFile, isOpen }: WatchErrorsParts): EndOnError {
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
  // The terminal that started the app may close first. Output is then lost, which must not count as an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return ending
}

/** Prints the reason in English on the terminal, if any, and shows it in a dialog that waits for the user. */
export function sayWhy(text: () => { readonly title: string; readonly why: string }): void {
  const printed = text()
  process.stderr.write(`${printed.title}: ${printed.why}\n`)
  const { title, why } = inUserLanguage(text)
  dialog.showErrorBox(title, dialogLines(why, most.detail))
}
