import { isClockFar } from '../../shared/attention.ts'
import type { Attention, Health, ListedAttention } from '../../shared/ipc/host/app.ts'
import type { Notice } from '../../shared/ipc/host/notices.ts'
import type { ServiceChange } from '../../shared/ipc/host/service.ts'
import type { SessionStatus } from '../../shared/ipc/keys/session.ts'
import { fail, ok } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { Emit } from '../kernel/events.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import type { Handlers } from '../kernel/handlers.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { HealthWatch } from '../reads/activity/activity.ts'
import type { Credentials } from '../service/credentials/credentials.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { IntentRow, Journal } from '../store/journal/journal.ts'
import type { StoredDraft } from '../store/records/key-records.ts'
import type { WalletReport } from '../wallet/connection/wallet.ts'
import type { Snoozes } from './snoozes.ts'

export interface AttentionDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly credentials: Credentials
  readonly api: Pick<ApiClient, 'clockOffsetMs'>
  readonly session: { status(): Promise<SessionStatus> }
  readonly health: HealthWatch
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly draftOf: (wallet: string) => StoredDraft | null
  /** More attention rows about the wallet, from other areas of the app. */
  readonly more: (wallet: string) => Attention[]
  /** The wallet's webhooks whose deliveries fail. Must be fast, because it is called every second. */
  readonly failing: (wallet: string) => Attention[]
  /** The differences between the facts that the service publishes and those that the app expects. */
  readonly changes: () => { readonly drifts: readonly ServiceChange[]; readonly agreed: boolean }
  readonly snoozes: Snoozes
  readonly emit: Emit
  readonly clock: Clock
}

const severities = ['danger', 'warn', 'info'] as const
/**
 * The order of items of the same severity, most harmful first. The first kinds endanger money or block exits (cancel, close, revoke). The last kinds
 * can wait.
 */
const byHarm: readonly Attention['kind'][] = [
  ...(['unknown_intent', 'unsent_signature', 'bulk_action_unfinished', 'revoke_all_unfinished', 'service_down', 'keychain', 'journal_rebuilt'] as const),
  ...(['orphan_key', 'orphan_webhook', 'unstored_key', 'unstored_webhook', 'fleet_left', 'key_expiring', 'grant_expiring', 'grant_unknown'] as const),
  ...([
    'replacement_stuck',
    'replacement_due',
    'fleet_waits',
    'fleet_due',
    'webhook_failing',
    'service_changed',
    'sign_in_ending',
    'sign_in_required',
    'clock',
  ] as const),
  ...(['keep_draft', 'no_key'] as const),
]
const endless = Number.POSITIVE_INFINITY

/** The notice about an item that has just appeared; `null` for kinds whose notice another part of the app shows. */
function noticeOf(item: Attention): Notice | null {
  switch (item.kind) {
    case 'service_down':
      return { code: 'service_down', how: item.how }
    case 'service_changed':
      return item.agreed ? null : { code: 'service_changed' }
    case 'webhook_failing':
      return { code: 'webhook_failing', label: item.label, why: item.why }
    default:
      return null
  }
}

interface AttentionList {
  /**
   * Looks for changes that no call or answer reveals: the exchange's health, the clock, changes of the service, failing webhooks and ended snoozes.
   * After a change, the windows read health and list together, so that the banner and the list never differ. Call every second.
   */
  watch(): void
  readonly handlers: Handlers<'app.health' | 'app.attention' | 'app.snooze' | 'app.wake'>
}

/**
 * The list of everything that needs the user, most harmful first. The overview, the badges and the notices all use this list. Reads only data on
 * this computer.
 */
