import type { App } from 'electron'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { endAll, endInTime } from '../../kernel/deadline.ts'
import type { ErrorLog } from '../ipc/answer-call.ts'

export interface EndOnErrorParts {
  readonly log: ErrorLog
  readonly newReference: () => string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Whether this run itself restarted after an error. */
  readonly restarted: boolean
  /** Has the app start again once this process has ended. */
  readonly startAgain: (reference: string) => void
  /** Tells the user that the app ended, where it does not start again. */
  readonly say: (reference: string, error: unknown) => void
  readonly exit: () => void
  /** Ends the process where `exit` hangs. */
  readonly kill: () => void
}

export interface EndOnError {
  /** Something threw, and no code caught it. The app's state is unknown from here on, so it ends and starts again from its journal. */
  caught(what: string, error: unknown): void
  /** What runs from now on, in the order in which it ends, all of it before what was added earlier. */
  add(...ends: readonly (() => unknown)[]): void
  /** The user closes the app: an error from now on starts nothing again. */
  quits(): void
  isEnding(): boolean
}

/** Calls under way get a moment to write down how they ended. */
const patience = { eachMs: 1.5 * second, allMs: 3 * second }
const exitMs = 2 * second
/** An error sooner than this would most likely come again. After a restart the app has to prove itself for longer, so that it cannot restart in a loop. */
const leastRunMs = { usual: minute, restarted: 10 * minute }

/** Ends the app within seconds after the first error that no code caught, also when other things fail meanwhile. */
export function createEndOnError({ log, newReference, clock, restarted, startAgain, say, exit, kill }: EndOnErrorParts): EndOnError {
  const startedAt = clock.monotonic()
  const ends: (() => unknown)[] = []
  let state: 'running' | 'quitting' | 'ending' = 'running'
  let isTimed = false

  const note = (what: string, error: unknown): string => {
    const reference = newReference()
    // What is thrown can be anything, also something that throws where it is read.
    for (const readable of [error, new Error('The error cannot be read.')])
      try {
        log.error(reference, what, readable)
        break
      } catch {
        // The app ends all the same.
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
    // Before anything that can hang: the app starts again however this process ends.
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
        // The app is on its way out; the error may have stopped it there.
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

/** The reference of the error that the app restarted after; null: it was started in the usual way. */
export function restartedAfter(argv: readonly string[]): string | null {
  const given = argv.find((word) => word.startsWith(restartSwitch))?.slice(restartSwitch.length) ?? ''
  return /^e-[0-9a-f]{8}$/.test(given) ? given : null
}

/**
 * The command line that starts the app again after an error. It carries the reference itself: the journal may be what failed, and the disk may be
 * full. `argv`: of this process, its program first.
 */
export const restartWords = (argv: readonly string[], reference: string): string[] => [
  ...argv.slice(1).filter((word) => !word.startsWith(restartSwitch)),
  `${restartSwitch}${reference}`,
]

interface QuitParts {
  /** What ends the app after an error. Once it does, nothing else may, or the app would end in the middle of it. */
  readonly ending: Pick<EndOnError, 'quits' | 'isEnding'>
  /** While the windows are still there: one after the other, also where one of them fails. */
  readonly first: readonly (() => unknown)[]
  /** After they are gone. */
  readonly last: () => void
  readonly failed: (error: unknown) => void
}

/** Ends what runs before the app does. */
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
