import { redactText } from '../../../shared/api/redact.ts'
import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { ExpiryItem } from '../../../shared/ipc/keys/expiry.ts'
import type { SessionStatus } from '../../../shared/ipc/keys/session.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { ok } from '../../../shared/result.ts'
import { expiryReminder } from '../../../shared/text/expiry-text.ts'
import { day, minute } from '../../../shared/time.ts'
import type { Emit, Every } from '../../kernel/events.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { dialogWords, fileKind } from '../../kernel/files/dialog-words.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { GrantEnds } from '../issuance/grant-check.ts'
import { createExpiryNotices, expiryItems, noticeDays } from './expiry-items.ts'

export interface ExpiryListDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'records' | 'secretOperations'>
  readonly credentials: Pick<Credentials, 'known' | 'listedAtMs' | 'whereIs'>
  readonly ends: GrantEnds
  readonly wallet: WalletReport
  readonly session: { status(): Promise<SessionStatus> }
  readonly saveText: SaveText
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly every: Every
}

export interface ExpiryList {
  /** The wallet's keys and grants that need the user's attention. */
  attention(wallet: string): Attention[]
  /** Starts to check the clock every minute. Items have no timers of their own, so the app also notices what expired while the computer slept. */
  start(): void
  stop(): void
  readonly handlers: HandlersOf<'expiry'>
}

const lookEveryMs = minute

type Ending = ExpiryItem & { readonly endsAtMs: number }
/** A key or grant needs attention from this time (ms) before its end. */
const endingMs = 14 * day
/** If a key expires within this time (ms), the app shows its most severe warning, because the bots that use the key stop soon. */
const dangerMs = day
const reminders = noticeDays.filter((days) => days > 0)

/**
 * Lists when the sign-in, keys and grants expire, and notifies the user on the notice days. Makes no request; it uses the lists that the app last
 * read.
 */
export function createExpiryList(deps: ExpiryListDeps): ExpiryList {
  const { profile, journal, credentials, ends, wallet, session, saveText, clock, every, emit } = deps
  const notices = createExpiryNotices({ profile, records: journal.records, emit })
  let stop: (() => void) | null = null
  let listed = '[]'

  const items = (address: string, signIn: SessionStatus | null): ExpiryItem[] =>
    expiryItems({ keys: credentials.known(address), endOf: ends.of, session: signIn, nowMs: clock.now() })

  /** The state of the sign-in. null while the keychain is unavailable, because the app needs the keychain to decrypt the sign-in. */
  const signInStatus = async (): Promise<SessionStatus | null> => {
    try {
      return await session.status()
    } catch (error) {
      if (error instanceof ExpectedFailure) return null
      throw error
    }
  }

  const look = (): void => {
    const whose = wallet.shown()
    // Until the service has sent its time, the app knows only the computer’s clock. A wrong clock could trigger notices about dates that are far
    // away.
    if (!whose.ok || whose.value === null || !clock.known()) return
    notices.look(items(whose.value, null), clock.now())
    const look = JSON.stringify(attention(whose.value).map(({ id, severity, ...item }) => [id, severity, 'over' in item && item.over]))
    if (look !== listed) emit({ type: 'invalidate', queries: ['app.attention'] })
    listed = look
  }

  const eventOf = (item: ExpiryItem): CalendarEvent | null => {
    if (item.endsAtMs === null) return null
    const { title, text } = inUserLanguage(() => expiryReminder(item))
    return {
      uid: `${item.id.replace(/[^A-Za-z0-9._-]/g, '-')}.${profile.id}@svc-desk.example`,
      atMs: item.endsAtMs,
      summary: redactText(title),
      description: redactText(text),
      reminderDays: reminders,
    }
  }

  const unknownGrants = (address: string): Attention[] =>
    journal.secretOperations
      .unsettled(profile.id)
      .filter((row) => row.wallet === address && row.kind === 'grant' && row.state === 'UNKNOWN')
      .map(({ id, keyId, label, updatedAtMs }) => ({
        id: `grant-unknown:${id}`,
        kind: 'grant_unknown',
        severity: 'warn',
        label,
        to: `/keys/${keyId ?? ''}`,
        atMs: updatedAtMs,
        untilMs: null,
      }))

  /**
   * The keys that need attention. A key that may still work counts even if its secret is not on this computer, because a bot on another computer
   * may use it.
   */
  const keyAttention = ({ keyId, label, endsAtMs }: Ending, live: ReadonlySet<string>, now: number): Attention[] => {
    const over = endsAtMs <= now
    if (keyId === null || !live.has(keyId) || (over && credentials.whereIs(keyId) === 'elsewhere')) return []
    const severity = !over && endsAtMs - now <= dangerMs ? 'danger' : 'warn'
    return [{ id: `expiring:${keyId}`, kind: 'key_expiring', severity, label, over, to: `/keys/${keyId}`, atMs: now, untilMs: endsAtMs }]
  }

  const grantAttention = ({ id, label, agent, sure, endsAtMs, action }: Ending, now: number): Attention[] =>
    sure === 'exact'
      ? [
          {
            id: `ending:${id}`,
            kind: 'grant_expiring',
            severity: 'warn',
            label,
            agent,
            over: endsAtMs <= now,
            to: action?.to ?? '/keys',
            atMs: now,
            untilMs: endsAtMs,
          },
        ]
      : []

  const attention = (address: string): Attention[] => {
    const now = clock.now()
    const live = new Set(
      credentials
        .known(address)
        .filter(isLiveKey)
        .map(({ keyId }) => keyId),
    )
    const ending = items(address, null).filter((item): item is Ending => item.endsAtMs !== null && item.endsAtMs - now <= endingMs)
    return [...unknownGrants(address), ...ending.flatMap((item) => (item.kind === 'key' ? keyAttention(item, live, now) : grantAttention(item, now)))]
  }

  return {
    attention,
    start: () => {
      stop ??= every(lookEveryMs, look)
    },
    stop: () => {
      stop?.()
      stop = null
    },
    handlers: {
      'expiry.list': async () => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        const address = whose.value
        const signIn = wallet.current() === null ? null : await signInStatus()
        return ok({
          items: address === null ? [] : items(address, signIn),
          listedAtMs: address === null ? null : credentials.listedAtMs(address),
          nowMs: clock.now(),
          noticeDays: [...noticeDays],
        })
      },
      'expiry.exportCalendar': async () => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        const now = clock.now()
        const events = (whose.value === null ? [] : items(whose.value, null))
          .filter(({ sure, endsAtMs }) => sure === 'exact' && endsAtMs !== null && endsAtMs > now)
          .map(eventOf)
          .filter((event) => event !== null)
        const saved = await saveText({ ...dialogWords('exportEnds'), kinds: [fileKind('ics')], suggested: 'svc-desk.ics' }, () =>
          calendarFile('Svc Desk', events, now),
        )
        if (!saved.ok) return saved
        return ok(saved.value === null ? { state: 'cancelled', path: null, events: 0 } : { state: 'saved', path: saved.value, events: events.length })
      },
    },
  }
}

