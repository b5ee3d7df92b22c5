import { app, dialog } from 'electron'
import { redactText } from '../../../shared/api/redact.ts'
import { systemClock } from '../../../shared/time.ts'
import { newReference } from '../../kernel/failures.ts'
import { dialogLines, most } from '../../kernel/files/dialogs.ts'
import type { ErrorLog } from '../ipc/answer-call.ts'
import { createEndOnError, type EndOnError, restartedAfter, restartWords } from './end-on-error.ts'

export interface WatchErrorsParts {
  readonly log: ErrorLog
  /** Where the log is, for the user. */
  readonly logFile: string
  /** Whether the app has opened: until then it says that it cannot start. */
  readonly isOpen: () => boolean
}

/** From here on every error of the main process that no code catches ends the app. */
export function watchErrors({ log, logFile, isOpen }: WatchErrorsParts): EndOnError {
  const ending = createEndOnError({
    log,
    newReference,
    clock: systemClock,
    restarted: restartedAfter(process.argv) !== null,
    startAgain: (reference) => app.relaunch({ args: restartWords(process.argv, reference) }),
    say(reference, error) {
      const title = isOpen() ? 'Svc Desk closed after an error' : 'Svc Desk cannot start'
      const what = redactText(error instanceof Error ? error.message : String(error))
      sayWhy(
        title,
        `${what}\n\nWhen you start it again, it checks orders and keys against the journal.\nThe log has the details under ${reference}: ${logFile}`,
      )
    },
    exit: () => app.exit(1),
    kill: () => process.kill(process.pid, 'SIGKILL'),
  })
  process.on('uncaughtException', (error) => ending.caught('uncaught exception', error))
  process.on('unhandledRejection', (error) => ending.caught('unhandled rejection', error))
  // The terminal that started the app may close before the app does. What would be printed there is lost, and no error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return ending
}

/** On the terminal, if there is one, and in a box that waits for the user. */
export function sayWhy(title: string, why: string): void {
  process.stderr.write(`${title}: ${why}\n`)
  dialog.showErrorBox(title, dialogLines(why, most.detail))
}
