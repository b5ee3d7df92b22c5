import { secretPrefixes } from '../api/redact.ts'
import type { Alteration, ReceiverCheckId, ReceiverGot, ReceiverReport, ReceiverTestCheck } from '../ipc/webhooks/receiver-test.ts'
import { staleDeliveryS } from '../webhooks/events.ts'
import { outcomeText } from './delivery-text.ts'

/** The window, the terminal and the saved report say the same of a receiver test. */

export const receiverTitles: Readonly<Record<ReceiverCheckId, string>> = {
  valid: 'Takes a valid delivery',
  event_types: 'Takes every type of event',
  longest_id: 'Takes an id of 96 characters',
  raw_bytes: 'Verifies the bytes as they came',
  duplicate: 'Takes an event that comes again',
  retry: 'Takes the retry of a delivery whose answer was lost',
  out_of_order: 'Takes events out of order',
  correction: 'Takes a correction after a reorganisation',
  unknown_type: 'Accepts a type that it does not know',
  burst: 'Takes several deliveries at once',
  no_signature: 'Refuses a delivery without a signature',
  wrong_signature: 'Refuses a wrong signature',
  wrong_secret: 'Refuses the signature of another secret',
  whole_secret: 'Verifies with the whole secret',
  changed_body: 'Refuses a body that was changed',
  changed_timestamp: 'Refuses a timestamp that was changed',
  stale: 'Refuses an old delivery',
  id_mismatch: 'Refuses a header id that is not the body’s',
  in_time: 'Answers within 4 s',
  redirect: 'Answers without a redirect',
  acted_once: 'Acts once on an event that comes twice',
  acted_on_forged: 'Does not act on what it refuses',
}

/** What each check sends; `count`: how many deliveries. */
function sentText(id: ReceiverCheckId, count: number): string {
  switch (id) {
    case 'valid':
      return 'signed as the service does'
    case 'event_types':
      return `each of ${count} types`
    case 'longest_id':
      return 'the longest id'
    case 'raw_bytes':
      return 'a body with other spacing and escapes, rightly signed'
    case 'duplicate':
      return 'the same event a second time, signed again'
    case 'retry':
      return 'the same event after 2, 4 and 8 s'
    case 'out_of_order':
      return 'the newest first, then two of one second'
    case 'correction':
      return 'an event, its corrections with revoked_event_id, and the event again'
    case 'unknown_type':
      return 'a type that is not in the document'
    case 'burst':
      return `${count} at once`
    case 'no_signature':
      return 'without a signature'
    case 'wrong_signature':
      return 'a wrong signature'
    case 'wrong_secret':
      return 'signed with another secret'
    case 'whole_secret':
      return `signed without the ${secretPrefixes.webhook} of the secret`
    case 'changed_body':
      return 'a body that was changed after it was signed'
    case 'changed_timestamp':
      return 'an old delivery with a new timestamp'
    case 'stale':
      return `signed ${staleDeliveryS} s ago`
    case 'id_mismatch':
      return 'X-Svc-Event-ID is not the id of the body'
    // Judged by all that was sent.
    case 'in_time':
    case 'redirect':
    case 'acted_once':
    case 'acted_on_forged':
      return receiverTitles[id]
  }
}

const alterations: Readonly<Record<Alteration, string>> = {
  no_signature: 'no X-Svc-Signature',
  no_digits: 'X-Svc-Signature is v1= alone',
  last_digit: 'the last digit of the signature changed',
  zeros: 'the signature is all zeros',
  other_secret: 'signed with another secret',
  cut_secret: 'signed without the beginning of the secret',
  other_value: 'a value of the body changed',
  more_space: 'a space added to the body',
  moved_timestamp: 'signed with an old timestamp, sent with a new one',
  old_timestamp: `the timestamp is ${staleDeliveryS} s old, rightly signed`,
  other_id: 'X-Svc-Event-ID is not the id of the body',
}

type Exchange = ReceiverTestCheck['exchanges'][number]

/** How what was sent differs from what the service would send. */
export const alteredText = (altered: Exchange['sent']['altered']): string =>
  altered === null ? 'as the service sends it' : typeof altered === 'string' ? alterations[altered] : altered.text

/** What came back, in one line. */
export function answeredText({ said, ...got }: Omit<Exchange['answered'], 'ms'>): string {
  if (got.outcome === 'as_stored') return said
  return got.status === null || said === '' ? outcomeText(got) : `${got.status} ${said}`
}

const gotText = (got: ReceiverGot): string => (got.status === null ? outcomeText(got) : `answered ${got.status}`)

/** Why a check ended as it did. */
export function receiverWhyText({ id, why }: Pick<ReceiverTestCheck, 'id' | 'why'>): string {
  switch (why.code) {
    case 'taken':
      return `${sentText(id, why.count)}: answered 2xx${why.retried === 0 ? '' : `, ${why.retried} of ${why.count} after a retry`}`
    case 'not_taken':
      return `${sentText(id, why.count)}: ${why.types.join(', ')}: ${gotText(why.got)}${why.attempt > 1 ? ` at attempt ${why.attempt}` : ''}, where 2xx is due`
    case 'refused':
      return `${sentText(id, 1)}: refused`
    case 'forged_taken':
      return `${sentText(id, 1)}: ${gotText(why.got)}, where a refusal such as 401 is due`
    case 'forged_unanswered':
      return `${sentText(id, 1)}: ${gotText(why.got)}; a refusal is a status such as 401`
    case 'retry_taken':
      return `answered 2xx at attempt ${why.attempt} of ${why.of}`
    case 'unknown_type': {
      const answered = why.status === null ? 'no answer' : `answered ${why.status}${why.status >= 500 ? ', as after a fault' : ''}`
      return `${sentText(id, 1)}: ${answered}`
    }
    case 'late':
      return `${why.count} of ${why.of} valid deliveries had no answer within 4 s`
    case 'in_time':
      return `the slowest of ${why.count} answers took ${why.slowestMs} ms`
    case 'redirected':
      return `${why.count} of ${why.of} valid deliveries were answered ${why.status}: no redirect is followed, so each counts as failed`
    case 'not_redirected':
      return 'no valid delivery was answered by a redirect'
    case 'doubled_once':
      return `${why.count} events came twice; none had two effects`
    case 'doubled_twice':
      return `acted more than once on ${why.ids.join(', ')}`
    case 'forged_unheeded':
      return `none of ${why.count} forged deliveries had an effect`
    case 'forged_heeded':
      return `acted on ${why.count} forged deliveries`
    case 'nothing_answered':
      return 'nothing was answered'
    case 'other_prefix':
      return `the secret does not begin with ${secretPrefixes.webhook}`
    case 'refused_as_valid':
      return 'refused, as a valid delivery is'
    case 'not_tried':
      return 'not tried: a valid delivery is not taken'
    case 'stopped':
      return 'stopped before its end'
    case 'out_of_time':
      return 'not tried: the test had taken 5 minutes'
    case 'effects_unseen':
      return 'cannot be seen from outside; a receiver that tells its effects can be checked'
    case 'effects_too_long':
      return 'its list of effects is larger than 1 MB'
    case 'effects_malformed':
      return 'its effects are not told as {"events": [ids]}'
    case 'effects_unread':
      return 'its effects could not be read'
    case 'effects_of_others':
      return 'its effects name no event of this test'
    case 'as_stored':
      return why.text
  }
}

type ReportTextExchange = ReceiverTestCheck['exchanges'][number]

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

const exchangeRow = ({ sent, answered }: ReportTextExchange) =>
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
