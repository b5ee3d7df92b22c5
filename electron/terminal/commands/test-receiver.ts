import { constants } from 'node:os'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import { checkLine, countsText, reportJson, reportMarkdown } from '../../../shared/text/receiver-test-text.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'
import { Secret } from '../../kernel/secret.ts'
import { type ReceiverTestParts, testReceiver } from '../../webhooks/receiver-test/receiver-test.ts'
import { effectsAt, isConfirmed, isOnHostOf, readTarget, type Target, throwawaySecret } from '../../webhooks/receiver-test/target.ts'
import type { LookUp } from '../../webhooks/subscriptions/webhook-parts.ts'
import type { Typed } from '../channel/choose.ts'
import { exitCodes, type Refusal, refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import type { Sent, TestReceiverLine } from './command-line.ts'

export interface TestReceiverParts extends ReceiverParts, ReceiverTestParts {
  readonly stdout: Writable
  readonly signals: SignalRelay
  readonly folder: string
}

/**
 * Runs the receiver test and prints a line per check. Ctrl-C stops the test and prints the results so far.
 * Returns the exit code: 0 if no check failed. If Ctrl-C stopped the test before a check failed, 128 plus the signal's number.
 */
export async function testReceiverCommand(line: TestReceiverLine, parts: TestReceiverParts): Promise<number | Refusal> {
  const { stdout, signals } = parts
  const { effects, report: file } = line
  // The user confirms only the host of `--to`, so `--effects` must not name another host.
  if (effects !== null && !isOnHostOf(effects, line.to)) return refusal('usage', 'The --effects URL must be on the host of --to.')
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
  if (report === null) return refusal('denied', 'You did not confirm the host. Nothing was sent.')
  stdout.write(`\n${report.verdict === 'stopped' ? 'Stopped early: ' : ''}${countsText(report)}\n`)
  if (file !== null) {
    const written = await writePrivate(resolve(parts.folder, file), file.endsWith('.json') ? reportJson(report) : reportMarkdown(report))
    if (!written.ok) return refusal('unavailable', `svc-desk cannot write the report to ${file}. Check its folder and permissions.`)
  }
  if (report.verdict === 'passed') return 0
  return report.verdict === 'stopped' && ending !== null ? exitCodes.signal + constants.signals[ending] : exitCodes.notTaken
}

export interface ReceiverParts {
  readonly env: NodeJS.ProcessEnv
  readonly lookUp: LookUp
  /** Asks on the terminal and shows what the user types. */
  readonly askWord: (question: string) => Promise<Typed>
}

interface AgreedTarget {
  readonly target: Target
  readonly confirmHost: string | null
  readonly secret: Secret
  readonly throwaway: boolean
}

/** Determines the receiver's URL and the signing secret. Asks on the terminal for what the command line leaves out. */
export async function agreeTarget({ to, secretEnv }: Sent, { env, lookUp, askWord }: ReceiverParts): Promise<Result<AgreedTarget, Refusal>> {
  const own = secretEnv === null ? null : ownSecret(secretEnv, env)
  if (own !== null && !own.ok) return own
  const target = await readTarget(to, lookUp)
  if (!target.ok) return fail(refusal('usage', `svc-desk cannot send to that URL. ${inputIssueText(target.failure)}`))
  let confirmHost: string | null = null
  if (target.value.confirm !== null) {
    const { confirm } = target.value
    const typed = await askWord(`Programs behind ${confirm} may act on these events. Type ${confirm} to send them: `)
    if (typed === 'no_terminal') return fail(refusal('denied', `${confirm} is not this computer, so you must type its name. Run svc-desk on a terminal.`))
    confirmHost = typed === 'stopped' ? null : typed.typed
    if (!isConfirmed(target.value, confirmHost)) return fail(refusal('denied', `You did not type ${confirm}. Nothing was sent.`))
  }
  if (own !== null) return ok({ target: target.value, confirmHost, secret: own.value, throwaway: false })
  const secret = throwawaySecret()
  // This output may contain a secret, so it goes only to the terminal, never where output may be stored.
  const set = await askWord(`This secret is for this run only. Give it to your receiver as its signing secret, then press Enter:\n${secret.reveal()}\n`)
  if (set === 'no_terminal') return fail(refusal('usage', 'There is no terminal to show a secret on. Name a variable that holds one with --secret-env.'))
  return set === 'stopped' ? fail(refusal('denied', 'You stopped it. Nothing was sent.')) : ok({ target: target.value, confirmHost, secret, throwaway: true })
}

export function ownSecret(name: string, env: NodeJS.ProcessEnv): Result<Secret, Refusal> {
  const value = env[name] ?? ''
  if (value === '') return fail(refusal('usage', `The variable ${name} is not set. Set it to your signing secret.`))
  return /^[\x21-\x7e]+$/.test(value)
    ? ok(new Secret(value))
    : fail(refusal('usage', `The variable ${name} holds no signing secret. One is ${secretPrefixes.webhook} and characters without spaces.`))
}
