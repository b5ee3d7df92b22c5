import type { App } from 'electron'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { endAll, endInTime } from '../../kernel/deadline.ts'
import type { ErrorLog } from '../ipc/answer-call.ts'

export interface EndOnErrorParts {
  readonly log: ErrorLog
  readonly newReference: () => string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Whether this process was itself started after an error. */
  readonly restarted: boolean
  /** Requests that the app starts again once this process has ended. */
  readonly startAgain: (reference: string) => void
  /** Informs the user that the app ended because of an error and does not restart. The process ends once this has resolved. */
  readonly say: (reference: string, error: unknown) => unknown
  readonly exit: () => void
  /** Kills the process. The app calls this if `exit` hangs. */
  readonly kill: () => void
}

export interface EndOnError {
  /** Handles an uncaught error. The app’s state is then unknown, so the app ends and restarts from its journal. */
  caught(what: string, error: unknown): void
  /** Registers functions that stop parts of the app. The functions of one call run in the given order, before those of earlier calls. */
  add(...ends: readonly (() => unknown)[]): void
  /** Called when the user closes the app: an error from now on causes no restart. */
  quits(): void
  isEnding(): boolean
}

/** Time limits for stopping the app’s parts: `eachMs` for one part, `allMs` in total. Within them, calls in progress can still save their results. */
const patience = { eachMs: 1.5 * second, allMs: 3 * second }
const exitMs = 2 * second
/** Minimum run time for a restart after an error. An error soon after the start would probably occur again, and the app could restart in a loop. */
const leastRunMs = { usual: minute, restarted: 10 * minute }

/** Ends the app within seconds after the first uncaught error, even if stopping a part fails or hangs. */
export function createEndOnError({ log, newReference, clock, restarted, startAgain, say, exit, kill }: EndOnErrorParts): EndOnError {
  const startedAt = clock.monotonic()
  const ends: (() => unknown)[] = []
  let state: 'running' | 'quitting' | 'ending' = 'running'
  let isTimed = false

  const note = (what: string, error: unknown): string => {
    const reference = newReference()
    // JavaScript code can throw any value, even an object that throws when it is read.
    for (const readable of [error, new Error('The error cannot be read.')])
      try {
        log.error(reference, what, readable)
        break
      } catch {
        // A failed log entry must not prevent the app from ending.
      }
    return reference
  }
  const attempt = (work: () => unknown): boolean => {
    try {
      work()
      return true
    } catch (error) {
      note('while the app ended after an error', error)
      return false
    }
  }
  const leave = () => {
    setTimeout(kill, exitMs)
    attempt(exit)
  }

  const end = async (reference: string, error: unknown): Promise<void> => {
    const ranLongEnough = clock.monotonic() - startedAt >= (restarted ? leastRunMs.restarted : leastRunMs.usual)
    // Requests the restart before anything else, so that the app restarts even if a later step hangs.
    const startsAgain = ranLongEnough && attempt(() => startAgain(reference))
    const failed = (failure: unknown) => void note('while the app ended after an error', failure)
    await endInTime(ends, patience, failed)
    if (!startsAgain) await Promise.try(() => say(reference, error)).catch(failed)
    leave()
  }

  return {
    caught(what, error) {
      const reference = note(what, error)
      if (state === 'running') {
        state = 'ending'
        void end(reference, error)
      } else if (state === 'quitting' && !isTimed) {
        // The error may have interrupted quitting, so the exit is forced after a time limit.
        isTimed = true
        setTimeout(leave, patience.allMs)
      }
    },
    add: (...more) => void ends.unshift(...more),
    quits() {
      if (state === 'running') state = 'quitting'
    },
    isEnding: () => state === 'ending',
  }
}

const restartSwitch = '--restarted-after='

/** The reference of the error after which this process was started; null for a normal start. */
export function restartedAfter(argv: readonly string[]): string | null {
  const given = argv.find((word) => word.startsWith(restartSwitch))?.slice(restartSwitch.length) ?? ''
  return /^e-[0-9a-f]{8}$/.test(given) ? given : null
}

/**
 * The arguments for restarting the app after an error. They contain the error’s reference, because the journal may have failed or the disk may be
 * full. `argv`: this process’s own arguments, including the program.
 */
export const restartWords = (argv: readonly string[], reference: string): string[] => [
  ...argv.slice(1).filter((word) => !word.startsWith(restartSwitch)),
  `${restartSwitch}${reference}`,
]

interface QuitParts {
  /** The code that ends the app after an error. Once it runs, quitting must not interfere, or some parts of the app would keep running. */
  readonly ending: Pick<EndOnError, 'quits' | 'isEnding'>
  /** Functions to run in sequence while the windows still exist. If one fails, the following ones still run. */
  readonly first: readonly (() => unknown)[]
  /** A function to run after all windows are closed. */
  readonly last: () => void
  readonly failed: (error: unknown) => void
}

/** Makes the app stop its parts before it quits. */
export function onQuit(app: Pick<App, 'on' | 'quit'>, { ending, first, last, failed }: QuitParts): void {
  let state: 'running' | 'ending' | 'ended' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending' || ending.isEnding()) return
    state = 'ending'
    ending.quits()
    void endAll(first, failed).then(() => {
      state = 'ended'
      app.quit()
    })
  })
  app.on('will-quit', last)
}
