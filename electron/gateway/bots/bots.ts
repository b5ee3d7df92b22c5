import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { botTokenPrefix } from '../../../shared/api/redact.ts'
import type { Scope } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { BotPolicy, BotRow } from '../../../shared/ipc/keys/gateway.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, day, minute, second } from '../../../shared/time.ts'
import type { Permit } from '../../kernel/files/permit.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { StoredBot } from '../../store/records/gateway-records.ts'
import type { RefusalCode } from '../http/listener.ts'

/** What a new bot gets. The scopes are already checked against those of its key. */
export interface NewBot {
  readonly label: string
  readonly wallet: string
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly expiresInDays: number | null
  readonly policy: BotPolicy
}

export interface Bots {
  list(): readonly StoredBot[]
  get(id: string): StoredBot | null
  /** Adds a bot. The token is in no file; this is its only copy. */
  add(bot: NewBot): { readonly bot: StoredBot; readonly token: Secret }
  /** Finds the bot of a token in constant time: a wrong token takes as long as an unknown bot. */
  byToken(token: string): StoredBot | 'unknown' | 'expired'
  /** Whether the bot may still send: it exists, is not paused and its token has not ended. Reads memory only, so it can be asked just before a send. */
  mayAct(id: string): boolean
  /** Whether the gateway may still end the bot's orders: it exists and is not paused. Its token may have ended: that makes a bot silent for good. */
  mayEnd(id: string): boolean
  setPolicy(id: string, policy: BotPolicy): Result<void, Failure>
  /**
   * Gives the bots of one key another key of the same wallet, for example because that key replaces theirs. Returns the number of moved bots. If the
   * journal throws, no bot has moved.
   */
  moveKey(oldKeyId: string, newKeyId: string): number
  /** Whether a bot has the key or had it before, also a bot that was revoked. */
  everHadKey(keyId: string): boolean
  /** Pauses a bot, or all bots. Takes effect at once; the records follow in one transaction. Returns how many bots were running before. */
  pause(id: string | null): Result<number, Failure>
  resume(id: string): Result<void, Failure>
  revoke(id: string): Result<void, Failure>
  /** Records that a bot called. Writes to disk at most once a minute per bot. */
  used(id: string): void
  /** Records that a bot has opened in these markets, and that its silence now counts. */
  opened(id: string, pairIds: readonly number[]): void
  /** Records that the gateway has acted on a bot's silence, so that it does not act again before the bot's next order. */
  silenced(id: string): void
  /**
   * Gives or withdraws the permit, by whether the disk holds what was decided about the bots. Call it after each such decision, and regularly, because a
   * full disk may have space again.
   */
  secure(): void
}

interface BotsDeps {
  readonly profileId: string
  readonly journal: Pick<Journal, 'records' | 'together' | 'trouble'>
  readonly permit: Permit
  readonly clock: Clock
  /** Called after every change that the page shows. */
  readonly changed: () => void
}