/** One expiry date in a calendar. Its text is meant for people and contains no secret. */
export interface CalendarEvent {
  /** The id of the event. It stays the same when the date changes, so that a calendar app updates its existing event. */
  readonly uid: string
  readonly atMs: number
  readonly summary: string
  readonly description: string
  /** How many days before the event the calendar app reminds the user. */
  readonly reminderDays: readonly number[]
}

const maxOctets = 75

/** Formats a time in UTC as a calendar file needs it: `19970714T170000Z` (RFC 5545, 3.3.5). */
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')

/**
 * Escapes backslash, semicolon, comma and line breaks. Removes other control characters, which a calendar text must not contain (RFC 5545, 3.3.11).
 */
const escaped = (text: string): string =>
  text
    .replace(/\\/g, '\\\\')
    .replace(/[;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '')

/** Splits a line into lines of at most 75 octets (RFC 5545, 3.1). A long line continues after a line break and a space. Never splits a character. */
function folded(line: string): string {
  let [result, octets] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      result += '\r\n '
      octets = 1
    }
    result += character
    octets += size
  }
  return result
}

const alarm = (days: number, summary: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escaped(summary)}`,
  `TRIGGER:-P${days}D`,
  'END:VALARM',
]

/** Writes a calendar file (RFC 5545) dated `nowMs`. A later file replaces the events of an earlier one. */
export function calendarFile(name: string, events: readonly CalendarEvent[], nowMs: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Svc Desk//Expiry radar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap(({ uid, atMs, summary, description, reminderDays }) => [
      'BEGIN:VEVENT',
      `UID:${escaped(uid)}`,
      `DTSTAMP:${stamp(nowMs)}`,
      `SEQUENCE:${Math.floor(nowMs / 60_000)}`,
      `DTSTART:${stamp(atMs)}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(description)}`,
      'TRANSP:TRANSPARENT',
      ...reminderDays.flatMap((days) => alarm(days, summary)),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
