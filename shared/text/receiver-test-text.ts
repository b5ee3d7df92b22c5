import { secretPrefixes } from '../api/redact.ts'
import type { ReceiverCheckId, ReceiverGot, ReceiverReport, ReceiverTestCheck } from '../ipc/webhooks/receiver-test.ts'
import { staleDeliveryS } from '../webhooks/events.ts'
import { catalogue, plural } from './catalogue.ts'
import { outcomeText } from './delivery-text.ts'

/** What each check of a receiver test checks, keyed by `ReceiverCheckId`. */
export const receiverChecks = catalogue('receiverChecks', {
  valid: 'Accepts a valid delivery',
  event_types: 'Accepts every event type',
  longest_id: 'Accepts an ID of 96 characters',
  raw_bytes: 'Verifies the raw bytes',
  duplicate: 'Accepts a repeated event',
  retry: 'Accepts the retry of a delivery whose response was lost',
  out_of_order: 'Accepts events out of order',
  correction: 'Accepts a correction after a reorganisation',
  unknown_type: 'Accepts an unknown type',
  burst: 'Accepts several deliveries at once',
  no_signature: 'Refuses a delivery without a signature',
  wrong_signature: 'Refuses a wrong signature',
  wrong_secret: 'Refuses a signature made with another secret',
  whole_secret: 'Verifies with the whole secret',
  changed_body: 'Refuses a changed body',
  changed_timestamp: 'Refuses a changed timestamp',
  stale: 'Refuses an old delivery',
  id_mismatch: 'Refuses a header ID that differs from the body',
  in_time: 'Answers within 4 s',
  redirect: 'Answers without a redirect',
  acted_once: 'Acts once on a repeated event',
  acted_on_forged: 'Does not act on a delivery it refuses',
})

/** What each check sends to the receiver. The last four checks send nothing of their own, but evaluate all deliveries of the test. */
export const receiverSent = catalogue('receiverSent', {
  valid: 'signed as the service does',
  event_types: (count: number) => plural(count, { one: `the only one of ${count} types`, other: `each of ${count} types` }),
  longest_id: 'the longest ID',
  raw_bytes: 'a body with other spacing and escapes, correctly signed',
  duplicate: 'the same event a second time, signed again',
  retry: 'the same event after 2, 4 and 8 s',
  out_of_order: 'the newest first, then two from the same second',
  correction: 'an event, its corrections with revoked_event_id, and the event again',
  unknown_type: 'a type that is not in the document',
  burst: (count: number) => `${count} at once`,
  no_signature: 'without a signature',
  wrong_signature: 'a wrong signature',
  wrong_secret: 'signed with another secret',
  whole_secret: (prefix: string) => `signed without the ${prefix} of the secret`,
  changed_body: 'a body that was changed after signing',
  changed_timestamp: 'an old delivery with a new timestamp',
  stale: (seconds: number) => `signed ${seconds} s ago`,
  id_mismatch: 'X-Svc-Event-ID differs from the id in the body',
})

/** How a test delivery deliberately differs from a delivery of the service, keyed by `Alteration`. */
export const receiverAlterations = catalogue('receiverAlterations', {
  none: 'as the service sends it',
  no_signature: 'no X-Svc-Signature',
  no_digits: 'X-Svc-Signature is v1= alone',
  last_digit: 'the last digit of the signature was changed',
  zeros: 'the signature is all zeros',
  other_secret: 'signed with another secret',
  cut_secret: 'signed without the beginning of the secret',
  other_value: 'a value in the body was changed',
  more_space: 'a space was added to the body',
  moved_timestamp: 'signed with an old timestamp, sent with a new one',
  old_timestamp: (seconds: number) => `the timestamp is ${seconds} s old, correctly signed`,
  other_id: 'X-Svc-Event-ID differs from the id in the body',
})