const written = /^SVCbot1\.([0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/
const secretBytes = 32
const usedEveryMs = minute

const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
/** Compared with if there is no such bot, so that an unknown bot and a wrong secret take the same time. */
const noHash = Buffer.alloc(32)

/** The bots of a profile. All of them are in memory, so that each call is checked without reading the journal. */
export function createBots({ profileId, journal, permit, clock, changed }: BotsDeps): Bots {
  const { bots: records, formerBotKeys } = journal.records
  const bots = new Map(records.list({ profile: profileId }).map(({ record }) => [record.id, record]))
  const usedAt = new Map<string, number>()

  const keep = (bot: StoredBot) => {
    bots.set(bot.id, bot)
    records.write({ profile: profileId, id: bot.id }, bot)
  }
  const leave = (keyId: string) => formerBotKeys.write({ profile: profileId, id: keyId }, 'yes')
  const store = (changedBots: readonly StoredBot[], formerKeyId: string | null = null) =>
    journal.together(() => {
      if (formerKeyId !== null) leave(formerKeyId)
      for (const bot of changedBots) records.write({ profile: profileId, id: bot.id }, bot)
    })
  const change = (id: string, with_: (bot: StoredBot) => StoredBot): Result<void, Failure> => {
    const bot = bots.get(id)
    if (bot === undefined) return fail({ kind: 'not_found', what: 'bot' })
    keep(with_(bot))
    changed()
    return ok(undefined)
  }
  const secure = () => {
    if (journal.trouble() !== null) permit.withdraw()
    else if (bots.size > 0) permit.give()
  }
  /** Carries out a decision that must hold after a restart. */
  const decide = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      permit.withdraw()
      throw error
    } finally {
      if (journal.trouble() !== null) permit.withdraw()
    }
  }
  const isOver = ({ expiresAtMs }: StoredBot) => expiresAtMs !== null && expiresAtMs <= clock.now()
  const lastUsed = (bot: StoredBot): StoredBot => {
    const lastUsedAtMs = usedAt.get(bot.id) ?? bot.lastUsedAtMs
    return lastUsedAtMs === bot.lastUsedAtMs ? bot : { ...bot, lastUsedAtMs }
  }

  // What was decided last may be missing, or the disk takes nothing now.
  if (!permit.isGiven() || journal.trouble() !== null) for (const bot of [...bots.values()]) if (!bot.isPaused) keep({ ...bot, isPaused: true })
  secure()

  return {
    list: () => [...bots.values()].map(lastUsed),
    get: (id) => {
      const bot = bots.get(id)
      return bot === undefined ? null : lastUsed(bot)
    },
    add: ({ label, wallet, keyId, scopes, expiresInDays, policy }) => {
      const id = randomBytes(6).toString('hex')
      const secret = randomBytes(secretBytes).toString('base64url')
      const now = clock.now()
      const bot: StoredBot = {
        ...{ id, label, wallet, keyId, scopes: [...scopes], tokenHash: hashOf(secret).toString('hex'), policy, isPaused: false },
        ...{ createdAtMs: now, expiresAtMs: expiresInDays === null ? null : now + expiresInDays * day, lastUsedAtMs: null, isWatched: false, openedIn: [] },
      }
      keep(bot)
      secure()
      changed()
      return { bot, token: new Secret(`${botTokenPrefix}${id}.${secret}`) }
    },
    byToken: (token) => {
      const [, id = '', secret = ''] = written.exec(token) ?? []
      const bot = bots.get(id)
      const isRight = timingSafeEqual(hashOf(secret), bot === undefined ? noHash : Buffer.from(bot.tokenHash, 'hex'))
      if (bot === undefined || !isRight) return 'unknown'
      return isOver(bot) ? 'expired' : bot
    },
    mayAct: (id) => {
      const bot = bots.get(id)
      return bot !== undefined && !bot.isPaused && !isOver(bot)
    },
    mayEnd: (id) => bots.get(id)?.isPaused === false,
    moveKey: (oldKeyId, newKeyId) => {
      const moved = [...bots.values()].filter(({ keyId }) => keyId === oldKeyId).map((bot) => ({ ...bot, keyId: newKeyId }))
      store(moved, moved.length === 0 ? null : oldKeyId)
      for (const bot of moved) bots.set(bot.id, bot)
      changed()
      return moved.length
    },
    everHadKey: (keyId) => [...bots.values()].some((bot) => bot.keyId === keyId) || formerBotKeys.read({ profile: profileId, id: keyId }) !== null,
    setPolicy: (id, policy) => decide(() => change(id, (bot) => ({ ...bot, policy }))),
    pause: (id) => {
      const found = id === null ? [...bots.values()] : [bots.get(id)].filter((bot) => bot !== undefined)
      if (id !== null && found.length === 0) return fail({ kind: 'not_found', what: 'bot' })
      const running = found.filter(({ isPaused }) => !isPaused).map((bot) => ({ ...bot, isPaused: true }))
      // First in memory: from here on, nothing of these bots leaves, even if the disk is slow or full.
      for (const bot of running) bots.set(bot.id, bot)
      changed()
      decide(() => store(running))
      return ok(running.length)
    },
    resume: (id) => change(id, (bot) => ({ ...bot, isPaused: false })),
    revoke: (id) => {
      const bot = bots.get(id)
      if (bot === undefined) return fail({ kind: 'not_found', what: 'bot' })
      bots.delete(id)
      changed()
      decide(() =>
        journal.together(() => {
          records.delete({ profile: profileId, id })
          leave(bot.keyId)
        }),
      )
      return ok(undefined)
    },
    used: (id) => {
      const bot = bots.get(id)
      if (bot === undefined) return
      const now = clock.now()
      usedAt.set(id, now)
      if (now - (bot.lastUsedAtMs ?? 0) >= usedEveryMs) keep({ ...bot, lastUsedAtMs: now })
    },
    opened: (id, pairIds) => {
      const bot = bots.get(id)
      if (bot === undefined) return
      const fresh = pairIds.filter((pairId) => !bot.openedIn.includes(pairId))
      if (fresh.length > 0 || !bot.isWatched) keep({ ...bot, isWatched: true, openedIn: [...bot.openedIn, ...fresh] })
    },
    silenced: (id) => {
      const bot = bots.get(id)
      if (bot?.isWatched === true) keep({ ...bot, isWatched: false })
    },
    secure,
  }
}

