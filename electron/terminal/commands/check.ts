import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { countsOf, countsText, isOpen } from '../../../shared/check-counts.ts'
import type { CheckDetail, CheckedField, CheckOutcome, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import type { Clock } from '../../../shared/time.ts'
import { reportText } from '../../workspace/service-check/report.ts'
import type { Answered } from '../channel/messages.ts'
import { exitCodes, plain, type Refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import type { CheckLine } from './command-line.ts'

export interface CheckParts {
  readonly stdout: Writable
  readonly signals: SignalRelay
  readonly clock: Clock
  /** Asks the app to run the check. Calls `told` for each step. If `signal` is aborted, stops waiting. */
  readonly ask: (told: (what: Answered) => void, signal: AbortSignal) => Promise<Answered>
}

/**
 * Runs `svc-desk check`. Prints a line when each step has ended, or a report for scripts. On Ctrl-C, prints the results so far.
 * Returns exit code 0 if every answer was readable. If a signal stopped the check before it found a problem, returns 128 plus the signal's
 * number.
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
      // After the user accepted a place for a missing field, the check repeats all steps. Drop the results of the first round.
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
  const stopped = ending as NodeJS.Signals | null // The compiler does not see that the signal handler above assigns `ending`. The cast states its real type.
  if (ended.type === 'refused' && (stopped === null || details.length === 0)) return ended
  say(`\n${stopped === null ? (acceptTops ? 'After: ' : '') : 'Stopped early: '}${summary()}.\n`)
  if (json) stdout.write(reportText({ details, startedAtMs, endedAtMs: stopped === null ? clock.now() : null, wallet: null, withWallet: false }))
  const { partly, not } = countsOf(details.map(({ row }) => row))
  if (partly + not > 0) return exitCodes.notTaken
  return stopped === null ? 0 : exitCodes.signal + constants.signals[stopped]
}

const words: Readonly<Record<CheckOutcome, string>> = {
  waiting: 'waiting',
  read: 'read',
  partly: 'partly',
  not: 'not',
  empty: 'empty',
  nothing_yet: 'nothing yet',
  impossible: 'nothing yet',
  no_scope: 'no scope',
  signed_out: 'no sign-in',
  failed: 'failed',
  refused_as_expected: 'refused',
  acted: 'ACTED',
}
const width = Math.max(...Object.values(words).map(({ length }) => length))
const shownUnread = 8

/** Formats one step: its outcome, and below it each point that the user must still resolve. */
function stepText({ row, resources, signing }: CheckDetail): string {
  const { kind, outcome, route, action, read, fields, scope, failure } = row
  const name = kind === 'read' ? route : kind === 'preview' ? `${route} (${action})` : `${kind === 'prepare' ? 'prepare' : 'dry run of'} ${action}`
  const more = [
    ...(fields === 0 ? [] : [`${read} of ${fields}`]),
    ...(scope === null ? [] : [scope]),
    ...(failure === null || outcome === 'refused_as_expected'
      ? []
      : [failure.kind === 'refused' ? `${failure.status} ${failure.code ?? ''}`.trim() : failure.kind]),
    ...(outcome === 'acted' ? ['the service answered with a command or a hash, so the check stopped'] : []),
    ...(signing?.verdict === 'block' ? ['would never be signed'] : []),
  ]
  const lines = resources.flatMap(({ resource, records, fields: all, unread }) => [
    ...(records === 0 ? [] : all.filter(isOpen)).map((field) => fieldText(resource, field)),
    ...(unread.length === 0
      ? []
      : [
          `${resource} unknown: ${unread
            .slice(0, shownUnread)
            .map(({ path }) => path)
            .join(', ')}${unread.length > shownUnread ? `, ${unread.length - shownUnread} more` : ''}`,
        ]),
  ])
  return [
    `${words[outcome].padEnd(width)}  ${name}${more.length === 0 ? '' : `  ${more.join(', ')}`}`,
    ...lines.map((line) => `${' '.repeat(width + 4)}${line}`),
  ]
    .map((line) => `${plain(line)}\n`)
    .join('')
}

function fieldText(resource: string, { field, state, path, reason, suggestions: [top] }: CheckedField): string {
  const what = state === 'missing' ? 'missing' : reason === 'unit' || reason === 'scale' ? `at ${path}, its ${reason} is unknown` : `at ${path}, not readable`
  return `${resource}.${field} ${what}${top === undefined ? '' : `; ${top.path} (${top.preview})?`}`
}

const acceptedText = (tops: readonly TopCandidate[]): string =>
  tops.length === 0
    ? '\nThere is no candidate to accept.\n'
    : `\nAccepted (undo in Settings → Field map):\n${tops.map(({ resource, field, path, preview }) => `  ${plain(`${resource}.${field} at ${path} (${preview})`)}\n`).join('')}\n`
