import type { CheckReport, Exchange, ReceiverReport } from './report.ts'

const words = { passed: 'passed', failed: 'FAILED', unknown: 'unknown' } as const

/** One line for a terminal. */
export const checkLine = ({ title, result, why }: CheckReport): string => `${words[result].padEnd(7)}  ${title}: ${why}`

/** How many checks ended how. */
export function countsText({ checks }: ReceiverReport): string {
  const count = (result: CheckReport['result']) => checks.filter((check) => check.result === result).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('unknown')} unknown`
}

const iso = (ms: number) => new Date(ms).toISOString()

/** For scripts: times as ISO 8601 in UTC. */
export function reportJson({ startedAtMs, endedAtMs, ...report }: ReceiverReport): string {
  return `${JSON.stringify({ ...report, startedAt: iso(startedAtMs), endedAt: iso(endedAtMs) }, null, 2)}\n`
}

/** Text of the receiver's must not be read as Markdown. */
const code = (text: string) => `\`${text.replaceAll('`', "'").replaceAll('|', '¦')}\``

const exchangeRow = ({ sent, answered }: Exchange) =>
  `| ${code(sent.type)} | ${code(sent.eventId)} | ${sent.attempt} | ${sent.altered ?? 'as the service sends it'} | ${code(answered.text)} | ${answered.ms} ms |\n`

/** For people. */
export function reportMarkdown(report: ReceiverReport): string {
  const { verdict, url, secret, startedAtMs, endedAtMs, checks } = report
  const secretText = secret === 'own' ? 'the receiver’s own' : 'made for this test'
  const rows = checks.map(({ id, title, rule, result, why }) => `| ${words[result]} | ${title} (${id}) | ${rule} | ${why.replaceAll('|', '¦')} |\n`)
  const details = checks
    .filter(({ exchanges }) => exchanges.length > 0)
    .map(
      ({ title, exchanges }) =>
        `\n### ${title}\n\n| Event | Id | Attempt | What was sent | What was answered | After |\n|---|---|---|---|---|---|\n${exchanges.map(exchangeRow).join('')}`,
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