type Figures = Pick<BotRow, 'callsPerSecond' | 'calls' | 'errors' | 'latencyMs' | 'refused' | 'orders'>

/** What the page shows of each bot since the gateway started. Kept in memory only. */
export interface BotFigures {
  /** Counts a call. `code`: the gateway's own refusal; null if the service answered. */
  called(bot: string, call: { readonly ms: number; readonly status: number; readonly code: RefusalCode | null }): void
  ordered(bot: string): void
  of(bot: string): Figures
}

const windowMs = 10 * second
const latencies = 100

interface Counts {
  calls: number
  errors: number
  orders: number
  /** Calls of the last seconds, one entry for each second. */
  readonly recent: Map<number, number>
  readonly times: number[]
  readonly refused: Map<string, number>
}

export function createBotFigures({ monotonic }: Pick<Clock, 'monotonic'>, heard?: BotFigures['called']): BotFigures {
  const all = new Map<string, Counts>()
  const countsOf = (bot: string): Counts => {
    const counts = all.get(bot) ?? { calls: 0, errors: 0, orders: 0, recent: new Map<number, number>(), times: [], refused: new Map<string, number>() }
    all.set(bot, counts)
    return counts
  }
  const nowSecond = () => Math.floor(monotonic() / second)
  return {
    called: (bot, call) => {
      const { ms, status, code } = call
      heard?.(bot, call)
      const counts = countsOf(bot)
      const at = nowSecond()
      counts.calls += 1
      counts.recent.set(at, (counts.recent.get(at) ?? 0) + 1)
      for (const old of counts.recent.keys()) if (old <= at - windowMs / second) counts.recent.delete(old)
      if (status >= 400) counts.errors += 1
      if (code !== null) counts.refused.set(code, (counts.refused.get(code) ?? 0) + 1)
      counts.times.push(ms)
      if (counts.times.length > latencies) counts.times.shift()
    },
    ordered: (bot) => {
      countsOf(bot).orders += 1
    },
    of: (bot) => {
      const { calls, errors, orders, recent, times, refused } = countsOf(bot)
      const since = nowSecond() - windowMs / second
      const inWindow = [...recent].filter(([at]) => at > since).reduce((sum, [, count]) => sum + count, 0)
      const sorted = times.toSorted((a, b) => a - b)
      return {
        callsPerSecond: inWindow / (windowMs / second),
        calls,
        errors,
        orders,
        latencyMs: sorted[Math.floor(sorted.length / 2)] ?? null,
        refused: [...refused].map(([code, count]) => ({ code, count })),
      }
    },
  }
}
