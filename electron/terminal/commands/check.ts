import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import type { CheckDetail } from '../../../shared/ipc/host/service-check.ts'
import { countsOf, countsText } from '../../../shared/service-check/counts.ts'
import type { Clock } from '../../../shared/time.ts'
import { reportText } from '../../workspace/service-check/report.ts'
import type { Answered } from '../channel/messages.ts'
import { exitCodes, type Refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import type { CheckLine } from './check-line.ts'
import { acceptedText, stepText } from './check-print.ts'

export interface CheckParts {
  readonly stdout: Writable
  readonly signals: SignalRelay
  readonly clock: Clock
  /** Asks the app, which tells of each step. The signal ends the wait. */
  readonly ask: (told: (what: Answered) => void, signal: AbortSignal) => Promise<Answered>
}

/**
 * Prints a line for each step as it ends, or the report for scripts; Ctrl-C ends it with what was read by then. Gives the exit code: 0 where all that
 * answered is read, 128 and the signal's number where it was stopped before anything was not.
 */
export async function checkCommand(
  { json, acceptTops }: Pick<CheckLine, 'json' | 'acceptTops'>,
  { stdout, signals, clock, ask }: CheckParts,
): Promise<number | Refusal> {
  const startedAtMs = clock.now()
  const say = (text: string): void => {
    if (!json) stdout.write(text)
  }
  let details: CheckDetail[] = []
  const summary = () => countsText(countsOf(details.map(({ row }) => row)))
  const told = (what: Answered): void => {
    if (what.type === 'step') {
      details.push(what.detail)
      say(stepText(what.detail))
    } else if (what.type === 'accepted') {
      say(`\nBefore: ${summary()}.\n${acceptedText(what.tops)}`)
      // With none accepted, the first reading counts.
      if (what.tops.length > 0) details = []
    }
  }
  const stop = new AbortController()
  let ending: NodeJS.Signals | null = null
  signals.here((signal) => {
    ending = signal
    stop.abort()
  })
  const ended = await ask(told, stop.signal)
  const stopped = ending as NodeJS.Signals | null // set above, which the compiler does not see
  if (ended.type === 'refused' && (stopped === null || details.length === 0)) return ended
  say(`\n${stopped === null ? (acceptTops ? 'After: ' : '') : 'Stopped before its end: '}${summary()}.\n`)
  if (json) stdout.write(reportText({ details, startedAtMs, endedAtMs: stopped === null ? clock.now() : null, wallet: null, withWallet: false }))
  const { partly, not } = countsOf(details.map(({ row }) => row))
  if (partly + not > 0) return exitCodes.notTaken
  return stopped === null ? 0 : exitCodes.signal + constants.signals[stopped]
}
