import type { Failure, InputIssue } from '../../../shared/ipc/failure.ts'
import type { LabRow, LabSettings, LabState } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, day, second } from '../../../shared/time.ts'
import { type Emit, throttleNotify } from '../../kernel/events.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { Vault } from '../../store/journal/journal.ts'
import { createSealedRecord } from '../../store/records/kept-record.ts'
import type { StoredLab } from '../../store/records/registry.ts'
import type { WebhookAccess } from '../subscriptions/webhook-parts.ts'
import { type Captures, createCaptures, type LabRecord } from './captures.ts'
import { isOwn, portOf } from './forwarder.ts'
import { type Lab, openLab } from './lab.ts'
import { eventDetail, eventRow, refusedDetail, refusedRow } from './lab-detail.ts'

export interface LabServiceDeps {
  /** The signing secrets of the profile. The lab passes them to no other part of the app. */
  readonly access: WebhookAccess
  /** Stores the lab's settings between runs. */
  readonly vault: Vault
  readonly profileId: string
  readonly clock: Clock
  readonly emit: Emit
}

export interface LabService {
  readonly handlers: HandlersOf<'lab'>
  /** The lab's captures, for the gap check. `null`: the lab was not opened in this run. */
  labRecord(): LabRecord | null
  /** The recent deliveries that the receiver did not accept; null if there are none. */
  failing(): { readonly webhookId: string; readonly url: string; readonly count: number } | null
  /** Stops listening and frees the lab's port. */
  stop(): void
  /** Resolves when the pending changes are done, for example when the port is free after `stop`. */
  settled(): Promise<void>
}

const queries = ['lab.state', 'lab.events', 'lab.event'] as const
/** Minimum time between two notifications to the windows during a flood of deliveries. */
const tellMs = 200

/** At most this many events count as recent: the newest ones of the last day. */
const mostRecent = 200
const refusals: ReadonlySet<LabRow['answer']['kind']> = new Set(['failed', 'given_up'])

const answerOf = ({ answer }: LabSettings) =>
  answer.kind === 'forwarded' ? ('forwarded' as const) : { status: answer.status, delayMs: answer.delayS * second }

/** The lab's state, which exists once the user has opened the lab with a webhook in this run. */
interface Opened {
  readonly webhookId: string
  readonly captures: Captures
  readonly spans: { readonly fromMs: number; toMs: number | null }[]
}

/**
 * The lab of one profile, which receives webhook deliveries on at most one port and keeps them in memory. It ends with the profile's workspace.
 * It also listens while the app is locked, because the user may be testing a bot meanwhile, but reveals captures only after the app is unlocked.
 * Its settings are stored. In the next run of the app, the lab listens only once the user starts it.
 */
