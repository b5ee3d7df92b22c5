import { limits } from '../../../shared/api/limits.ts'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Post, Posted } from '../subscriptions/post.ts'
import { type Check, takenChecks, validCheck } from './checks-taken.ts'
import { type Alteration, type Attempted, createDriver, type Driver, type Notes } from './driver.ts'
import type { ReadEffects } from './effects.ts'
import { failed, isRedirect, type Judged, judgeRefused, passed, unknown } from './judge.ts'
import type { CheckReport, ReceiverReport } from './report.ts'
import { isConfirmed, shownUrl, type Target } from './target.ts'
import { throwawaySecret } from './throwaway-secret.ts'

/** A minute past the tolerance, since the receiver's clock may differ. */
const staleS = limits.webhookDelivery.toleranceMs / second + 60
const signature = 'X-Svc-Signature'

const withSignature =
  (change: (value: string) => string) =>
  ({ headers, body }: Posted): Posted => ({ body, headers: { ...headers, [signature]: change(headers[signature] ?? '') } })

const without = ({ headers, body }: Posted): Posted => ({ body, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== signature)) })

const withBody =
  (change: (text: string) => string) =>
  ({ headers, body }: Posted): Posted => ({ headers, body: Buffer.from(change(Buffer.from(body).toString())) })

const otherDigit = (value: string) => `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`

async function refusing(driver: Driver, what: string, alterations: readonly Alteration[]): Promise<Judged> {
  const all = []
  for (const alteration of alterations) all.push(await driver.forge(driver.event('order.filled'), alteration))
  return judgeRefused(all, what)
}

/** The signature with another key than the whole secret. A receiver that takes it cuts the secret's beginning off. */
const wholeSecretCheck: Check = {
  id: 'whole_secret',
  title: 'Verifies with the whole secret',
  rule: 'HOOK-06',
  async run(driver) {
    const secret = driver.secret.reveal()
    if (!secret.startsWith(secretPrefixes.webhook)) return unknown(`the secret does not begin with ${secretPrefixes.webhook}`)
    const cut = secret.slice(secretPrefixes.webhook.length)
    return refusing(driver, `signed without the ${secretPrefixes.webhook} of the secret`, [{ what: 'signed without the beginning of the secret', secret: cut }])
  },
}

/** What must not be taken for the service's. */
const refusedChecks: readonly Check[] = [
  {
    id: 'no_signature',
    title: 'Refuses a delivery without a signature',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'without a signature', [
        { what: 'no X-Svc-Signature', change: without },
        { what: 'X-Svc-Signature is v1= alone', change: withSignature(() => 'v1=') },
      ]),
  },
  {
    id: 'wrong_signature',
    title: 'Refuses a wrong signature',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'a wrong signature', [
        { what: 'the last digit of the signature changed', change: withSignature(otherDigit) },
        { what: 'the signature is all zeros', change: withSignature(() => `v1=${'0'.repeat(64)}`) },
      ]),
  },
  {
    id: 'wrong_secret',
    title: 'Refuses the signature of another secret',
    rule: 'HOOK-06',
    run: (driver) => refusing(driver, 'signed with another secret', [{ what: 'signed with another secret', secret: throwawaySecret().reveal() }]),
  },
  wholeSecretCheck,
  {
    id: 'changed_body',
    title: 'Refuses a body that was changed',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'a body that was changed after it was signed', [
        { what: 'a value of the body changed', change: withBody((text) => text.replace('250.00', '950.00')) },
        { what: 'a space added to the body', change: withBody((text) => text.replace('{', '{ ')) },
      ]),
  },
  {
    id: 'changed_timestamp',
    title: 'Refuses a timestamp that was changed',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'an old delivery with a new timestamp', [
        {
          what: 'signed with an old timestamp, sent with a new one',
          ageS: staleS,
          change: ({ headers, body }) => ({ body, headers: { ...headers, 'X-Svc-Timestamp': String(Number(headers['X-Svc-Timestamp']) + staleS) } }),
        },
      ]),
  },
  {
    id: 'stale',
    title: 'Refuses an old delivery',
    rule: 'HOOK-06',
    run: (driver) => refusing(driver, `signed ${staleS} s ago`, [{ what: `the timestamp is ${staleS} s old, rightly signed`, ageS: staleS }]),
  },
  {
    id: 'id_mismatch',
    title: 'Refuses a header id that is not the body’s',
    rule: 'HOOK-05',
    async run(driver) {
      const other = driver.event('order.filled').id
      // The header is not signed: with another one an old delivery could come as a new event.
      const what = 'X-Svc-Event-ID is not the id of the body'
      return refusing(driver, what, [{ what, change: ({ headers, body }) => ({ body, headers: { ...headers, 'X-Svc-Event-ID': other } }) }])
    },
  },
]

export interface ReceiverTestParts {
  readonly post: Post
  readonly clock: Clock
  readonly sleep: Sleep
  /** Unique, at most 90 characters. */
  readonly newId: () => string
}

export interface ReceiverTestRequest {
  readonly target: Target
  /** The host as somebody typed it; needed where `target.confirm` is not null. */
  readonly confirmHost: string | null
  readonly secret: Secret
  /** Whether the secret was made for this test. */
  readonly throwaway: boolean
  /** Where the receiver tells what it acted on. */
  readonly effects: ReadEffects | null
  readonly signal?: AbortSignal
  /** Called as each check ends. */
  readonly onCheck?: (check: CheckReport) => void
}

/** However slow the receiver is. */
const longestMs = 5 * minute
const notTaken = unknown('not tried: a valid delivery is not taken')