/** The reason for a check's result, keyed by `ReceiverWhy`. `sent`: what the check sent, from `receiverSent`. `got`: the receiver's response. */
export const receiverWhy = catalogue('receiverTest', {
  answered: (status: number) => `answered ${status}`,
  taken: (sent: string) => `${sent}: answered 2xx`,
  taken_retried: (sent: string, retried: number, of: number) => `${sent}: answered 2xx, ${retried} of ${of} after a retry`,
  not_taken: (sent: string, types: string, got: string) => `${sent}: ${types}: ${got}, expected 2xx`,
  not_taken_retried: (sent: string, types: string, got: string, attempt: number) => `${sent}: ${types}: ${got} at attempt ${attempt}, expected 2xx`,
  refused: (sent: string) => `${sent}: refused`,
  forged_taken: (sent: string, got: string) => `${sent}: ${got}, expected a refusal such as 401`,
  forged_unanswered: (sent: string, got: string) => `${sent}: ${got}; a refusal is a status such as 401`,
  retry_taken: (attempt: number, of: number) => `answered 2xx at attempt ${attempt} of ${of}`,
  unknown_unanswered: (sent: string) => `${sent}: no answer`,
  unknown_answered: (sent: string, status: number) => `${sent}: answered ${status}`,
  unknown_failed: (sent: string, status: number) => `${sent}: your receiver answered ${status}, as if the delivery had failed`,
  late: (count: number, of: number) => `${count} of ${of} valid deliveries got no answer within 4 s`,
  in_time: (count: number, slowestMs: number) => `the slowest of ${count} answers took ${slowestMs} ms`,
  redirected: (count: number, of: number, status: number) =>
    `${count} of ${of} valid deliveries were answered ${status}: redirects are not followed, so each counts as failed`,
  not_redirected: 'no valid delivery was answered with a redirect',
  doubled_once: (count: number) =>
    plural(count, { one: `${count} event was repeated and had one effect`, other: `${count} events were repeated; each had one effect at most` }),
  doubled_twice: (ids: string) => `acted more than once on ${ids}`,
  forged_unheeded: (count: number) =>
    plural(count, { one: `${count} forged delivery had no effect`, other: `none of ${count} forged deliveries had an effect` }),
  forged_heeded: (count: number) => plural(count, { one: `acted on ${count} forged delivery`, other: `acted on ${count} forged deliveries` }),
  nothing_answered: 'nothing was answered',
  other_prefix: (prefix: string) => `the secret does not begin with ${prefix}`,
  refused_as_valid: 'refused, but a valid delivery is refused too',
  not_tried: 'not tried: the receiver refuses a valid delivery',
  stopped: 'stopped before the end',
  out_of_time: 'not tried: the test had already taken 5 minutes',
  effects_unseen: 'not visible from outside; the app can check a receiver that lists the events it handled',
  effects_too_long: 'the receiver’s list of handled events is larger than 1 MB',
  effects_malformed: 'the receiver’s list of handled events is not in the form {"events": [ids]}',
  effects_unread: 'the receiver’s list of handled events could not be read',
  effects_of_others: 'the receiver’s list of handled events contains no event of this test',
})

/** Describes what a check sends. `count`: number of deliveries. */
function sentText(id: ReceiverCheckId, count: number): string {
  switch (id) {
    case 'event_types':
    case 'burst':
      return receiverSent[id](count)
    case 'whole_secret':
      return receiverSent.whole_secret(secretPrefixes.webhook)
    case 'stale':
      return receiverSent.stale(staleDeliveryS)
    case 'in_time':
    case 'redirect':
    case 'acted_once':
    case 'acted_on_forged':
      return receiverChecks[id]
    default:
      return receiverSent[id]
  }
}

type Exchange = ReceiverTestCheck['exchanges'][number]

/** Describes how a test delivery differs from a delivery of the service. */
export function alteredText(altered: Exchange['sent']['altered']): string {
  if (altered === null) return receiverAlterations.none
  if (typeof altered !== 'string') return altered.text
  return altered === 'old_timestamp' ? receiverAlterations.old_timestamp(staleDeliveryS) : receiverAlterations[altered]
}

/** Describes the receiver's response on one line. */
export function answeredText({ said, ...got }: Omit<Exchange['answered'], 'ms'>): string {
  if (got.outcome === 'as_stored') return said
  return got.status === null || said === '' ? outcomeText(got) : `${got.status} ${said}`
}

const gotText = (got: ReceiverGot): string => (got.status === null ? outcomeText(got) : receiverWhy.answered(got.status))

