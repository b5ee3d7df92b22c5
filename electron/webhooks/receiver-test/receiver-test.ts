import { secretPrefixes } from '../../../shared/api/redact.ts'
import type { ReceiverCheckId, ReceiverReport, ReceiverTestCheck } from '../../../shared/ipc/webhooks/receiver-test.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { staleDeliveryS } from '../../../shared/webhooks/events.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Post, Posted } from '../subscriptions/post.ts'
import { failed, isRedirect, type Judged, judgeRefused, passed, unknown } from './check-result.ts'
import { type Check, takenChecks, validCheck } from './checks-taken.ts'
import { type Altered, type Attempted, createDriver, type Driver, type Notes } from './driver.ts'
import { isConfirmed, type ReadEffects, shownUrl, type Target, throwawaySecret } from './target.ts'

const signature = 'X-Svc-Signature'

const withSignature =
  (change: (value: string) => string) =>
  ({ headers, body }: Posted): Posted => ({ body, headers: { ...headers, [signature]: change(headers[signature] ?? '') } })

const without = ({ headers, body }: Posted): Posted => ({ body, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== signature)) })

const withBody =
  (change: (text: string) => string) =>
  ({ headers, body }: Posted): Posted => ({ headers, body: Buffer.from(change(Buffer.from(body).toString())) })

const otherDigit = (value: string) => `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`

async function refusing(driver: Driver, alterations: readonly Altered[]): Promise<Judged> {
  const all = []
  for (const alteration of alterations) all.push(await driver.forge(driver.event('order.filled'), alteration))
  return judgeRefused(all)
}

/** Signs with a part of the secret as key. A receiver that accepts this signature doesn't use the secret's prefix. */
const wholeSecretCheck: Check = {
  id: 'whole_secret',
  rule: 'HOOK-06',
  async run(driver) {
    const secret = driver.secret.reveal()
    if (!secret.startsWith(secretPrefixes.webhook)) return unknown('other_prefix')
    const cut = secret.slice(secretPrefixes.webhook.length)
    return refusing(driver, [{ what: 'cut_secret', secret: cut }])
  },
}

/** Checks with deliveries that a receiver must reject, because the service did not send them. */
const refusedChecks: readonly Check[] = [
  {
    id: 'no_signature',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, [
        { what: 'no_signature', change: without },
        { what: 'no_digits', change: withSignature(() => 'v1=') },
      ]),
  },
  {
    id: 'wrong_signature',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, [
        { what: 'last_digit', change: withSignature(otherDigit) },
        { what: 'zeros', change: withSignature(() => `v1=${'0'.repeat(64)}`) },
      ]),
  },
  {
    id: 'wrong_secret',
    rule: 'HOOK-06',
    run: (driver) => refusing(driver, [{ what: 'other_secret', secret: throwawaySecret().reveal() }]),
  },
  wholeSecretCheck,
  {
    id: 'changed_body',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, [
        { what: 'other_value', change: withBody((text) => text.replace('250.00', '950.00')) },
        { what: 'more_space', change: withBody((text) => text.replace('{', '{ ')) },
      ]),
  },
  {
    id: 'changed_timestamp',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, [
        {
          what: 'moved_timestamp',
          ageS: staleDeliveryS,
          change: ({ headers, body }) => ({ body, headers: { ...headers, 'X-Svc-Timestamp': String(Number(headers['X-Svc-Timestamp']) + staleDeliveryS) } }),
        },
      ]),
  },
  {
    id: 'stale',
    rule: 'HOOK-06',
    run: (driver) => refusing(driver, [{ what: 'old_timestamp', ageS: staleDeliveryS }]),
  },
  {
    id: 'id_mismatch',
    rule: 'HOOK-05',
    async run(driver) {
      const other = driver.event('order.filled').id
      // The signature does not cover the event id header, so an attacker could replay an old delivery with a new event id. A receiver must compare
      // the header with the body.
      return refusing(driver, [{ what: 'other_id', change: ({ headers, body }) => ({ body, headers: { ...headers, 'X-Svc-Event-ID': other } }) }])
    },
  },
]