export function createLabService({ access, vault, profileId, clock, emit }: LabServiceDeps): LabService {
  const kept = createSealedRecord(vault.labs, { profile: profileId })
  let chosen: StoredLab | null = null
  let opened: Opened | null = null
  let lab: Lab | null = null
  let astray: LabState['astray'] = null
  let ended = false
  const notifier = throttleNotify(() => emit({ type: 'invalidate', queries }), tellMs)

  // Run one change at a time, so that the previous one has already freed or opened the port.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work)
    turn = next.catch(() => undefined)
    return next
  }

  const recall = async (): Promise<StoredLab | null> => {
    const found = chosen ?? (await kept.read())
    // Ignore stored settings that are no longer valid, such as a forwarding URL that is not on this computer.
    if (found !== null && readForwardTo(found.settings).ok) chosen ??= found
    return chosen
  }
  const choose = (next: StoredLab): Promise<void> => {
    chosen = next
    return kept.keep(next)
  }

  const close = async (): Promise<void> => {
    const before = lab
    lab = null
    const span = opened?.spans.at(-1)
    if (span?.toMs === null) span.toMs = clock.now()
    await before?.close()
  }

  const open = async (settings: LabSettings): Promise<Result<{ url: string }, Failure>> => {
    const to = readForwardTo(settings)
    if (!to.ok) return to
    const webhook = access.list().find(({ webhookId }) => webhookId === settings.webhookId)
    if (webhook === undefined) return fail({ kind: 'not_found', what: 'secret' })
    const secret = await access.secretOf(settings.webhookId)
    if (!secret.ok) return secret
    if (secret.value === null) return fail({ kind: 'not_found', what: 'secret' })
    await close()
    if (ended) return fail({ kind: 'wrong_state', state: 'closed', wanted: 'open_profile' })
    const before = opened?.webhookId === settings.webhookId ? opened : null
    const captures = before?.captures ?? createCaptures()
    const next = { settings, webhookUrl: webhook.url }
    const listening = await openLab({
      secret: secret.value,
      port: settings.port,
      path: settings.path,
      hosts: [URL.parse(webhook.url)?.hostname ?? ''],
      to: to.value,
      answer: () => answerOf((chosen ?? next).settings),
      captures,
      heard: notifier.changed,
      astray: (path) => {
        astray = { path, atMs: clock.now() }
        notifier.changed()
      },
      changed: notifier.changed,
      clock,
    })
    if (!listening.ok) return fail(portFailure(settings.port, listening.failure))
    lab = listening.value
    astray = null
    const spans = before?.spans ?? []
    spans.push({ fromMs: clock.now(), toMs: null })
    opened = { webhookId: webhook.webhookId, captures, spans }
    const { url } = lab
    await choose(next)
    return ok({ url })
  }

  const urlOf = ({ port, path }: LabSettings): string => lab?.url ?? `http://127.0.0.1:${port}${path}`
  const state = (now: StoredLab | null): LabState => {
    const counts = opened?.captures.counts()
    const signed = access.list().some(({ webhookId }) => webhookId === now?.settings.webhookId)
    return {
      status: now === null ? 'closed' : lab === null ? 'paused' : 'listening',
      earlier: now !== null && opened === null,
      settings: now === null ? null : { ...now.settings, webhookUrl: now.webhookUrl, signed },
      url: now === null ? null : urlOf(now.settings),
      astray: lab === null ? null : astray,
      rows: opened === null ? 0 : rowCount(opened.captures),
      attempts: counts?.deliveries ?? 0,
      refused: counts?.refused ?? 0,
      dropped: (counts?.droppedEvents ?? 0) + (counts?.droppedUnverified ?? 0),
    }
  }

  return {
    failing: () => {
      if (opened === null || chosen === null) return null
      const { captures, webhookId } = opened
      const since = clock.now() - day
      const recent = captures.events(Math.max(0, captures.counts().events - mostRecent)).map(eventRow)
      const count = recent.filter(({ answer, marks }) => refusals.has(answer.kind) && (marks.at(-1)?.atMs ?? 0) > since).length
      return count === 0 ? null : { webhookId, url: chosen.webhookUrl, count }
    },
    labRecord: () => (opened === null ? null : { ...opened, spans: [...opened.spans] }),
    stop() {
      ended = true
      notifier.stop()
      void inTurn(close)
    },
    settled: async () => {
      await turn
    },
    handlers: {
      'lab.state': async () => ok(state(await recall())),
      'lab.events': ({ from, to }) =>
        ok(opened === null ? { total: 0, from, rows: [] } : { total: rowCount(opened.captures), from, rows: labRows(opened.captures, from, to) }),
      'lab.event': (subject) => {
        if (opened === null || chosen === null) return fail({ kind: 'not_found', what: 'delivery' })
        const { captures } = opened
        const { settings, webhookUrl } = chosen
        const signer = { id: settings.webhookId, url: webhookUrl }
        const url = settings.forwardTo ?? urlOf(settings)
        if (subject.kind === 'event') {
          const event = captures.event(subject.id)
          return event === null ? fail({ kind: 'not_found', what: 'delivery' }) : ok(eventDetail(event, signer, url))
        }
        const one = captures.unverified()[subject.number - 1 - captures.counts().droppedUnverified]
        return one === undefined ? fail({ kind: 'not_found', what: 'delivery' }) : ok(refusedDetail(one, subject.number, signer, url))
      },
      'lab.open': (settings) => inTurn(() => open(settings)),
      'lab.pause': () =>
        inTurn(async () => {
          await close()
          return ok({})
        }),
      'lab.resume': () =>
        inTurn(async () => {
          const last = await recall()
          return last === null ? fail({ kind: 'wrong_state', state: 'closed', wanted: 'paused' }) : open(last.settings)
        }),
      'lab.answer': (answer) =>
        inTurn(async () => {
          const last = await recall()
          if (last === null) return fail({ kind: 'wrong_state', state: 'closed', wanted: 'listening' })
          const settings = { ...last.settings, answer }
          const read = readForwardTo(settings)
          if (!read.ok) return read
          await choose({ ...last, settings })
          return ok({})
        }),
      'lab.clear': () => {
        opened?.captures.clear()
        opened?.spans.splice(0, Number.POSITIVE_INFINITY, ...(lab === null ? [] : [{ fromMs: clock.now(), toMs: null }]))
        return ok({})
      },
      'lab.resend': async ({ id }) => {
        if (lab === null || chosen?.settings.forwardTo == null) return fail({ kind: 'wrong_state', state: 'paused', wanted: 'forwarding' })
        return (await lab.resend(id)) ? ok({}) : fail({ kind: 'not_found', what: 'delivery' })
      },
    },
  }
}

