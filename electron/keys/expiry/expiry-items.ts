import type { Notice } from '../../../shared/ipc/host/notices.ts'
import type { ExpiryItem } from '../../../shared/ipc/keys/expiry.ts'
import type { SessionStatus } from '../../../shared/ipc/keys/session.ts'
import { sameAddress } from '../../../shared/signing/trust.ts'
import { day, hour } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { KeyFacts } from '../../service/credentials/credentials.ts'
import type { GrantEnd } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'

/** On which days before an item, such as a key or a grant, expires, the app notifies the user. 0: at the moment of expiry. */
export const noticeDays = [30, 7, 1, 0] as const

/** How long (ms) after its expiry the list still shows an item. */
const rememberedMs = 30 * day

export interface ExpiryFacts {
  readonly keys: readonly KeyFacts[]
  readonly endOf: (keyId: string) => GrantEnd | null
  /** The state of the sign-in. null if there is no sign-in, or if the keychain cannot be read now. */
  readonly session: SessionStatus | null
  readonly nowMs: number
}

function levelOf(endsAtMs: number | null, nowMs: number): ExpiryItem['level'] {
  if (endsAtMs === null) return 'unknown'
  const left = endsAtMs - nowMs
  if (left <= 0) return 'ended'
  return left <= day ? 'day' : left <= 7 * day ? 'week' : left <= 30 * day ? 'month' : 'later'
}

type Ending = Omit<ExpiryItem, 'level' | 'endsAtMs'> & { readonly endsAtMs: number | null }

function keyItem({ keyId, label, status, createdAtMs, expiresAtMs }: KeyFacts, nowMs: number): Ending {
  const over = status === 'expired' || (expiresAtMs !== null && expiresAtMs <= nowMs)
  return {
    id: `key:${keyId}`,
    kind: 'key',
    keyId,
    label,
    agent: null,
    madeAtMs: createdAtMs,
    endsAtMs: expiresAtMs,
    sure: expiresAtMs === null ? 'unknown' : 'exact',
    source: expiresAtMs === null ? 'untold' : 'listed',
    action: over ? { kind: 'show_key', to: `/keys/${keyId}` } : { kind: 'extend', to: `/keys/${keyId}/extend` },
  }
}

/** Returns the list item for the expiry of a key's grant. null if the key has no agent, or if its agent has no active grant. */
function grantItem({ keyId, label, agent, createdAtMs, expiresAtMs }: KeyFacts, end: GrantEnd | null, nowMs: number): Ending | null {
  const signed = end !== null && (agent === null || agent.address === null || sameAddress(agent.address, end.agent)) ? end : null
  // The service reports no active grant. List the grant only if it has passed its known end date, as expired.
  if (agent?.granted === false && (signed === null || signed.endsAtMs > nowMs)) return null
  if (agent === null && signed === null) return null
  return {
    id: `grant:${keyId}`,
    kind: 'grant',
    keyId,
    label,
    agent: signed?.agent ?? agent?.address ?? null,
    madeAtMs: createdAtMs,
    endsAtMs: signed?.endsAtMs ?? expiresAtMs,
    sure: signed !== null ? 'exact' : expiresAtMs === null ? 'unknown' : 'at_latest',
    source: signed !== null ? 'signed_here' : expiresAtMs === null ? 'signed_elsewhere_endless' : 'signed_elsewhere',
    action: { kind: 'renew_grant', to: `/keys/${keyId}/grant` },
  }
}

const sessionItem = ({ expiresAtMs }: SessionStatus): Ending => ({
  id: 'sign_in',
  kind: 'sign_in',
  keyId: null,
  label: '',
  agent: null,
  madeAtMs: null,
  endsAtMs: expiresAtMs,
  sure: expiresAtMs === null ? 'unknown' : 'exact',
  source: 'sign_in',
  action: { kind: 'sign_in', to: '/sign-in' },
})