export interface ReceiverTestParts {
  readonly post: Post
  readonly clock: Clock
  readonly sleep: Sleep
  /** Returns a new id: unique, at most 90 characters. */
  readonly newId: () => string
}

export interface ReceiverTestRequest {
  readonly target: Target
  readonly confirmHost: string | null
  readonly secret: Secret
  /** True if the secret was made only for this test. */
  readonly throwaway: boolean
  /** Reads the ids of the events on which the receiver acted; `null` if the receiver does not report them. */
  readonly effects: ReadEffects | null
  readonly signal?: AbortSignal
  readonly onCheck?: (check: ReceiverTestCheck) => void
}

/** The longest time a test may take, however slow the receiver is. */
const longestMs = 5 * minute
const notTaken = unknown('not_tried')

/** The check whether all deliveries were answered in time. It is judged at the end of the test. */
const inTime = { id: 'in_time', rule: 'HOOK-08' } as const
const noRedirect = { id: 'redirect', rule: 'HOOK-08' } as const
const actedOnce = { id: 'acted_once', rule: 'HOOK-07' } as const
const notActed = { id: 'acted_on_forged', rule: 'HOOK-06' } as const

/** Every check, in the order in which the checks end. */
export const plannedChecks: readonly ReceiverCheckId[] = [...[validCheck, ...takenChecks, ...refusedChecks], inTime, noRedirect, actedOnce, notActed].map(
  ({ id }) => id,
)

/**
 * Tests a receiver with everything that the exchange's documentation promises or warns of (HOOK-05 to HOOK-08), and judges its reactions.
 * Returns `null` and sends nothing if the user has not confirmed the host. Takes a few seconds, at most 5 minutes.
 */
export async function testReceiver(parts: ReceiverTestParts, request: ReceiverTestRequest): Promise<ReceiverReport | null> {
  const { clock, sleep } = parts
  const { target, secret, effects, onCheck, signal = new AbortController().signal } = request
  if (!isConfirmed(target, request.confirmHost)) return null
  const startedAtMs = clock.now()
  const until = clock.monotonic() + longestMs
  const notes: Notes = { valid: [], forged: new Set(), doubled: new Set() }
  const checks: ReceiverTestCheck[] = []
  let isWhole = true

  const isOver = () => signal.aborted || clock.monotonic() > until
  const conclude = ({ id, rule }: Omit<Check, 'run'>, { result, why }: Judged, exchanges: readonly ReceiverTestCheck['exchanges'][number][] = []) => {
    const report = { id, rule, result, why, exchanges: [...exchanges] }
    checks.push(report)
    onCheck?.(report)
    return report
  }
  const stopped = () => {
    isWhole = false
    return unknown(signal.aborted ? 'stopped' : 'out_of_time')
  }
  const run = async (check: Check) => {
    if (isOver()) return conclude(check, stopped())
    const driver = createDriver({ ...parts, url: target.url, secret, signal, notes })
    const judged = await check.run(driver)
    return conclude(check, signal.aborted ? stopped() : judged, driver.exchanges)
  }

  const first = await run(validCheck)
  // The receiver accepted no valid delivery, so its rejections prove nothing: skip the other checks. One cause can still be detected, namely that the
  // receiver ignores the secret's prefix.
  const others = [...takenChecks, ...refusedChecks]
  const wasAnswered = first.exchanges.some(({ answered }) => answered.status !== null)
  for (const check of others) {
    if (first.result === 'passed') await run(check)
    else if (check === wholeSecretCheck && wasAnswered && !isOver()) await runAlone(check)
    else conclude(check, signal.aborted ? stopped() : notTaken)
  }
  async function runAlone(check: Check) {
    const driver = createDriver({ ...parts, url: target.url, secret, signal, notes })
    const judged = await check.run(driver)
    conclude(check, signal.aborted ? stopped() : judged.result === 'failed' ? judged : unknown('refused_as_valid'), driver.exchanges)
  }

  conclude(inTime, judgeTime(notes.valid))
  conclude(noRedirect, judgeRedirects(notes.valid))
  const untold = isOver() ? stopped() : first.result === 'passed' ? null : notTaken
  const { doubled, forged } = untold === null ? await judgeEffects({ notes, read: effects, sleep, signal }) : { doubled: untold, forged: untold }
  conclude(actedOnce, doubled)
  conclude(notActed, forged)

  const verdict = checks.some(({ result }) => result === 'failed') ? 'failed' : isWhole ? 'passed' : 'stopped'
  const { url } = target
  return { verdict, url: shownUrl(url), secret: request.throwaway ? 'throwaway' : 'own', startedAtMs, endedAtMs: clock.now(), checks }
}

