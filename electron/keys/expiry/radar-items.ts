import type { RadarItem } from '../../../shared/ipc/keys/radar.ts'
import type { SessionStatus } from '../../../shared/ipc/keys/session.ts'
import { sameAddress } from '../../../shared/signing/pins.ts'
import { shortAddress } from '../../../shared/signing/wording.ts'
import { day } from '../../../shared/time.ts'
import type { KeyFacts } from '../../service/credentials/credentials.ts'
import type { GrantEnd } from '../issuance/grant-ends.ts'

/** Days before an end at which a notice is given; 0 is the end itself. */
export const noticeDays = [30, 7, 1, 0] as const

/** What ended longer ago is of no more interest. */
const rememberedMs = 30 * day

export interface RadarFacts {
  readonly keys: readonly KeyFacts[]
  readonly endOf: (keyId: string) => GrantEnd | null
  /** null: there is none, or it cannot be read now. */
  readonly session: SessionStatus | null
  readonly nowMs: number
}

function levelOf(endsAtMs: number | null, nowMs: number): RadarItem['level'] {
  if (endsAtMs === null) return 'unknown'
  const left = endsAtMs - nowMs
  if (left <= 0) return 'ended'
  return left <= day ? 'day' : left <= 7 * day ? 'week' : left <= 30 * day ? 'month' : 'later'
}

type Ending = Omit<RadarItem, 'level' | 'endsAtMs'> & { readonly endsAtMs: number | null }

function keyItem({ keyId, label, status, createdAtMs, expiresAtMs }: KeyFacts, nowMs: number): Ending {
  const over = status === 'expired' || (expiresAtMs !== null && expiresAtMs <= nowMs)
  return {
    id: `key:${keyId}`,
    kind: 'key',
    keyId,
    title: label,
    madeAtMs: createdAtMs,
    endsAtMs: expiresAtMs,
    sure: expiresAtMs === null ? 'unknown' : 'exact',
    source: expiresAtMs === null ? 'The service did not say when it ends.' : 'As the service listed it last.',
    stops: 'Every call with this key: the bots that use it, and what this app reads and orders with it.',
    action: over ? { kind: 'show_key', label: 'Show', to: `/keys/${keyId}` } : { kind: 'extend', label: 'Extend', to: `/keys/${keyId}/extend` },
  }
}

/** null: the key has no agent that may act. */
function grantItem({ keyId, label, agent, createdAtMs, expiresAtMs }: KeyFacts, end: GrantEnd | null, nowMs: number): Ending | null {
  const told = end !== null && (agent === null || agent.address === null || sameAddress(agent.address, end.agent)) ? end : null
  // Without a grant only one that is over is of interest: the service may no longer call it granted.
  if (agent?.granted === false && (told === null || told.endsAtMs > nowMs)) return null
  if (agent === null && told === null) return null
  const address = told?.agent ?? agent?.address ?? null
  return {
    id: `grant:${keyId}`,
    kind: 'grant',
    keyId,
    title: `Agent of ${label}${address === null ? '' : `, ${shortAddress(address)}`}`,
    madeAtMs: createdAtMs,
    endsAtMs: told?.endsAtMs ?? expiresAtMs,
    sure: told !== null ? 'exact' : expiresAtMs === null ? 'unknown' : 'at_latest',
    source:
      told !== null
        ? 'As the grant that you signed here says.'
        : expiresAtMs === null
          ? 'It was signed elsewhere, and the key’s own end is not known.'
          : 'It was signed elsewhere; a grant does not outlive its key.',
    stops: 'The agent may no longer trade for you. The key itself goes on.',
    action: { kind: 'renew_grant', label: 'Renew', to: `/keys/${keyId}/grant` },
  }
}

const sessionItem = ({ expiresAtMs }: SessionStatus): Ending => ({
  id: 'sign_in',
  kind: 'sign_in',
  keyId: null,
  title: 'Your sign-in',
  madeAtMs: null,
  endsAtMs: expiresAtMs,
  sure: expiresAtMs === null ? 'unknown' : 'exact',
  source: 'As the service said when you signed in.',
  stops: 'Managing keys and webhooks. Trading goes on without it.',
  action: { kind: 'sign_in', label: 'Sign in again', to: '/sign-in' },
})

/** Everything of a wallet that ends by itself: soonest first, then what nobody can date. */
export function radarItems({ keys, endOf, session, nowMs }: RadarFacts): RadarItem[] {
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