const wrong = (field: keyof LabSettings, issue: InputIssue): Result<never, Failure> => fail({ kind: 'bad_input', field, issue })

/**
 * Checks the lab's settings and returns the URL to which the lab forwards verified deliveries; `null` if the user set none. Fails with `bad_input`
 * if the path or the URL is not allowed.
 */
function readForwardTo({ forwardTo, port, path, answer }: LabSettings): Result<URL | null, Failure> {
  if (!/^\/[!-~]*$/.test(path) || URL.parse(path, 'http://127.0.0.1')?.pathname !== path) return wrong('path', 'path_form')
  if (forwardTo === null) return answer.kind === 'forwarded' ? wrong('forwardTo', 'forward_needed') : ok(null)
  const url = URL.parse(forwardTo)
  if (url === null || !isOwn(url)) return wrong('forwardTo', 'own_url')
  if (portOf(url) === port) return wrong('forwardTo', `in_a_circle ${port}`)
  return ok(url)
}

function portFailure(port: number, code: string): Failure {
  return { kind: 'bad_input', field: 'port', issue: `port_refused ${port} ${code}` }
}

/** Binary search: returns the first index from 0 to `end` at which `holds` is true. `holds` must also be true at all later indexes. */
function firstOf(end: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const rowCount = (captures: Captures): number => {
  const { events, unverified } = captures.counts()
  return events + unverified
}

/**
 * Rows `from` to `to` of one list in order of time: events by `created_at`, refused deliveries by arrival. Builds only these rows, because the list
 * may be long.
 */
function labRows(captures: Captures, from: number, to: number): LabRow[] {
  const refused = captures.unverified()
  const { events: count, droppedUnverified } = captures.counts()
  const eventsUntil = (atMs: number) => firstOf(count, (index) => (captures.events(index, index + 1)[0]?.createdAt ?? 0) * second > atMs)
  const placeOf = (index: number) => index + eventsUntil(refused[index]?.atMs ?? 0)
  const end = Math.min(to, count + refused.length)
  const first = firstOf(refused.length, (index) => placeOf(index) >= from)
  const events = captures.events(from - first, Math.max(0, end - first))
  const rows: LabRow[] = []
  let [nextRefused, nextEvent] = [first, 0]
  for (let place = from; place < end; place += 1) {
    const one = refused[nextRefused]
    const event = events[nextEvent]
    if (one !== undefined && (event === undefined || placeOf(nextRefused) <= place)) {
      rows.push(refusedRow(one, droppedUnverified + nextRefused + 1))
      nextRefused += 1
    } else if (event !== undefined) {
      rows.push(eventRow(event))
      nextEvent += 1
    }
  }
  return rows
}
