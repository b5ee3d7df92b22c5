import { isClockFar } from '../../shared/clock-difference.ts'
import type { Attention, Health } from '../../shared/ipc/host/app.ts'
import type { SessionStatus } from '../../shared/ipc/keys/session.ts'
import { type Clock, day } from '../../shared/time.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { HealthWatch } from '../reads/activity/activity.ts'
import type { Credentials } from '../service/credentials/credentials.ts'
import type { ApiClient } from '../service/transport/api-client.ts'
import type { IntentRow, Journal } from '../store/journal/journal.ts'
import type { StoredDraft } from '../store/records/key-records.ts'
import type { WalletReport } from '../wallet/connection/wallet.ts'

export interface AttentionDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly credentials: Credentials
  readonly api: Pick<ApiClient, 'serviceChange' | 'clockOffsetMs'>
  readonly session: { status(): Promise<SessionStatus> }
  readonly health: HealthWatch
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly draftOf: (wallet: string) => StoredDraft | null
  /** More attention rows about the wallet, from other areas of the app. */
  readonly more: (wallet: string) => Attention[]
  readonly clock: Clock
}

/** A key is listed this long before it expires. */
const keyEndingMs = 14 * day

/** If a key expires within this time, its row in the attention list gets the highest severity. */
const keyDangerMs = day

const severities = ['danger', 'warn', 'info'] as const
const endless = Number.POSITIVE_INFINITY

/** The rows about what needs the user's attention, most severe first. Reads only this computer's data and never calls the service. */
export function createAttention(deps: AttentionDeps) {
  const { profile, journal, credentials, api, session, health, wallet: report, draftOf, clock } = deps

  return async (): Promise<Attention[]> => {
    const now = clock.now()
    const [status, state] = await Promise.all([signInStatus(), health.read()])
    // If the profile refuses the connected account, list no rows for it. The window reports the refusal itself.
    const whose = report.shown()
    const wallet = whose.ok ? whose.value : null
    const rows = [
      ...ofIntents(journal.intents.open(profile.id).filter((row) => row.wallet === wallet)),
      ...(status === null ? [] : ofSignIn(status, now)),
      ...(wallet === null ? [] : [...ofKeys(wallet, now), ...deps.more(wallet)]),
      ...outageAttention(state.outage),
      ...ofComputer(state.keychain, now),
      ...clockAttention(api.clockOffsetMs(), now),
    ]
    return rows.sort(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.untilMs ?? endless) - (b.untilMs ?? endless) || b.atMs - a.atMs,
    )
  }

  /** `null` if the keychain, which stores the sign-in, is unavailable. The keychain's problem is listed as a separate row. */
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
    const here = new Set(journal.secretIndex.list(profile.id).map(({ keyId }) => keyId))
    // A bot elsewhere may use a key whose secret was never here, so every active key of the wallet counts until it ends.
    for (const { keyId, label, status, expiresAtMs } of credentials.known(wallet)) {
      if (status !== 'active' || expiresAtMs === null || expiresAtMs - now > keyEndingMs) continue
      const over = expiresAtMs <= now
      if (over && !here.has(keyId)) continue
      found.push({
        id: `expiring:${keyId}`,
        kind: 'key_expiring',
        severity: !over && expiresAtMs - now <= keyDangerMs ? 'danger' : 'warn',
        label,
        over,
        to: `/keys/${keyId}`,
        atMs: now,
        untilMs: expiresAtMs,
      })
    }
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
      : [{ ...common, kind: 'sign_in_required', severity: 'info', ended: state === 'ended', untilMs: null }]
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
    const drift = api.serviceChange()
    if (drift !== null)
      found.push({
        id: 'drift',
        kind: 'schema_drift',
        severity: 'warn',
        apiVersion: drift.apiVersion,
        schema: drift.schema,
        to: '/settings/service',
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

/** `offsetMs`: service clock minus this computer's clock, ms; null if unknown. */
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