export function receiverWhyText({ id, why }: Pick<ReceiverTestCheck, 'id' | 'why'>): string {
  switch (why.code) {
    case 'taken': {
      const sent = sentText(id, why.count)
      return why.retried === 0 ? receiverWhy.taken(sent) : receiverWhy.taken_retried(sent, why.retried, why.count)
    }
    case 'not_taken': {
      const about = [sentText(id, why.count), why.types.join(', '), gotText(why.got)] as const
      return why.attempt > 1 ? receiverWhy.not_taken_retried(...about, why.attempt) : receiverWhy.not_taken(...about)
    }
    case 'refused':
      return receiverWhy.refused(sentText(id, 1))
    case 'forged_taken':
    case 'forged_unanswered':
      return receiverWhy[why.code](sentText(id, 1), gotText(why.got))
    case 'retry_taken':
      return receiverWhy.retry_taken(why.attempt, why.of)
    case 'unknown_type': {
      const sent = sentText(id, 1)
      if (why.status === null) return receiverWhy.unknown_unanswered(sent)
      return receiverWhy[why.status >= 500 ? 'unknown_failed' : 'unknown_answered'](sent, why.status)
    }
    case 'late':
      return receiverWhy.late(why.count, why.of)
    case 'in_time':
      return receiverWhy.in_time(why.count, why.slowestMs)
    case 'redirected':
      return receiverWhy.redirected(why.count, why.of, why.status)
    case 'doubled_once':
    case 'forged_unheeded':
    case 'forged_heeded':
      return receiverWhy[why.code](why.count)
    case 'doubled_twice':
      return receiverWhy.doubled_twice(why.ids.join(', '))
    case 'other_prefix':
      return receiverWhy.other_prefix(secretPrefixes.webhook)
    case 'as_stored':
      return why.text
    default:
      return receiverWhy[why.code]
  }
}

/** Words for the result of a check. They are always English, because scripts read the terminal output and the reports. */
const words = { passed: 'passed', failed: 'FAILED', unknown: 'unknown' } as const

/** Formats the result of a check as one line for a terminal. */
export const checkLine = (check: ReceiverTestCheck): string => `${words[check.result].padEnd(7)}  ${receiverChecks[check.id]}: ${receiverWhyText(check)}`

export function countsText({ checks }: ReceiverReport): string {
  const count = (result: ReceiverTestCheck['result']) => checks.filter((check) => check.result === result).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('unknown')} unknown`
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Returns the report as JSON for scripts, with times in ISO 8601 and UTC. */
export function reportJson({ startedAtMs, endedAtMs, ...report }: ReceiverReport): string {
  const checks = report.checks.map(({ exchanges, ...check }) => ({
    id: check.id,
    title: receiverChecks[check.id],
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

/** Formats text from the receiver as Markdown code, so that it cannot change the formatting of the report. */
const code = (text: string) => `\`${text.replaceAll('`', "'").replaceAll('|', '¦')}\``

const exchangeRow = ({ sent, answered }: Exchange) =>
  `| ${code(sent.type)} | ${code(sent.eventId)} | ${sent.attempt} | ${alteredText(sent.altered)} | ${code(answeredText(answered))} | ${answered.ms} ms |\n`

/** Returns the report as Markdown, for people to read. */
export function reportMarkdown(report: ReceiverReport): string {
  const { verdict, url, secret, startedAtMs, endedAtMs, checks } = report
  const secretText = secret === 'own' ? 'the receiver’s own secret' : 'a secret made for this test'
  const rows = checks.map(
    (check) => `| ${words[check.result]} | ${receiverChecks[check.id]} (${check.id}) | ${check.rule} | ${receiverWhyText(check).replaceAll('|', '¦')} |\n`,
  )
  const details = checks
    .filter(({ exchanges }) => exchanges.length > 0)
    .map(
      ({ id, exchanges }) =>
        `\n### ${receiverChecks[id]}\n\n| Event | Id | Attempt | What was sent | What was answered | After |\n|---|---|---|---|---|---|\n${exchanges.map(exchangeRow).join('')}`,
    )
  return [
    `# Receiver test: ${verdict === 'stopped' ? verdict : words[verdict]}\n\n`,
    `${code(url)}, ${iso(startedAtMs)} to ${iso(endedAtMs)}; signed with ${secretText}. ${countsText(report)}.\n\n`,
    '“unknown”: not visible from outside, or not tried. The fields of `data` are invented, because the service’s document shows none.\n\n',
    '| Result | Check | Rule | Why |\n|---|---|---|---|\n',
    ...rows,
    '\n## What was sent and answered\n',
    ...details,
  ].join('')
}
