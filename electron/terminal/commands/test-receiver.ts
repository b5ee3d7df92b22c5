import { constants } from 'node:os'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { writePrivate } from '../../kernel/files/write-private.ts'
import { effectsAt } from '../../webhooks/receiver-test/receiver-effects.ts'
import { type ReceiverTestParts, testReceiver } from '../../webhooks/receiver-test/receiver-test.ts'
import { checkLine, countsText, reportJson, reportMarkdown } from '../../webhooks/receiver-test/report-text.ts'
import { isOnHostOf } from '../../webhooks/receiver-test/target.ts'
import { exitCodes, type Refusal, refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import type { TestReceiverLine } from './command-line.ts'
import { agreeTarget, type ReceiverParts } from './receiver-target.ts'

export interface TestReceiverParts extends ReceiverParts, ReceiverTestParts {
  readonly stdout: Writable
  readonly signals: SignalRelay
  /** The current folder. */
  readonly folder: string
}

/**
 * Runs the receiver test with a line for each check; Ctrl-C ends it with what was found by then. Gives the exit code: 0 where no check failed,
 * 128 and the signal's number where it was stopped before one had.
 */
export async function testReceiverCommand(line: TestReceiverLine, parts: TestReceiverParts): Promise<number | Refusal> {
  const { stdout, signals } = parts
  const { effects, report: file } = line
  // What the host was confirmed for holds for both.
  if (effects !== null && !isOnHostOf(effects, line.to)) return refusal('usage', '--effects has to be on the host of --to.')
  const agreed = await agreeTarget(line, parts)
  if (!agreed.ok) return agreed.failure
  const onCheck = (check: Parameters<typeof checkLine>[0]) => void stdout.write(`${checkLine(check)}\n`)
  const stop = new AbortController()
  let ending: NodeJS.Signals | null = null
  signals.here((signal) => {
    ending = signal
    stop.abort()
  })
  const report = await testReceiver(parts, { ...agreed.value, effects: effects === null ? null : effectsAt(effects), onCheck, signal: stop.signal })
  if (report === null) return refusal('denied', 'The host is not confirmed. Nothing was sent.')
  stdout.write(`\n${report.verdict === 'stopped' ? 'Stopped before its end: ' : ''}${countsText(report)}\n`)
  if (file !== null) {
    const written = await writePrivate(resolve(parts.folder, file), file.endsWith('.json') ? reportJson(report) : reportMarkdown(report))
    if (!written.ok) return refusal('unavailable', `The report could not be written to ${file}.`)
  }
  if (report.verdict === 'passed') return 0
  return report.verdict === 'stopped' && ending !== null ? exitCodes.signal + constants.signals[ending] : exitCodes.notTaken
}
