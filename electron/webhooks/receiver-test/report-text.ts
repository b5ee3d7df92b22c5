import type { ReceiverTestCheck } from '../../../shared/ipc/webhooks/receiver-test.ts'
import { alteredText, answeredText, receiverTitles, receiverWhyText } from '../../../shared/text/receiver-test-text.ts'
import type { ReceiverReport } from './check-result.ts'

type Exchange = ReceiverTestCheck['exchanges'][number]

const words = { passed: 'passed', failed: 'FAILED', unknown: 'unknown' } as const

/** One line for a terminal. */
export const checkLine = (check: ReceiverTestCheck): string => `${words[check.result].padEnd(7)}  ${receiverTitles[check.id]}: ${receiverWhyText(check)}`

/** How many checks ended how. */
export function countsText({ checks }: ReceiverReport): string {
  const count = (result: ReceiverTestCheck['result']) => checks.filter((check) => check.result === result).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('unknown')} unknown`
}

const iso = (ms: number) => new Date(ms).toISOString()

/** For scripts: times as ISO 8601 in UTC. */
export function reportJson({ startedAtMs, endedAtMs, ...report }: ReceiverReport): string {
  const checks = report.checks.map(({ exchanges, ...check }) => ({
    id: check.id,
    title: receiverTitles[check.id],
    rule: check.rule,
    result: check.result,
    why: receiverWhyText(check),
    exchanges: exchanges.map(({ sent, answered }) => ({
      sent: { ...sent, altered: sent.altered === null ? null : alteredText(sent.altered) },
      answered: { status: answered.status, ms: answered.ms, text: answeredText(answered) },
    })),
  }))
  return `${JSON.stringify({ ...report, checks, startedAt: iso(startedAtMs), endedAt: iso(endedAtMs) }, null, 2)}\n`
}

/** Text of the receiver's must not be read as Markdown. */
const code = (text: string) => `\`${text.replaceAll('`', "'").replaceAll('|', '¦')}\``

const exchangeRow = ({ sent, answered }: Exchange) =>
  `| ${code(sent.type)} | ${code(sent.eventId)} | ${sent.attempt} | ${alteredText(sent.altered)} | ${code(answeredText(answered))} | ${answered.ms} ms |\n`

/** For people. */
export function reportMarkdown(report: ReceiverReport): string {
  const { verdict, url, secret, startedAtMs, endedAtMs, checks } = report
  const secretText = secret === 'own' ? 'the receiver’s own' : 'made for this test'
  const rows = checks.map(
    (check) => `| ${words[check.result]} | ${receiverTitles[check.id]} (${check.id}) | ${check.rule} | ${receiverWhyText(check).replaceAll('|', '¦')} |\n`,
  )
  const details = checks
    .filter(({ exchanges }) => exchanges.length > 0)
    .map(
      ({ id, exchanges }) =>
        `\n### ${receiverTitles[id]}\n\n| Event | Id | Attempt | What was sent | What was answered | After |\n|---|---|---|---|---|---|\n${exchanges.map(exchangeRow).join('')}`,
    )
  return [
    `# Receiver test: ${verdict === 'stopped' ? verdict : words[verdict]}\n\n`,
    `${code(url)}, ${iso(startedAtMs)} to ${iso(endedAtMs)}; signed with a secret that is ${secretText}. ${countsText(report)}.\n\n`,
    '“unknown” cannot be seen from outside, or was not tried. The fields of `data` are made up: the service’s document shows none.\n\n',
    '| Result | Check | Rule | Why |\n|---|---|---|---|\n',
    ...rows,
    '\n## What was sent and answered\n',
    ...details,
  ].join('')
}