/** Lists everything of a wallet that can expire: sign-in, keys and grants. Sorted by expiry, soonest first; unknown dates come last. */
export function expiryItems({ keys, endOf, session, nowMs }: ExpiryFacts): ExpiryItem[] {
  const living = keys.filter(({ status }) => status !== 'revoked')
  const endings: (Ending | null)[] = [
    session === null || session.state === 'none' ? null : sessionItem(session),
    ...living.map((key) => keyItem(key, nowMs)),
    ...living
      .filter(({ status, expiresAtMs }) => status !== 'expired' && (expiresAtMs === null || expiresAtMs > nowMs))
      .map((key) => grantItem(key, endOf(key.keyId), nowMs)),
  ]
  return endings
    .filter((item) => item !== null)
    .map((item) => ({ ...item, level: levelOf(item.endsAtMs, nowMs) }))
    .filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs - rememberedMs)
    .sort((a, b) => (a.endsAtMs ?? Number.POSITIVE_INFINITY) - (b.endsAtMs ?? Number.POSITIVE_INFINITY) || a.id.localeCompare(b.id))
}

interface ExpiryNotices {
  /**
   * Notifies the user once for each notice day (`noticeDays`) that an item has reached since the last call. Saves the notice before showing it, so
   * that the app does not show it again after a restart.
   */
  look(items: readonly ExpiryItem[], nowMs: number): void
}

interface Due {
  readonly item: ExpiryItem
  readonly endsAtMs: number
  readonly days: number
}

const namesShown = 3

/**
 * The most recent notice day (see `noticeDays`) that the item has reached; null if it has reached none. A notice day applies only if the item’s
 * whole lifetime is longer: a key created for 30 days gets no notice 30 days before its end.
 */
const markOf = (leftMs: number, lifeMs: number | null): number | null =>
  noticeDays.findLast((days) => leftMs <= days * day && (lifeMs === null || lifeMs > days * day + hour)) ?? null

const namedIn = ({ kind, label, agent }: ExpiryItem) => ({ kind, label, agent })

function noticeOf(due: readonly Due[], nowMs: number): { severity: 'warn' | 'danger'; notice: Notice; to: string } {
  const severity = due.some(({ days }) => days <= 1) ? 'danger' : 'warn'
  const [first] = due
  if (due.length === 1 && first !== undefined) {
    const { item, endsAtMs } = first
    return { severity, notice: { code: 'end', item: namedIn(item), leftMs: endsAtMs - nowMs }, to: item.action?.to ?? '/keys' }
  }
  const items = due.slice(0, namesShown).map(({ item }) => namedIn(item))
  const over = due.filter(({ endsAtMs }) => endsAtMs <= nowMs).length
  return {
    severity,
    notice: { code: 'ends', count: due.length, allOver: over === due.length, items },
    to: '/keys/expiry',
  }
}

export function createExpiryNotices({
  profile,
  records,
  emit,
}: {
  readonly profile: ProfileFacts
  readonly records: Records
  readonly emit: Emit
}): ExpiryNotices {
  const { endNotices } = records
  const keyOf = (id: string) => ({ profile: profile.id, id })
  const notifiedOf = (id: string) => endNotices.read(keyOf(id))

  return {
    look: (items, nowMs) => {
      const due = items.flatMap((item): Due[] => {
        const { id, madeAtMs, endsAtMs, sure, kind } = item
        // Sign-ins have their own expiry watch. A grant without an exact end ends at the latest with its key, and the notice about the key covers
        // it.
        if (endsAtMs === null || sure !== 'exact' || kind === 'sign_in') return []
        const days = markOf(endsAtMs - nowMs, madeAtMs === null ? null : endsAtMs - madeAtMs)
        const notified = notifiedOf(id)
        if (days === null || (notified?.endsAtMs === endsAtMs && notified.days <= days)) return []
        return [{ item, endsAtMs, days }]
      })
      if (due.length === 0) return
      // Record every due notice as sent. But show none about an item that expired more than a day before the app first saw it.
      const news = due.filter(({ item, endsAtMs }) => nowMs - endsAtMs < day || notifiedOf(item.id)?.endsAtMs === endsAtMs)
      for (const { item, endsAtMs, days } of due) endNotices.write(keyOf(item.id), { endsAtMs, days })
      if (news.length > 0) emit({ type: 'notice', ...noticeOf(news, nowMs), system: 'away' })
      emit({ type: 'invalidate', queries: ['expiry.list', 'app.attention'] })
    },
  }
}