/** Judges whether all valid deliveries were answered in time (HOOK-08). */
function judgeTime(valid: readonly Attempted[]): Judged {
  const late = valid.filter(({ answer }) => answer.outcome === 'late')
  if (late.length > 0) return failed({ code: 'late', count: late.length, of: valid.length })
  const answered = valid.flatMap(({ answer }) => (answer.outcome === 'answered' ? [answer.ms] : []))
  return answered.length === 0 ? unknown('nothing_answered') : passed({ code: 'in_time', count: answered.length, slowestMs: Math.max(...answered) })
}

function judgeRedirects(valid: readonly Attempted[]): Judged {
  const redirects = valid.filter(isRedirect)
  const [first] = redirects
  if (first?.answer.outcome === 'answered') return failed({ code: 'redirected', count: redirects.length, of: valid.length, status: first.answer.status })
  return valid.some(({ answer }) => answer.outcome === 'answered') ? passed('not_redirected') : unknown('nothing_answered')
}

interface EffectParts {
  readonly notes: Notes
  /** Reads the receiver's effects; `null` if the receiver does not report them. */
  readonly read: ReadEffects | null
  readonly sleep: Sleep
  readonly signal: AbortSignal
}

const looks = 5

/** Judges the receiver's effects: a repeated delivery must have no second effect, and a refused delivery no effect (HOOK-07). */
async function judgeEffects({ notes, read, sleep, signal }: EffectParts): Promise<{ readonly doubled: Judged; readonly forged: Judged }> {
  const both = (judged: Judged) => ({ doubled: judged, forged: judged })
  if (read === null) return both(unknown('effects_unseen'))
  let acted: readonly string[] = []
  // The receiver may act shortly after its answer, so read its effects several times.
  for (let look = 0; look < looks; look += 1) {
    await sleep(second, signal)
    const notesRead = await read(signal)
    if (!notesRead.ok) return both(unknown({ code: notesRead.failure }))
    const isSettled = acted.length === notesRead.value.length && [...notes.doubled].every((id) => notesRead.value.includes(id))
    acted = notesRead.value
    if (isSettled || signal.aborted) break
  }
  const times = (id: string) => acted.filter((one) => one === id).length
  const twice = [...notes.doubled].filter((id) => times(id) > 1)
  const forged = [...notes.forged].filter((id) => times(id) > 0)
  const isOurs = notes.valid.some(({ event }) => times(event.id) > 0)
  if (!isOurs) return both(unknown({ code: 'effects_of_others' }))
  return {
    doubled: twice.length === 0 ? passed({ code: 'doubled_once', count: notes.doubled.size }) : failed({ code: 'doubled_twice', ids: twice }),
    forged: forged.length === 0 ? passed({ code: 'forged_unheeded', count: notes.forged.size }) : failed({ code: 'forged_heeded', count: forged.length }),
  }
}