export function createAttention(deps: AttentionDeps): AttentionList {
  const { profile, journal, credentials, api, session, health, wallet: report, draftOf, snoozes, emit, clock } = deps
  /** The items that `watch` found at its last call, by ID. */
  let before = new Map<string, string>()

  // If the profile refuses the connected account, list nothing about that account. The window shows the refusal.
  const shownWallet = (): string | null => {
    const whose = report.shown()
    return whose.ok ? whose.value : null
  }

  /** The items that may appear or disappear although the app gets no call and no answer. */
  const ofNow = (wallet: string | null, now: number): Attention[] => [
    ...outageAttention(health.outage()),
    ...changesAttention(deps.changes(), now),
    ...clockAttention(api.clockOffsetMs(), now),
    ...(wallet === null ? [] : deps.failing(wallet)),
  ]

  const watch = (): void => {
    const items = ofNow(shownWallet(), clock.now())
    const now = new Map(items.map((item) => [item.id, JSON.stringify([item.severity, item.kind, 'count' in item && item.count, 'how' in item && item.how])]))
    const isSame = now.size === before.size && [...now].every(([id, look]) => before.get(id) === look)
    const appeared = items.filter(({ id }) => !before.has(id))
    before = now
    if (isSame && !snoozes.isOneOver()) return
    for (const item of appeared) {
      const notice = noticeOf(item)
      // A failing webhook stops a bot, and the user may not be looking at the app. So the system shows this notice too.
      if (notice !== null)
        emit({ type: 'notice', severity: item.severity, notice, to: item.to, quiet: true, ...(item.kind === 'webhook_failing' && { system: 'away' }) })
    }
    emit({ type: 'invalidate', queries: ['app.health', 'app.attention'] })
  }

  const list = async (wallet: string | null): Promise<Attention[]> => {
    const now = clock.now()
    const [status, { keychain }] = await Promise.all([signInStatus(), health.read()])
    const rows = [
      ...ofIntents(journal.intents.open(profile.id).filter((row) => row.wallet === wallet)),
      ...(status === null ? [] : ofSignIn(status, now)),
      ...(wallet === null ? [] : [...ofKeys(wallet, now), ...deps.more(wallet)]),
      ...ofNow(wallet, now),
      ...ofComputer(keychain, now),
    ]
    return rows.sort(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        byHarm.indexOf(a.kind) - byHarm.indexOf(b.kind) ||
        (a.untilMs ?? endless) - (b.untilMs ?? endless) ||
        b.atMs - a.atMs,
    )
  }

  const listed = async (): Promise<ListedAttention[]> => {
    const wallet = shownWallet()
    return snoozes.applied(wallet, await list(wallet))
  }

  return {
    watch,
    handlers: {
      'app.health': async () => {
        const read = await health.read()
        watch()
        return ok(read)
      },
      'app.attention': async () => {
        const rows = await listed()
        watch()
        return ok(rows)
      },
      'app.snooze': async ({ id, length }) => {
        const wallet = shownWallet()
        const item = (await list(wallet)).find((one) => one.id === id)
        // The item may have disappeared since the window listed it. Then there is nothing to snooze.
        if (item === undefined) return ok({})
        return snoozes.snooze(wallet, item, length) ? ok({}) : fail({ kind: 'wrong_state', state: item.kind, wanted: 'snoozable' })
      },
      'app.wake': ({ id }) => {
        snoozes.wake(shownWallet(), id)
        return ok({})
      },
    },
  }

  /**
   * Returns the status of the sign-in. `null` if the keychain, which stores the sign-in, is unavailable. The attention list has a separate item
   * for an unavailable keychain.
   */
  async function signInStatus(): Promise<SessionStatus | null> {
    try {
      return await session.status()
    } catch (error) {
      if (error instanceof ExpectedFailure) return null
      throw error
    }
  }

  function ofIntents(intents: readonly IntentRow[]): Attention[] {
    return intents.flatMap((row): Attention[] => {
      const of = { atMs: row.updatedAtMs, untilMs: row.deadlineMs }
      const to = `/activity/${row.ref}`
      if (row.state === 'UNKNOWN')
        return [
          {
            ...of,
            id: `unknown:${row.ref}`,
            kind: 'unknown_intent',
            severity: 'danger',
            title: row.title,
            reason: row.reason,
            to,
          },
        ]
      if (row.state === 'SIGNED')
        return [
          {
            ...of,
            id: `unsent:${row.ref}`,
            kind: 'unsent_signature',
            severity: 'warn',
            title: row.title,
            to,
          },
        ]
      return []
    })
  }

  function ofKeys(wallet: string, now: number): Attention[] {
    const found: Attention[] = []
    const operations = journal.secretOperations
      .unsettled(profile.id)
      .filter((row) => row.wallet === wallet && row.state === 'UNKNOWN' && (row.kind === 'create' || row.kind === 'rotate'))
    for (const row of operations)
      found.push({
        id: `orphan:${row.id}`,
        kind: 'orphan_key',
        severity: 'danger',
        label: row.label,
        operation: row.kind === 'create' ? 'create' : 'rotate',
        to: '/keys',
        atMs: row.updatedAtMs,
        untilMs: null,
      })
    for (const held of credentials.inMemory().filter((entry) => entry.wallet === wallet))
      found.push({
        id: `unstored:${held.keyId}`,
        kind: 'unstored_key',
        severity: 'danger',
        label: held.label,
        to: `/keys/${held.keyId}`,
        atMs: now,
        untilMs: null,
      })
    const draft = draftOf(wallet)
    if (draft !== null)
      found.push({
        id: `draft:${draft.id}`,
        kind: 'keep_draft',
        severity: 'info',
        label: draft.request.label,
        unknown: draft.state === 'unknown',
        to: '/keys/new',
        atMs: draft.preparedAtMs,
        untilMs: draft.expiresAtMs,
      })
    else if (credentials.inUse(wallet) === null && operations.length === 0)
      found.push({
        id: 'no-key',
        kind: 'no_key',
        severity: 'info',
        to: '/keys/new',
        atMs: now,
        untilMs: null,
      })
    return found
  }

  function ofSignIn({ state, wallet, expiresAtMs }: SessionStatus, now: number): Attention[] {
    if (wallet === null || state === 'active') return []
    const common = { id: 'sign-in', to: '/sign-in', atMs: now }
    return state === 'ending'
      ? [{ ...common, kind: 'sign_in_ending', severity: 'warn', untilMs: expiresAtMs }]
      : [{ ...common, kind: 'sign_in_required', severity: state === 'ended' ? 'warn' : 'info', ended: state === 'ended', untilMs: null }]
  }

  function ofComputer(keychain: 'ready' | 'locked' | 'unavailable' | 'unknown', now: number): Attention[] {
    const found: Attention[] = []
    if (keychain === 'locked' || keychain === 'unavailable')
      found.push({
        id: 'keychain',
        kind: 'keychain',
        severity: 'danger',
        state: keychain,
        noProfile: false,
        to: '/settings',
        atMs: now,
        untilMs: null,
      })
    if (journal.state() === 'rebuilt')
      found.push({
        id: 'journal',
        kind: 'journal_rebuilt',
        severity: 'danger',
        what: 'set_aside',
        names: [],
        to: '/settings/about',
        atMs: now,
        untilMs: null,
      })
    const unreadable = journal.unreadable()
    if (unreadable.length > 0)
      found.push({
        id: 'journal-unreadable',
        kind: 'journal_rebuilt',
        severity: 'danger',
        what: 'unreadable',
        names: [...unreadable],
        to: '/activity',
        atMs: now,
        untilMs: null,
      })
    return found
  }
}

function outageAttention(outage: Health['outage']): Attention[] {
  if (outage === null) return []
  return [
    {
      id: 'service-down',
      kind: 'service_down',
      severity: 'danger',
      how: outage.how,
      to: '/settings/service',
      atMs: outage.sinceMs,
      untilMs: null,
    },
  ]
}

function changesAttention({ drifts, agreed }: ReturnType<AttentionDeps['changes']>, nowMs: number): Attention[] {
  if (drifts.length === 0) return []
  return [
    {
      id: 'service-changed',
      kind: 'service_changed',
      severity: agreed ? 'info' : 'warn',
      changes: [...drifts],
      agreed,
      to: '/settings/service',
      atMs: nowMs,
      untilMs: null,
    },
  ]
}

/** `offsetMs`: how far the service's clock is ahead of this computer's, in ms; null if unknown. */
function clockAttention(offsetMs: number | null, nowMs: number): Attention[] {
  if (offsetMs === null || !isClockFar(offsetMs)) return []
  return [
    {
      id: 'clock',
      kind: 'clock',
      severity: 'warn',
      offsetMs,
      to: '/settings/about',
      atMs: nowMs,
      untilMs: null,
    },
  ]
}