/** Judged once everything was sent. */
const inTime = { id: 'in_time', title: 'Answers within 4 s', rule: 'HOOK-08' }
const noRedirect = { id: 'redirect', title: 'Answers without a redirect', rule: 'HOOK-08' }
const actedOnce = { id: 'acted_once', title: 'Acts once on an event that comes twice', rule: 'HOOK-07' }
const notActed = { id: 'acted_on_forged', title: 'Does not act on what it refuses', rule: 'HOOK-06' }

/** Every check, in the order in which they end. */
export const plannedChecks: readonly Pick<CheckReport, 'id' | 'title'>[] = [
  ...[validCheck, ...takenChecks, ...refusedChecks],
  ...[inTime, noRedirect, actedOnce, notActed],
].map(({ id, title }) => ({ id, title }))

/**
 * Drives a receiver through what the document promises and threatens (HOOK-05 to HOOK-08), and judges it by what can be seen from outside.
 * null: the host is not confirmed, and nothing was sent. Takes a few seconds, at most 5 minutes.
 */
export async function testReceiver(parts: ReceiverTestParts, request: ReceiverTestRequest): Promise<ReceiverReport | null> {
  const { clock, sleep } = parts
  const { target, secret, effects, onCheck, signal = new AbortController().signal } = request
  if (!isConfirmed(target, request.confirmHost)) return null
  const startedAtMs = clock.now()
  const until = clock.monotonic() + longestMs
  const notes: Notes = { valid: [], forged: new Set(), doubled: new Set() }
  const checks: CheckReport[] = []
  let isWhole = true

  const isOver = () => signal.aborted || clock.monotonic() > until
  const conclude = ({ id, title, rule }: Omit<Check, 'run'>, { result, why }: Judged, exchanges: CheckReport['exchanges'] = []) => {
    const report = { id, title, rule, result, why, exchanges }
    checks.push(report)
    onCheck?.(report)
    return report
  }
  const stopped = () => {
    isWhole = false
    return unknown(signal.aborted ? 'stopped before its end' : 'not tried: the test had taken 5 minutes')
  }
  const run = async (check: Check) => {
    if (isOver()) return conclude(check, stopped())
    const driver = createDriver({ ...parts, url: target.url, secret, signal, notes })
    const judged = await check.run(driver)
    return conclude(check, signal.aborted ? stopped() : judged, driver.exchanges)
  }

  const first = await run(validCheck)
  // Where nothing is taken, that something is refused says nothing. One cause can be told: the receiver cut the secret.
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
    conclude(check, signal.aborted ? stopped() : judged.result === 'failed' ? judged : unknown('refused, as a valid delivery is'), driver.exchanges)
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

/** Judged over everything valid that was sent (HOOK-08). */
function judgeTime(valid: readonly Attempted[]): Judged {
  const late = valid.filter(({ answer }) => answer.outcome === 'late')
  if (late.length > 0) return failed(`${late.length} of ${valid.length} valid deliveries had no answer within 4 s`)
  const answered = valid.flatMap(({ answer }) => (answer.outcome === 'answered' ? [answer.ms] : []))
  return answered.length === 0 ? unknown('nothing was answered') : passed(`the slowest of ${answered.length} answers took ${Math.max(...answered)} ms`)
}

function judgeRedirects(valid: readonly Attempted[]): Judged {
  const redirects = valid.filter(isRedirect)
  const [first] = redirects
  if (first?.answer.outcome === 'answered')
    return failed(
      `${redirects.length} of ${valid.length} valid deliveries were answered ${first.answer.status}: no redirect is followed, so each counts as failed`,
    )
  return valid.some(({ answer }) => answer.outcome === 'answered') ? passed('no valid delivery was answered by a redirect') : unknown('nothing was answered')
}

interface EffectParts {
  readonly notes: Notes
  /** null: the receiver does not tell. */
  readonly read: ReadEffects | null
  readonly sleep: Sleep
  readonly signal: AbortSignal
}

const looks = 5

/** HOOK-07: what came twice, and what had to be refused, leaves no second and no first effect. */
async function judgeEffects({ notes, read, sleep, signal }: EffectParts): Promise<{ readonly doubled: Judged; readonly forged: Judged }> {
  const both = (judged: Judged) => ({ doubled: judged, forged: judged })
  if (read === null) return both(unknown('cannot be seen from outside; a receiver that tells its effects can be checked'))
  let acted: readonly string[] = []
  // It may act a moment after it has answered.
  for (let look = 0; look < looks; look += 1) {
    await sleep(second, signal)
    const told = await read(signal)
    if (!told.ok) return both(unknown(told.failure))
    const isSettled = acted.length === told.value.length && [...notes.doubled].every((id) => told.value.includes(id))
    acted = told.value
    if (isSettled || signal.aborted) break
  }
  const times = (id: string) => acted.filter((one) => one === id).length
  const twice = [...notes.doubled].filter((id) => times(id) > 1)
  const forged = [...notes.forged].filter((id) => times(id) > 0)
  const isOurs = notes.valid.some(({ event }) => times(event.id) > 0)
  if (!isOurs) return both(unknown('its effects name no event of this test'))
  return {
    doubled:
      twice.length === 0 ? passed(`${notes.doubled.size} events came twice; none had two effects`) : failed(`acted more than once on ${twice.join(', ')}`),
    forged:
      forged.length === 0 ? passed(`none of ${notes.forged.size} forged deliveries had an effect`) : failed(`acted on ${forged.length} forged deliveries`),
  }
}
