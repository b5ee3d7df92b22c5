import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { effectsAt } from '../webhooks/receiver-test/effects.ts'
import { type ReceiverTestParts, testReceiver } from '../webhooks/receiver-test/receiver-test.ts'
import { checkLine, countsText, reportJson, reportMarkdown } from '../webhooks/receiver-test/report-text.ts'
import type { ReceiverLine } from './receiver-line.ts'
import { agreeTarget, type ReceiverParts } from './receiver-target.ts'
import { exitCodes, type Refusal, refusal } from './refusal.ts'

export interface TestReceiverParts extends ReceiverParts, ReceiverTestParts {
  readonly stdout: Writable
  /** The current folder. */
  readonly folder: string
}

/** Runs the receiver test with a line for each check. Gives the exit code: 0 where no check failed. */
export async function testReceiverCommand(line: Extract<ReceiverLine, { action: 'test-receiver' }>, parts: TestReceiverParts): Promise<number | Refusal> {
  const { stdout } = parts
  const { effects, report: file } = line
  // What the host was confirmed for holds for both.
  if (effects !== null && URL.parse(effects)?.host !== URL.parse(line.to)?.host) return refusal('usage', '--effects has to be on the host of --to.')
  const agreed = await agreeTarget(line, parts)
  if (!agreed.ok) return agreed.failure
  const onCheck = (check: Parameters<typeof checkLine>[0]) => void stdout.write(`${checkLine(check)}\n`)
  const report = await testReceiver(parts, { ...agreed.value, effects: effects === null ? null : effectsAt(effects), onCheck })
  if (report === null) return refusal('denied', 'The host is not confirmed. Nothing was sent.')
  stdout.write(`\n${countsText(report)}\n`)
  if (file !== null) {
    try {
      await writeFile(resolve(parts.folder, file), file.endsWith('.json') ? reportJson(report) : reportMarkdown(report))
    } catch {
      return refusal('unavailable', `The report could not be written to ${file}.`)
    }
  }
  return report.verdict === 'passed' ? 0 : exitCodes.notTaken
}
