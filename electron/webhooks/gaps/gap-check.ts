import type { Failure } from '../../../shared/ipc/failure.ts'
import type { GapCheck } from '../../../shared/ipc/webhooks/gaps.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import { everyEvent } from '../../../shared/webhooks/events.ts'
import type { SaveText } from '../../kernel/files/save-text.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { AccountReader, Subject } from '../../reads/history/account-reader.ts'
import type { HistoryBooks } from '../../reads/history/history-book.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { LabRecord } from '../lab/lab-record.ts'
import { answerOf } from './answer.ts'
import { capturedOf, keptFrom } from './captured-events.ts'
import { createExpecting } from './expecting.ts'
import { createHistoryReading, type Reading } from './history-reading.ts'
import { judge } from './judge.ts'
import { overtakenByList, ownIntents } from './own-intents.ts'
import { createSaveGaps } from './save-gaps.ts'
import { createStanding } from './standing.ts'
import { graceMs } from './unheard.ts'

interface Listing {
  readonly webhooks: readonly WebhookSummary[]
}

export interface GapCheckDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'intents' | 'transactions'>
  readonly markets: Pick<Markets, 'known'>
  readonly reader: Pick<AccountReader, 'subject'>
  /** New ones that have read nothing: after a reorganisation rows that were read before may be gone. */
  readonly freshBooks: () => HistoryBooks
  /** Fails where the connected wallet is not signed in. Asks nobody. */
  readonly signIn: () => Promise<Result<unknown, Failure>>
  /** The connected wallet's webhooks, as the service lists them. */
  readonly webhooks: () => Promise<Result<Listing, Failure>>
  /** null: the lab was not opened in this run. */
  readonly lab: () => LabRecord | null
  /** Looks where an intent's transactions stand now, however long ago it was final. */
  readonly lookAgain: (ref: string) => Promise<void>
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

/** History is read from so long before the lab first listened, so that what was captured then is not taken for something else. */
const marginMs = 10 * minute
/** Own intents that are looked at again for one reading, the newest first. */
const mostOvertaken = 20

/** Holds what the account's own history says must have been sent against what the lab captured. */
export function createGapCheck({
  profile,
  journal,
  markets,
  reader,
  freshBooks,
  signIn,
  webhooks,
  lab,
  lookAgain,
  saveText,
  clock,
}: GapCheckDeps): Handlers<'gaps.check' | 'gaps.renew' | 'gaps.save'> {
  const history = createHistoryReading({ freshBooks, clock })
  const expecting = createExpecting(markets)
  const standing = createStanding()

  let listed: { readonly for: Reading; readonly listing: Listing } | null = null

  /** The webhook that the lab listens for, listed as often as the history is read; null: none that is known here. */
  const webhookOf = async ({ webhookId }: LabRecord, reading: Reading): Promise<Result<WebhookSummary | null, Failure>> => {
    if (webhookId === null) return ok(null)
    const find = (listing: Listing | undefined) => listing?.webhooks.find(({ id }) => id === webhookId)
    const kept = listed?.for === reading ? find(listed.listing) : undefined
    if (kept !== undefined) return ok(kept)
    const listing = await webhooks()
    if (!listing.ok) return listing
    listed = { for: reading, listing: listing.value }
    const webhook = find(listing.value)
    return webhook === undefined ? fail({ kind: 'not_found', what: 'webhook' }) : ok(webhook)
  }

  const judgeAt = async (record: LabRecord, subject: Subject, sinceMs: number, notBeforeMs: number) => {
    const { intents, own } = ownIntents(journal, { profileId: profile.id, wallet: subject.wallet }, sinceMs)
    const takenBack = own.flatMap((one) => one.takenBack)
    const captured = capturedOf(record)
    const read = await history.read(subject, {
      ...{ sinceMs, notBeforeMs },
      changes: own.map(({ intent, transactions }) => [intent.ref, intent.state, ...transactions.map(({ state }) => state)].join()).join(' '),
      reorganisations: [...takenBack.map(({ key }) => key), captured.filter(({ isCorrection }) => isCorrection).length].join(),
    })
    if (!read.ok) return read
    const reading = read.value
    const listing = await webhookOf(record, reading)
    if (!listing.ok) return listing
    const webhook = listing.value
    const isSubscribed = (type: string) => webhook?.events == null || webhook.events.includes(everyEvent) || webhook.events.includes(type)
    const nowMs = clock.now()
    const expected = expecting({ reading, sinceMs, intents, own }).filter(({ types }) => types.every(isSubscribed))
    const { askedMs, readMs } = reading
    const look = {
      ...{ of: `${subject.wallet} ${reading.source.route}`, sinceMs, askedMs, readMs, expected },
      captured: new Set(captured.map(({ id }) => id)),
    }
    const judged = judge({
      ...{ captured, nowMs, takenBack, isSubscribed, subscribedMs: webhook?.createdAtMs ?? null, keptFromMs: keptFrom(record), expected },
      goneSince: (found) => standing.look({ ...look, found }),
      listened: record.spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? nowMs })),
      eventsUnknown: webhook !== null && webhook.events === null,
      isDisabled: webhook?.status === 'disabled',
    })
    const overtaken = [...new Set([...judged.overtaken, ...overtakenByList(own, reading)])].slice(0, mostOvertaken)
    return ok({ judged, captured, webhook, spans: record.spans, reading, isSubscribed, overtaken })
  }

  let lookedFor: Reading | null = null
  /** Where an own intent is overtaken by what the service tells, the app looks at it again, once for each reading. */
  const judgeAnew: typeof judgeAt = async (...of) => {
    const judged = await judgeAt(...of)
    if (!judged.ok || judged.value.overtaken.length === 0 || judged.value.reading === lookedFor) return judged
    lookedFor = judged.value.reading
    await Promise.allSettled(judged.value.overtaken.map(lookAgain))
    return judgeAt(...of)
  }

  /** Nothing is called missing by a history that was read while it could still come: it may be gone from it by now. */
  const judgeSurely = async (record: LabRecord, subject: Subject, sinceMs: number) => {
    const first = await judgeAnew(record, subject, sinceMs, 0)
    if (!first.ok) return first
    const { judged, reading } = first.value
    const overMs = Math.max(0, ...judged.rows.filter(({ result }) => result === 'missing').map(({ expected }) => expected.toMs + graceMs))
    return overMs <= reading.askedMs ? first : judgeAnew(record, subject, sinceMs, overMs)
  }

  const check = async (givenSinceMs: number | null): Promise<Result<GapCheck, Failure>> => {
    const record = lab()
    const [first] = record?.spans ?? []
    if (record === null || first === undefined) return ok({ kind: 'never_opened' })
    const subject = reader.subject(null)
    if (!subject.ok) return subject
    const signedIn = record.webhookId === null ? ok(null) : await signIn()
    if (!signedIn.ok) return signedIn
    const openedMs = record.spans.reduce((earliest, { fromMs }) => Math.min(earliest, fromMs), first.fromMs)
    const judged = await judgeSurely(record, subject.value, openedMs - marginMs)
    return judged.ok ? ok(answerOf({ ...judged.value, fromMs: givenSinceMs ?? openedMs })) : judged
  }

  return {
    'gaps.check': ({ sinceMs }) => check(sinceMs),
    'gaps.renew': () => {
      history.forget()
      return ok({})
    },
    'gaps.save': createSaveGaps({ check, saveText, clock }),
  }
}
