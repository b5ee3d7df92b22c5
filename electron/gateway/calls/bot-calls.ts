import { compare } from '../../../shared/decimal.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { Paused } from '../../../shared/ipc/keys/gateway.ts'
import type { Result } from '../../../shared/result.ts'
import { type Clock, day, hour, minute, second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { ForwardedAnswer, Unforwarded } from '../../service/transport/api-client.ts'
import { heldBack, type Journal } from '../../store/journal/journal.ts'
import type { StoredBot, StoredCall } from '../../store/records/gateway-records.ts'
import { type GatewayRefusal, jsonReply, outcomePath, type Reply, refusal, refusalOf } from '../http/listener.ts'
import type { Taken } from '../policy/policy.ts'
import { opens } from '../policy/read-order.ts'
import type { Reservations } from '../policy/wallet-room.ts'
import type { CallName, Elsewhere, GatewayState, Local } from '../state/gateway-state.ts'

/** A call that may have an effect. */
export interface EffectiveCall extends Pick<StoredCall, 'route' | 'hash' | 'keyId' | 'endsRisk' | 'repeatsLate' | 'subjects' | 'clientOrderIds'> {
  readonly bot: StoredBot
  /** The action and the idempotency key, or `relay` and the intent's id, joined by `~`. The service keeps the keys of each action apart, too. */
  readonly key: string
  /** What is sent, byte for byte the same each time. */
  readonly body: string
  /** Number of actions that may add risk, and the value that they name, in USDC. */
  readonly orders: number
  readonly valueUsdc: string
  /** Checks the limits and takes the room that the call needs. `elsewhere`: what the orders of all gateways take; null: this gateway counts alone. */
  take(elsewhere: Elsewhere | null): Promise<Result<Taken, GatewayRefusal>>
  readonly send: Send
}

/**
 * Sends a body once, unless the bot may no longer act in the moment in which it would leave. `isRepetition`: an earlier attempt may have taken effect.
 */
type Send = (body: string, isRepetition?: boolean) => Promise<ForwardedAnswer | Unforwarded | GatewayRefusal>

export interface BotCalls extends Reservations {
  /**
   * Carries a call out at most once. The first call with a key is stored before it leaves. A repetition gets the answer of the first one. After a lost
   * answer, asks the service what happened; if that stays unknown, answers 202 with the address of `outcome`.
   */
  run(call: EffectiveCall): Promise<Reply>
  /** What became of a call of a bot. Asks the shared state only after `turn`, which resolves with a refusal or null. */
  outcome(bot: string, key: string, turn: () => Promise<GatewayRefusal | null>): Promise<Reply>
  /** Whether the service carried out a call of a bot. False if that is unknown. */
  isDone(bot: string, key: string): boolean
  /** The calls that have left and have no answer yet, of one bot or of all. */
  underWay(bot: string | null): Paused['underWay']
  unknownOf(bot: string): number
  /** The stored calls of a bot, newest last. */
  of(bot: string): readonly StoredCall[]
  recent(): readonly StoredCall[]
  /** Asks again about calls whose answer is missing. Call it regularly. */
  lookAgain(): Promise<void>
  /** What the shared state may see and change of the stored calls. */
  readonly local: Pick<Local, 'open' | 'of' | 'isRunning' | 'learn' | 'shared'>
  settled(): Promise<void>
  stop(): void
}

export interface BotCallsDeps {
  readonly profileId: string
  readonly journal: Pick<Journal, 'records' | 'state' | 'trouble' | 'together'>
  readonly state: GatewayState
  readonly clock: Clock
  readonly sleep: Sleep
  /** Sends an execution of an earlier run, or of a request that is over, again. */
  readonly sendAgain: (call: StoredCall, body: string) => ReturnType<Send>
  /** The id of the key that a bot has now; null if there is no such bot. */
  readonly keyIdOf: (bot: string) => string | null
  /** Looks for the effect of a call in the wallet's lists. Returns the answer for the bot; null if nothing proves the effect. */
  readonly find: (call: StoredCall, key: string) => Promise<Reply | null>
  /** Whether the user has changed something of a wallet with the app since a time (Unix ms). */
  readonly userActedSince: (wallet: string, sinceMs: number) => boolean
  /** The largest number of stored calls of one bot; `mostCalls` by default. */
  readonly most?: number
  readonly changed: () => void
}

/** How long the gateway remembers a call: as long as the service remembers its key (Idempotency rules 2), and an hour more. */
export const keptMs = day + hour
/** How many calls of one bot are stored: an order every 1.8 seconds all day. Above it, new risk is refused; closes and cancels are not. */
export const mostCalls = 50_000
/** A larger answer is not stored, so a repetition of its call only learns that it was carried out. */
const longestStoredAnswer = 64 * 1_024
/**
 * How long after its first attempt an execution is sent again without the bot's asking. The service carries out the same key only once, but it may carry
 * it out for the first time, and no order should leave long after it was meant.
 */
const promptMs = minute
/** Waits before each repetition of a request whose bot still waits for its answer, in ms. */
const waitsMs = [200, 600, 1_500, 3_000] as const
const againEveryMs = 5 * second
/** How long a call waits for the outcome of the same call on another gateway, and how often it asks. A close or a cancel waits less. */
const elsewhereMs = 5 * second
const exitElsewhereMs = second / 2
const elsewhereStepMs = 50

export function createBotCalls(deps: BotCallsDeps): BotCalls {
  const { profileId, journal, state: shared, clock, sleep, sendAgain, keyIdOf, find, userActedSince, most = mostCalls, changed } = deps
  const { botCalls: records } = journal.records
  const calls = new Map<string, StoredCall>()
  const running = new Map<string, { readonly reply: Promise<Reply>; readonly sinceMs: number; hasLeft: boolean }>()
  const askedAt = new Map<string, number>()
  const stopping = new AbortController()
  const nameOf = (bot: string, key: string) => `${bot}/${key}`
  const partsOf = (name: string): [bot: string, key: string] => [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]

  for (const { key, record } of records.list({ profile: profileId }))
    if (clock.now() - record.atMs > keptMs) records.delete(key)
    else calls.set(nameOf(key.bot, key.key), record)

  const ofWallet = (wallet: string, what: string) => `${wallet.toLowerCase()}/${what}`
  /**
   * The bot that used a key of a wallet first. A second bot with the same key would get the answer to the first one's order from the service, which
   * keeps the keys of each wallet apart (Idempotency rules 2).
   */
  const owners = new Map<string, string>()
  const unsettled = new Set<string>()
  const reservations = new Map<string, Set<string>>()
  const countOf = new Map<string, number>()
  /** The newest call about each order and position. */
  const touched = new Map<string, { readonly name: string; readonly atMs: number }>()
  let prunedAtMs = clock.now()

  const index = (name: string, call: StoredCall) => {
    const [bot, key] = partsOf(name)
    const { wallet, subjects, atMs } = call
    if (!calls.has(name)) countOf.set(bot, (countOf.get(bot) ?? 0) + 1)
    calls.set(name, call)
    owners.set(ofWallet(wallet, key), bot)
    if (call.state === 'sent') unsettled.add(name)
    else unsettled.delete(name)
    const reserving = reservations.get(wallet) ?? new Set()
    reservations.set(wallet, reserving)
    if (call.reservedUsdc === null) reserving.delete(name)
    else reserving.add(name)
    for (const subject of subjects) {
      const about = ofWallet(wallet, subject)
      if ((touched.get(about)?.atMs ?? 0) <= atMs) touched.set(about, { name, atMs })
    }
  }
  const stored = [...calls].sort(([, a], [, b]) => a.atMs - b.atMs)
  calls.clear()
  for (const [name, call] of stored) index(name, call)

  const nameAt = (name: string): CallName => ({ bot: partsOf(name)[0], key: partsOf(name)[1] })
  const store = (name: string, call: StoredCall) => {
    index(name, call)
    records.write({ profile: profileId, ...nameAt(name) }, call)
    changed()
  }
  const keep = (name: string, call: StoredCall) => {
    store(name, call)
    shared.keep(nameAt(name), call)
  }
  const drop = (name: string) => {
    const [bot, key] = partsOf(name)
    const call = calls.get(name)
    if (call === undefined) return
    shared.drop({ bot, key }, call)
    calls.delete(name)
    countOf.set(bot, (countOf.get(bot) ?? 1) - 1)
    owners.delete(ofWallet(call.wallet, key))
    unsettled.delete(name)
    reservations.get(call.wallet)?.delete(name)
    records.delete({ profile: profileId, bot, key })
  }
  const prune = () => {
    prunedAtMs = clock.now()
    for (const [name, { atMs }] of [...calls]) if (prunedAtMs - atMs > keptMs) drop(name)
    for (const [about, { atMs }] of [...touched]) if (prunedAtMs - atMs > keptMs) touched.delete(about)
  }
  /** Whether a bot may store another call. The oldest of too many exits make way; the service still remembers their keys. */
  const hasSpace = (bot: string, endsRisk: boolean): boolean => {
    const isFull = () => (countOf.get(bot) ?? 0) >= most
    if (isFull() && clock.now() - prunedAtMs > minute) prune()
    if (!isFull()) return true
    if (!endsRisk) return false
    if ((countOf.get(bot) ?? 0) >= 2 * most)
      for (const [name, call] of calls)
        if (call.bot === bot && call.endsRisk && call.state === 'done') {
          drop(name)
          break
        }
    return true
  }
  const done = (name: string, call: StoredCall, reply: Reply): Reply => {
    const kept = reply.body.length <= longestStoredAnswer ? reply : jsonReply(reply.status, { success: true, state: 'done', answer: 'too_large' })
    // The body is no longer needed: a repetition gets the answer and sends nothing.
    const isUnshared = call.isUnshared || !shared.isReachable()
    keep(name, {
      ...call,
      body: null,
      state: 'done',
      isUnshared,
      answer: { status: kept.status, headers: { ...kept.headers }, body: kept.body.toString('base64') },
    })
    return reply
  }

  /**
   * Whether nothing newer forbids sending a call again: neither a later call of a bot about the same order or position, nor an action of the
   * user. A new order forbids a change of any position, because it may have added to that position. Of the calls of other gateways nothing is known, so
   * beside them a change of an order or position is sent again only while its bot waits for it (`isAsked`).
   */
  const isNewest = (name: string, { wallet, subjects, repeatsLate }: StoredCall, sinceMs: number, isAsked: boolean): boolean => {
    const own = subjects.filter((subject) => subject !== opens)
    if (own.length === 0) return true
    if (shared.isShared && !repeatsLate && !isAsked) return false
    const about = own.some((subject) => subject.startsWith('position:')) ? [...own, opens] : own
    const newer = about
      .map((subject) => touched.get(ofWallet(wallet, subject)))
      .find((last) => last !== undefined && last.name !== name && last.atMs >= sinceMs)
    return newer === undefined && !userActedSince(wallet, sinceMs)
  }

  const pending = (key: string, state: 'unknown' | 'lapsed' = 'unknown'): Reply =>
    jsonReply(202, { success: true, state, status_url: `${outcomePath}/${key}` }, { 'retry-after': '2', location: `${outcomePath}/${key}` })

  /** An answer that proves nothing. The bot gets its bytes, and in headers that the outcome is unknown and where to ask for it. */
  const unproven = (key: string, reply: Reply): Reply => ({
    ...reply,
    headers: { ...reply.headers, 'x-svc-gateway': 'unknown', 'x-svc-gateway-status': `${outcomePath}/${key}` },
  })

  const storedReply = ({ answer }: StoredCall): Reply | null =>
    answer === null ? null : { status: answer.status, headers: { ...answer.headers, 'x-svc-gateway': 'replay' }, body: Buffer.from(answer.body, 'base64') }

  /**
   * Stores the outcome of a call whose first answer was lost. Another gateway may have looked for it at the same time, and its answer may have other
   * bytes. All of them give the one that the state got first.
   */
  const settle = async (name: string, call: StoredCall, reply: Reply): Promise<Reply> => {
    const own = done(name, call, reply)
    if (!shared.isShared || call.endsRisk) return own
    const first = await shared.find(nameAt(name))
    if (first?.hash !== call.hash || first.state !== 'done' || first.answer?.body === calls.get(name)?.answer?.body) return own
    store(name, first)
    return storedReply(first) ?? own
  }

  /**
   * Whether the bot still has the key that sent a call first. The service may carry out an idempotency key once for each API key, so another key might
   * double an order. Nothing doubles the cancel of a named order.
   */
  const hasItsKey = ({ bot, keyId, repeatsLate }: StoredCall): boolean => repeatsLate || keyIdOf(bot) === keyId

  /** Sends the same bytes again until the answer arrives or the waits are over. A refusal of a repetition proves nothing (Idempotency rules 5). */
  const ask = async (name: string, send: Send, waits: readonly number[], sinceMs: number, isAsked = true): Promise<Reply | null> => {
    for (const wait of waits) {
      if (!(await sleep(wait, stopping.signal))) return null
      const call = calls.get(name)
      if (call === undefined || call.state !== 'sent') return call === undefined ? null : storedReply(call)
      if (call.body !== null && call.route === 'execute' && hasItsKey(call) && isNewest(name, call, sinceMs, isAsked)) {
        const answer = await send(call.body, true)
        if ('kind' in answer && answer.kind === 'answer' && answer.outcome === 'done') return settle(name, call, replyOf(answer))
        if ('code' in answer || (answer.kind === 'unsent' && answer.why === 'stopped')) return null
      }
      const found = await find(call, partsOf(name)[1])
      if (found !== null) return settle(name, call, found)
    }
    return null
  }

  const begin = async (name: string, call: EffectiveCall, mine: { hasLeft: boolean }): Promise<Reply> => {
    const { route, bot, hash, keyId, endsRisk, repeatsLate, subjects, clientOrderIds } = call
    if (!hasSpace(bot.id, endsRisk)) return refusal('FULL', { most }, { 'retry-after': '60' })
    const asked: StoredCall = {
      ...{ route, bot: bot.id, wallet: bot.wallet, hash, body: route === 'execute' ? call.body : null, keyId, endsRisk, repeatsLate, orders: call.orders },
      ...{ reservedUsdc: call.orders > 0 ? call.valueUsdc : null, subjects: [...subjects], clientOrderIds: [...clientOrderIds], atMs: clock.now() },
      ...{ state: 'sent' as const, answer: null, isUnshared: false },
    }
    const asking = { bot: bot.id, key: call.key }
    const joinedAs = shared.joinedAs()
    const claimed = await claim(call, asked)
    if (claimed.kind === 'taken') return refusal('KEY_REUSED', { key: call.key })
    // A close or a cancel does not need the other gateways. The exchange itself carries out its idempotency key once.
    const goesAlone =
      endsRisk && route === 'execute' && (claimed.kind === 'away' || (claimed.kind === 'elsewhere' && (repeatsLate || (await isSentWith(asking, keyId)))))
    if (claimed.kind === 'elsewhere' && !goesAlone) return pending(call.key)
    if (claimed.kind === 'minute_full')
      return refusal('LIMIT', { limit: 'orders_per_minute', allowed: bot.policy.ordersPerMinute, asked: call.orders }, { 'retry-after': '5' })
    if (claimed.kind === 'done') return storedReply(claimed.call) ?? pending(call.key)
    if (claimed.kind === 'adopted') {
      // The gateway that claimed it may have ended before it checked the limits, and the database is not trusted. So what may leave comes from the bot.
      const { keyId: firstKeyId, atMs, reservedUsdc, state } = claimed.call
      const before: StoredCall = {
        ...asked,
        keyId: firstKeyId,
        atMs,
        reservedUsdc,
        state: state === 'lapsed' ? state : 'sent',
        body: repeatsLate ? asked.body : null,
      }
      keep(name, before)
      return resume(name, call, before)
    }
    if (claimed.kind === 'away' && !endsRisk) return refusal('STATE_AWAY', {}, { 'retry-after': '2' })
    const taken = await call.take(claimed.kind === 'mine' ? claimed.elsewhere : null).catch((error: unknown) => {
      shared.drop(asking, asked)
      throw error
    })
    if (!taken.ok) {
      shared.drop(asking, asked)
      return taken.failure
    }
    const { orders, reservedUsdc } = taken.value
    const stored: StoredCall = { ...asked, orders, reservedUsdc, atMs: clock.now(), isUnshared: claimed.kind === 'away' }
    // On disk before it leaves. If the process dies now, the next one asks the service what became of it.
    keep(name, stored)
    taken.value.stored()
    const undo = (reply: Reply): Reply => {
      drop(name)
      taken.value.release()
      return reply
    }
    if (journal.state() === 'memory_only' && !endsRisk) return undo(refusalOf(heldBack(journal)))
    mine.hasLeft = true
    const answer = await call.send(call.body)
    if ('code' in answer) return undo(answer)
    if (answer.kind === 'unsent') return undo(unsentReply(answer))
    if (answer.kind === 'answer' && answer.outcome === 'done') {
      const reply = replyOf(answer)
      // If the state was away meanwhile, another gateway may have answered this call.
      return shared.joinedAs() === joinedAs ? done(name, stored, reply) : settle(name, stored, reply)
    }
    if (answer.kind === 'answer' && answer.outcome === 'refused') return undo(replyOf(answer))
    if (answer.kind === 'answer' && isOfService(answer.status)) return unproven(call.key, replyOf(answer))
    return (await ask(name, call.send, waitsMs, stored.atMs)) ?? pending(call.key)
  }

  /**
   * Whether another gateway sends a call with the same API key, as far as is known. With another key, the service might carry it out twice: it keeps the
   * idempotency keys of each API key apart.
   */
  const isSentWith = async (name: CallName, keyId: string): Promise<boolean> => {
    const known = await shared.find(name)
    return known === null || known.keyId === keyId
  }

  /** Claims a key. While another gateway works on it, waits for its outcome as long as a bot waits for a lost answer. */
  const claim = async (call: EffectiveCall, asked: StoredCall) => {
    const { bot, key, endsRisk, route } = call
    const most = (endsRisk && route === 'execute' ? exitElsewhereMs : elsewhereMs) / elsewhereStepMs
    for (let tries = 1; ; tries += 1) {
      const claimed = await shared.claim({ bot: bot.id, key, call: asked, ordersPerMinute: bot.policy.ordersPerMinute })
      if (claimed.kind !== 'elsewhere' || tries > most || !(await sleep(elsewhereStepMs, stopping.signal))) return claimed
    }
  }

  /**
   * Whether the service may have forgotten the key of a call without outcome. It would carry the call out, even if it did so before. It forgets after a
   * day; the hour before is for clocks that differ.
   */
  const mayBeForgotten = ({ state, atMs }: StoredCall): boolean => state === 'lapsed' || clock.now() - atMs >= day - hour

  /** The answer that another gateway has got meanwhile, so that all of them give the same one. */
  const settledElsewhere = async (name: string, { hash }: StoredCall): Promise<Reply | null> => {
    const known = shared.isShared ? await shared.find(nameAt(name)) : null
    if (known === null || known.hash !== hash || known.state !== 'done') return null
    store(name, known)
    return storedReply(known)
  }

  /** A repetition of a call whose outcome is unknown. The bot still wants it, so it is checked again and sent again, with the key that sent it first. */
  const resume = async (name: string, call: EffectiveCall, before: StoredCall): Promise<Reply> => {
    const settled = await settledElsewhere(name, before)
    if (settled !== null) return settled
    // Only if it may not leave again: the service answers a repetition with the bytes of its first answer, and the lists do not have them.
    const unsent = async (): Promise<Reply> => {
      const found = await find(before, call.key)
      return found === null ? pending(call.key, before.state === 'lapsed' ? 'lapsed' : 'unknown') : settle(name, before, found)
    }
    if (mayBeForgotten(before)) return unsent()
    // The call as the bot repeats it has the same bytes. An adopted one has none of its own: only its bot may want it to leave again.
    const body = before.body ?? call.body
    if (call.route === 'relay' || before.keyId !== call.keyId || (!call.endsRisk && !shared.isReachable())) return unsent()
    if (call.orders > 0 && !(await shared.again({ bot: call.bot.id, key: call.key, call: before, ordersPerMinute: call.bot.policy.ordersPerMinute })))
      return unsent()
    // The gateway that had it first may have ended before it checked the limits. Its room is reserved on all gateways.
    const room = before.reservedUsdc === null ? null : shared.room({ key: call.key, call: before })
    const beforeUsdc = room === null ? null : await room.grow(before.reservedUsdc ?? '0')
    if (room !== null && beforeUsdc === null) {
      // If the state does not have the call, the next repetition finds it there.
      shared.keep(nameAt(name), before)
      return unsent()
    }
    const taken = await call.take(room === null || beforeUsdc === null ? null : { beforeUsdc, grow: room.grow })
    // The order may be live already, so a limit must not report it as refused.
    if (!taken.ok) return unsent()
    const reservedUsdc = larger(before.reservedUsdc, taken.value.reservedUsdc)
    keep(name, { ...before, body, state: 'sent', reservedUsdc })
    // The stored call counts the value already.
    taken.value.stored()
    return (await ask(name, call.send, [0, ...waitsMs], clock.now())) ?? pending(call.key)
  }

  const isOthers = ({ bot, key }: EffectiveCall): boolean => {
    const owner = owners.get(ofWallet(bot.wallet, key))
    return owner !== undefined && owner !== bot.id
  }

  function run(call: EffectiveCall): Promise<Reply> {
    const name = nameOf(call.bot.id, call.key)
    const before = calls.get(name)
    const known = before !== undefined && clock.now() - before.atMs <= keptMs ? before : undefined
    if (known !== undefined && known.hash !== call.hash) return Promise.resolve(refusal('KEY_REUSED', { key: call.key }))
    const replay = known === undefined ? null : storedReply(known)
    if (replay !== null) return Promise.resolve(replay)
    const current = running.get(name)
    // The first call with this key still runs, so its hash may not be stored yet.
    if (current !== undefined) return known === undefined ? current.reply.then(() => run(call)) : current.reply
    if (known === undefined && isOthers(call)) return Promise.resolve(refusal('KEY_REUSED', { key: call.key }))
    const mine: { reply: Promise<Reply>; sinceMs: number; hasLeft: boolean } = {
      reply: Promise.resolve(pending(call.key)),
      sinceMs: clock.now(),
      hasLeft: false,
    }
    // Before the limits are read: another bot must not use the key meanwhile.
    const owned = ofWallet(call.bot.wallet, call.key)
    owners.set(owned, call.bot.id)
    mine.reply = (known === undefined ? begin(name, call, mine) : resume(name, call, known)).finally(() => {
      running.delete(name)
      if (!calls.has(name)) owners.delete(owned)
    })
    running.set(name, mine)
    return mine.reply
  }

  return {
    run,
    async outcome(bot, key, turn) {
      const known = calls.get(nameOf(bot, key))
      // A bot that asks without end must not keep the claims of others, such as their exits, from the shared state.
      const held = known === undefined && shared.isShared ? await turn() : null
      if (held !== null) return held
      const call = known ?? (await shared.find({ bot, key }))
      if (call === null) return refusal('NOT_FOUND')
      const { state, answer } = call
      if (answer === null) return jsonReply(200, { success: true, state: state === 'lapsed' ? 'lapsed' : 'unknown', status_url: `${outcomePath}/${key}` })
      const body = readJson(foreign(Buffer.from(answer.body, 'base64').toString('utf8'))) ?? null
      return jsonReply(200, { success: true, state: 'done', status: answer.status, answer: body })
    },
    isDone: (bot, key) => calls.get(nameOf(bot, key))?.state === 'done',
    underWay: (bot) =>
      [...running]
        .filter(([name, { hasLeft }]) => hasLeft && (bot === null || partsOf(name)[0] === bot))
        .map(([name, { sinceMs }]) => ({ botId: partsOf(name)[0], key: partsOf(name)[1], sinceMs })),
    unknownOf: (bot) => [...unsettled].filter((name) => partsOf(name)[0] === bot).length,
    of: (bot) => [...calls.values()].filter((call) => call.bot === bot).sort((a, b) => a.atMs - b.atMs),
    recent: () => [...calls.values()],
    reserved: (wallet) =>
      [...(reservations.get(wallet) ?? [])].flatMap((name) => {
        const call = calls.get(name)
        return call === undefined ? [] : [{ name, call }]
      }),
    shown: (names) => {
      if (names.length === 0) return
      journal.together(() => {
        for (const name of names) {
          const call = calls.get(name)
          if (call !== undefined) keep(name, { ...call, reservedUsdc: null })
        }
      })
    },
    async lookAgain() {
      const now = clock.now()
      if (now - prunedAtMs > hour) prune()
      for (const name of [...unsettled]) {
        const call = calls.get(name)
        if (call === undefined || running.has(name) || now - (askedAt.get(name) ?? 0) < againEveryMs || stopping.signal.aborted) continue
        askedAt.set(name, now)
        // Another gateway may have taken over an order of this one, and its bot may have been answered there.
        if (shared.isShared && !call.endsRisk && !shared.isReachable()) continue
        const mine = { reply: Promise.resolve(pending(partsOf(name)[1])), sinceMs: now, hasLeft: false }
        // The service forgets a key after a day. An hour before, the gateway stops sending it again.
        const mayRepeat = call.body !== null && now - call.atMs < (call.repeatsLate ? day - hour : promptMs) && isNewest(name, call, call.atMs, false)
        const look = async (): Promise<Reply> => {
          const settled = await settledElsewhere(name, call)
          if (settled !== null) return settled
          if (mayRepeat) return (await ask(name, (body) => sendAgain(call, body), [0], call.atMs, false)) ?? pending(partsOf(name)[1])
          const found = await find(call, partsOf(name)[1])
          if (found !== null) return settle(name, call, found)
          if (now - call.atMs > day) keep(name, { ...call, state: 'lapsed' })
          return pending(partsOf(name)[1])
        }
        mine.reply = look().finally(() => running.delete(name))
        running.set(name, mine)
        await mine.reply
      }
    },
    local: {
      open: () =>
        [...calls]
          .filter(([, { state, reservedUsdc, isUnshared }]) => state === 'sent' || reservedUsdc !== null || isUnshared)
          .map(([name, call]) => ({ ...nameAt(name), call })),
      of: ({ bot, key }) => calls.get(nameOf(bot, key)) ?? null,
      isRunning: ({ bot, key }) => running.has(nameOf(bot, key)),
      learn: ({ bot, key }, call) => {
        if (!running.has(nameOf(bot, key))) store(nameOf(bot, key), call)
      },
      shared: ({ bot, key }) => {
        const call = calls.get(nameOf(bot, key))
        if (call?.isUnshared !== true) return
        store(nameOf(bot, key), { ...call, isUnshared: false })
        // Another gateway may have answered it while this one could not tell.
        if (call.state === 'done' && !call.endsRisk) void settledElsewhere(nameOf(bot, key), call)
      },
    },
    settled: async () => {
      await Promise.allSettled([...running.values()].map(({ reply }) => reply))
    },
    stop: () => stopping.abort(),
  }
}

/** The larger of two amounts in USDC; null: none. */
const larger = (one: string | null, other: string | null): string | null => (compare(one ?? '0', other ?? '0') < 0 ? other : one)

/** Whether an answer of unknown outcome is worth passing on. Others only say that the service, or something before it, is in trouble. */
const isOfService = (status: number): boolean => status < 500 && status !== 408

/** Headers of the service's answer that say something about its connection, and those that would let a web page read it. */
const ownOfConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'content-length', 'set-cookie', 'set-cookie2', 'alt-svc'],
  ...['strict-transport-security', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-connection', 'proxy-authorization'],
])

/** The answer for the bot: the same bytes, with the same headers except those of the connection. */
export const replyOf = ({ status, headers, body }: ForwardedAnswer): Reply => ({ status, headers: plainHeaders(headers), body })

export function plainHeaders(headers: ForwardedAnswer['headers']): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ownOfConnection.has(name) && !name.startsWith('access-control-')) plain[name] = Array.isArray(value) ? value.join(', ') : value
  return plain
}

/** The answer for a call that did not leave. */
export function unsentReply(unsent: Extract<Unforwarded, { kind: 'unsent' }>): GatewayRefusal {
  switch (unsent.why) {
    case 'stopped':
      return refusal('PAUSED')
    case 'closing':
    case 'unreachable':
      return refusal('UNREACHABLE', {}, { 'retry-after': '2' })
    case 'waiting':
      return refusal('WAITING', { retry_after_ms: Math.ceil(unsent.retryAfterMs) }, { 'retry-after': Math.ceil(unsent.retryAfterMs / second).toString() })
  }
}
