import type { App } from 'electron'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { endAll, endInTime } from '../../kernel/deadline.ts'
import type { ErrorLog } from '../ipc/answer-call.ts'

export interface EndOnErrorParts {
  readonly log: ErrorLog
  readonly newReference: () => string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Whether this run itself is a restart after an error. */
  readonly restarted: boolean
  /** Makes the app start again once this process has ended. */
  readonly startAgain: (reference: string) => void
  /** Informs the user that the app ended, if it does not start again. */
  readonly say: (reference: string, error: unknown) => void
  readonly exit: () => void
  /** Ends the process if `exit` hangs. */
  readonly kill: () => void
}

export interface EndOnError {
  /** Handles an error that no code caught. The app's state is then unknown, so the app ends and starts again from its journal. */
  caught(what: string, error: unknown): void
  /**
   * Registers functions that end running parts of the app, in the order in which they must run. Functions of a later call run before those of an
   * earlier call.
   */
  add(...ends: readonly (() => unknown)[]): void
  /** Called when the user closes the app: an error from now on causes no restart. */
  quits(): void
  isEnding(): boolean
}

/**
 * The time for ending the app’s parts, so that calls in progress can still save their results: at most `eachMs` per part and `allMs` in
 * total.
 */
const patience = { eachMs: 1.5 * second, allMs: 3 * second }
const exitMs = 2 * second
/**
 * The shortest run after which the app restarts on an error. An earlier error would probably occur again, and a restarted app could restart in a
 * loop.
 */
const leastRunMs = { usual: minute, restarted: 10 * minute }

/** Ends the app within seconds after the first uncaught error, even if other things fail meanwhile. */
export function createEndOnError({ log, newReference, clock, restarted, startAgain, say, exit, kill }: EndOnErrorParts): EndOnError {
  const startedAt = clock.monotonic()
  const ends: (() => unknown)[] = []
  let state: 'running' | 'quitting' | 'ending' = 'running'
  let isTimed = false

  const note = (what: string, error: unknown): string => {
    const reference = newReference()
    // Code can throw any value, even one that throws while it is read.
    for (const readable of [error, new Error('The error cannot be read.')])
      try {
        log.error(reference, what, readable)
        break
      } catch {
        // Ignore an error while logging: the app must end in any case.
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
    // Request the restart before any step that can hang. The app then restarts no matter how this process ends.
    const startsAgain = ranLongEnough && attempt(() => startAgain(reference))
    await endInTime(ends, patience, (failure) => note('while the app ended after an error', failure))
    if (!startsAgain) attempt(() => say(reference, error))
    leave()
  }

  return {
    caught(what, error) {
      const reference = note(what, error)
      if (state === 'running') {
        state = 'ending'
        void end(reference, error)
      } else if (state === 'quitting' && !isTimed) {
        // The app was already quitting, and this error may have interrupted that. Force the exit after a time limit.
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

/** The reference of the error that caused this restart; null for a normal start. */
export function restartedAfter(argv: readonly string[]): string | null {
  const given = argv.find((word) => word.startsWith(restartSwitch))?.slice(restartSwitch.length) ?? ''
  return /^e-[0-9a-f]{8}$/.test(given) ? given : null
}

/**
 * The command line that starts the app again after an error. It contains the error’s reference id, because the app cannot store the id when
 * the journal has failed or the disk is full. `argv`: the arguments of this process, its program first.
 */
export const restartWords = (argv: readonly string[], reference: string): string[] => [
  ...argv.slice(1).filter((word) => !word.startsWith(restartSwitch)),
  `${restartSwitch}${reference}`,
]

interface QuitParts {
  /** Ends the app after an error. Once this has started, nothing else may end the app, or some of its parts would be left running. */
  readonly ending: Pick<EndOnError, 'quits' | 'isEnding'>
  /** Functions that run one after the other while the windows still exist. If one fails, the next still runs. */
  readonly first: readonly (() => unknown)[]
  /** Runs after the windows are gone. */
  readonly last: () => void
  readonly failed: (error: unknown) => void
}

/** Ends the app's running parts before the app itself. */
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
