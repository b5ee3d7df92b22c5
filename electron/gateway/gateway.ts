import { randomBytes } from 'node:crypto'
import { endpoints } from '../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../shared/api/limits.ts'
import { sentName } from '../../shared/field-map/sent-names.ts'
import { foreign } from '../../shared/foreign/foreign.ts'
import { readJson } from '../../shared/foreign/parse-json.ts'
import type { Input } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { BotPolicy, BotRow, BotState, GatewayStatus, Paused } from '../../shared/ipc/keys/gateway.ts'
import { exitPrice } from '../../shared/positions.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { sameId } from '../../shared/same-id.ts'
import { second } from '../../shared/time.ts'
import type { RiskLimitsService } from '../intents/risk-limits/risk-limits.ts'
import { createQueue, sleep } from '../kernel/deadline.ts'
import { type Emit, type Every, type OnInvalidate, throttleNotify } from '../kernel/events.ts'
import { createPermit } from '../kernel/files/permit.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { Secret } from '../kernel/secret.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import { findOrder } from '../reads/account/open-orders.ts'
import { readPages } from '../reads/history/paged-rows.ts'
import type { ServiceClock } from '../service/api/vital-signs.ts'
import type { Credentials } from '../service/credentials/credentials.ts'
import type { FieldMapService } from '../service/field-names/field-map.ts'
import { type ApiClient, forBots } from '../service/transport/api-client.ts'
import type { Journal } from '../store/journal/journal.ts'
import type { StoredBot, StoredCall } from '../store/records/gateway-records.ts'
import { shownOwner, type WalletReport } from '../wallet/connection/wallet.ts'
import { type BotFigures, createBotFigures, createBots, type NewBot } from './bots/bots.ts'
import { createFairShare } from './bots/fair-share.ts'
import { createBotCalls } from './calls/bot-calls.ts'
import { anonymous, createBotGate, relayKey } from './calls/bot-gate.ts'
import { createListener, type GatewayRefusal, jsonReply, type Listener, type ListenerPlace, type Reply } from './http/listener.ts'
import { createPolicies, nothing } from './policy/policy.ts'
import { hashOfBody, parseOnce, readExecute, subjectsOf } from './policy/read-order.ts'
import { createWalletRoom } from './policy/wallet-room.ts'
import { embeddedState, type GatewayState, type StateTrouble } from './state/gateway-state.ts'

export interface GatewayDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Journal
  readonly credentials: Credentials
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly riskLimits: Pick<RiskLimitsService, 'checkRisks'>
  readonly fieldMap: Pick<FieldMapService, 'names' | 'answers'>
  readonly outlets: Pick<SecretOutlets, 'reveal'>
  /** The path for the unix socket; null where there is none. */
  readonly socket: string | null
  /** The path of the file without which all bots start paused. */
  readonly permit: string
  /** What several gateways share; by default, this gateway serves its accounts alone. */
  readonly state?: GatewayState
  /** The largest number of stored calls, and of intents, of one bot. */
  readonly most?: number
  readonly clock: ServiceClock
  readonly every: Every
  readonly emit: Emit
  readonly onInvalidate: OnInvalidate
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
  /** Where to listen in place of 127.0.0.1 without TLS. */
  readonly place?: ListenerPlace
  /** Hears of each call when it has its answer. */
  readonly onCall?: BotFigures['called']
}

/** What the terminal may ask of the gateway. */
export interface GatewayAccess {
  status(): GatewayStatus
  /** Changes the given settings and keeps the others. */
  set(change: Input<'gateway.set'>): Promise<GatewayStatus>
  add(bot: NewBot): Result<{ readonly id: string; readonly token: Secret }, Failure>
  pause(id: string | null): Result<Paused, Failure>
  /** Pauses every bot because the user ends risk. Never throws: an exit must not fail because bots cannot be stored as paused. */
  pauseForExit(): void
  resume(id: string): Result<void, Failure>
  revoke(id: string): Result<void, Failure>
  setPolicy(id: string, policy: BotPolicy): Result<void, Failure>
  moveKey(oldKeyId: string, newKeyId: string): number
  everHadKey(keyId: string): boolean
}

export interface Gateway {
  readonly handlers: HandlersOf<'gateway'>
  readonly access: GatewayAccess
  /** Listens, if the user has switched the gateway on, and asks what became of the calls of the last run. */
  start(): Promise<void>
  /** Takes no more calls. Answers that are under way get `graceMs` to reach their bots. */
  stop(graceMs?: number): void
  settled(): Promise<void>
  /** Resolves when the shared state was reached for the first time, or with the reason why it must not be used. Until then, new risk is refused. */
  joined(): Promise<StateTrouble | null>
  /** The calls that have left and wait for their answer. */
  underWay(): Paused['underWay']
  /** The part of the bots' burst of calls that is left now, from 0 to 1. */
  budgetLeft(): number
}

const firstPort = 8_421
const firstRate = 40
const tickMs = second
const notifyMs = second
const mostPages = 3
const changesAccount = ['account.positions', 'account.orders', 'account.summary'] as const

/** Serves bots that hold a token in place of a key: one per profile. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { profile, journal, credentials, wallet, riskLimits, fieldMap, outlets, socket, clock, every, emit, log, most, state = embeddedState() } = deps
  const api = forBots(deps.api)
  const { records } = journal
  const settingsKey = { profile: profile.id }
  const settings = () => records.gatewaySettings.read(settingsKey) ?? { isOn: false, port: firstPort, callsPerSecond: firstRate }
  // Bots act many times a second. If each action made the windows read the account again, the user's own reads would use up the rate.
  const rows = throttleNotify(() => emit({ type: 'invalidate', queries: ['gateway.status'] }), notifyMs)
  const account = throttleNotify(() => emit({ type: 'invalidate', queries: changesAccount }), notifyMs)
  const { changed } = rows
  const newId = () => randomBytes(12).toString('hex')

  const permit = createPermit(deps.permit, (error) => log('gateway', { error: String(error) }))
  const bots = createBots({ profileId: profile.id, journal, permit, clock, changed })
  const figures = createBotFigures(clock, deps.onCall)
  const fairShare = createFairShare(clock, settings().callsPerSecond, state.lease)
  const calls = createBotCalls({
    ...{ profileId: profile.id, journal, state, clock, sleep, changed },
    sendAgain: async ({ bot: id, endsRisk }, body) => {
      const bot = bots.get(id)
      if (bot === null || bot.policy.mode !== 'live') return { kind: 'unsent', why: 'stopped' }
      return gate.execute(bot, body, endsRisk, () => bots.mayAct(id) && bots.get(id)?.policy.mode === 'live')
    },
    keyIdOf: (bot) => bots.get(bot)?.keyId ?? null,
    find: (call, key) => find(call, key),
    userActedSince: (owner, sinceMs) => {
      const [newest] = journal.intents.list(profile.id, { wallet: owner, beforeMs: null, limit: 1 }).intents
      return newest !== undefined && newest.createdAtMs >= sinceMs
    },
    ...(most !== undefined && { most }),
  })
  const room = createWalletRoom({
    ...{ api, credentials, reservations: calls, fieldMap: fieldMap.answers, clock, sleep },
    limited: (keyId, retryAfterMs) => fairShare.slower(keyId, retryAfterMs),
  })
  const policies = createPolicies({ room, riskLimits, journal, clock, recent: calls.recent() })
  const gate = createBotGate({
    ...{ profileId: profile.id, forwarder: deps.api, credentials, records, fieldMap, bots, policies, fairShare, figures, clock, newId },
    calls: () => calls,
    sleep,
    ...(most !== undefined && { most }),
    isRotating: (keyId) => journal.secretOperations.unsettled(profile.id).some((operation) => operation.kind === 'rotate' && operation.keyId === keyId),
    acted: account.changed,
  })
  let listener: Listener | null = null
  let address: string | null = null
  let trouble: GatewayStatus['trouble'] = null
  const switching = createQueue()
  const ends: (() => void)[] = []
  let ended: Promise<void> | null = null
  let joined: Promise<StateTrouble | null> = Promise.resolve(null)

  const isCancel = (body: string): boolean => {
    const parsed = parseOnce(body)
    const read = typeof parsed === 'object' ? readExecute(parsed.json, fieldMap.names()) : null
    return read?.ok === true && read.value.repeatsLate
  }

  /** Looks for a call's effect in the lists of the wallet: an order with its client order id, or a transaction of its intent. */
  const find = async (call: StoredCall, key: string): Promise<Reply | null> => {
    const owner = call.wallet === '' ? (bots.get(call.bot)?.wallet ?? '') : call.wallet
    const credential = await credentials.forScope(owner, 'account:read')
    if (!credential.ok) return null
    if (call.route === 'relay') {
      const intentId = key.slice(relayKey.length)
      const read = await readPages(
        async (cursor) => {
          const query = { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }
          const answer = await api.call(endpoints.getTransactions, { params: {}, query, body: undefined, credential: credential.value })
          return answer.ok ? ok(answer.value.value) : answer
        },
        { most: mostPages, enough: (rows) => rows.some((row) => sameId(row.intentId, intentId)) },
      )
      const found = read.ok ? read.value.items.find((row) => sameId(row.intentId, intentId)) : undefined
      return found?.txHash == null ? null : jsonReply(200, { success: true, tx_hash: found.txHash, state: found.state, found_in: 'transactions' })
    }
    if (call.clientOrderIds.length === 0) return null
    const found = await findOrder(
      api,
      owner,
      credential.value,
      ({ clientOrderId }) => clientOrderId !== null && call.clientOrderIds.includes(clientOrderId),
      call.atMs,
    )
    const order = found.ok ? found.value.order : null
    return order === null
      ? null
      : jsonReply(200, { success: true, order_id: order.id, client_order_id: order.clientOrderId, state: order.status, found_in: 'orders' })
  }

  const stateOf = (bot: StoredBot): BotState => {
    if (bot.expiresAtMs !== null && bot.expiresAtMs <= clock.now()) return 'expired'
    if (bot.isPaused) return 'paused'
    return credentials.usable(bot.wallet).some(({ keyId }) => keyId === bot.keyId) ? 'running' : 'no_key'
  }
  const rowOf = (bot: StoredBot): BotRow => {
    const { id, label, wallet: owner, keyId, scopes, policy, createdAtMs, expiresAtMs, lastUsedAtMs } = bot
    return {
      ...{ id, label, wallet: owner, keyId, keyLabel: credentials.facts(keyId)?.label ?? null, scopes, policy, state: stateOf(bot) },
      ...{ createdAtMs, expiresAtMs, lastUsedAtMs, unknown: calls.unknownOf(id) },
      ...figures.of(id),
    }
  }
  const status = (): GatewayStatus => {
    const { isOn, port, callsPerSecond } = settings()
    return {
      ...{ isOn, port, callsPerSecond, hostUrl: address, socket: address === null ? null : socket, trouble },
      bots: bots
        .list()
        .map(rowOf)
        .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1)),
    }
  }

  const close = async (graceMs?: number) => {
    gate.hangUp(null)
    const last = listener
    listener = null
    address = null
    await last?.close(graceMs)
  }
  const refused = ({ status: code, ...refusal }: GatewayRefusal, ms: number) => figures.called(anonymous, { ms, status: code, code: refusal.code })
  const open = async () => {
    const { port } = settings()
    const opened = createListener({ port, socket, place: deps.place, answer: gate.answer, refused, clock, failed: report })
    const listening = await opened.open()
    trouble = listening.ok ? null : { code: listening.failure === 'EADDRINUSE' ? 'port_taken' : 'failed', port, detail: listening.failure }
    if (!listening.ok) return
    listener = opened
    address = addressOf(deps.place, listening.value.port)
  }
  const set: GatewayAccess['set'] = ({ isOn, port, callsPerSecond }) =>
    switching(async () => {
      const before = settings()
      const next = { isOn: isOn ?? before.isOn, port: port ?? before.port, callsPerSecond: callsPerSecond ?? before.callsPerSecond }
      const wasOpen = listener !== null
      records.gatewaySettings.write(settingsKey, next)
      bots.secure()
      fairShare.setRate(next.callsPerSecond)
      if (!next.isOn || next.port !== before.port || listener === null) {
        await close()
        trouble = null
        if (next.isOn) await open()
        else gate.forgetKeys()
        // A gateway that worked must not end because another port is taken.
        if (next.isOn && wasOpen && listener === null) {
          const failure = trouble
          records.gatewaySettings.write(settingsKey, before)
          await open()
          trouble = failure
        }
      }
      changed()
      return status()
    })

  const add: GatewayAccess['add'] = (asked) => {
    const key = credentials.usable(asked.wallet).find(({ keyId }) => keyId === asked.keyId)
    if (key === undefined) return fail({ kind: 'api_key_required', scope: null })
    const lacked = asked.scopes.find((scope) => key.scopes?.includes(scope) !== true)
    if (lacked !== undefined) return fail({ kind: 'scope_missing', scope: lacked, keyLabel: key.label })
    const { bot, token } = bots.add(asked)
    return ok({ id: bot.id, token })
  }

  const pauseHere: GatewayAccess['pause'] = (id) => {
    const paused = bots.pause(id)
    if (!paused.ok) return paused
    gate.hangUp(id)
    return ok({ bots: paused.value, underWay: calls.underWay(id) })
  }
  const pause: GatewayAccess['pause'] = (id) => {
    // First, because the journal may throw on a full disk, and the other gateways must stop all the same.
    if (id === null || bots.get(id) !== null) state.pause(id)
    return pauseHere(id)
  }
  const resume: GatewayAccess['resume'] = (id) => {
    if (!state.isReachable()) return fail({ kind: 'held_back', why: 'state_away', intentRef: null })
    const resumed = bots.resume(id)
    if (resumed.ok && state.isShared)
      void state
        .resume(id)
        .then((isStored) => {
          if (!isStored) pauseHere(id)
        })
        .catch(report)
    return resumed
  }
  const pauseForExit = () => {
    if (bots.list().length === 0 && !state.isShared) return
    try {
      pause(null)
    } catch (error) {
      log('gateway', { error: String(error) })
    }
  }
  const revoke: GatewayAccess['revoke'] = (id) => {
    const keyId = bots.get(id)?.keyId
    const revoked = bots.revoke(id)
    if (!revoked.ok) return revoked
    gate.hangUp(id)
    if (keyId !== undefined && !bots.list().some((bot) => bot.keyId === keyId)) gate.forgetKeys(keyId)
    return revoked
  }

  let watching: Promise<void> | null = null
  const report = (error: unknown) => log('gateway', { error: String(error) })
  const tidy = () => {
    bots.secure()
    gate.prune()
  }
  const watch = (): Promise<void> => {
    // At the same time, and each with its own errors: neither a slow look-up nor one bot may keep the gateway from ending the orders of another bot.
    watching ??= Promise.all([Promise.try(tidy).catch(report), calls.lookAgain().catch(report), watchSilence().catch(report)])
      .then(() => undefined)
      .finally(() => {
        watching = null
      })
    return watching
  }
  const acting = new Set<string>()

  /** The dead man's switch: cancels what silent bots have left open, and closes their positions if the user wants that. */
  const watchSilence = async (): Promise<void> => {
    const due = bots.list().flatMap((bot) => {
      const { silence, mode } = bot.policy
      if (silence === null || mode !== 'live' || !bots.mayEnd(bot.id) || acting.has(bot.id)) return []
      const afterMs = silence.afterSeconds * second
      return clock.now() - (bot.lastUsedAtMs ?? bot.createdAtMs) < afterMs ? [] : [{ bot, afterMs, closes: silence.does === 'cancel_and_close' }]
    })
    const silent = await state.silence?.silent(due.map(({ bot, afterMs }) => ({ bot: bot.id, afterMs })))
    const mine = due.filter(({ bot }) => (silent === undefined ? bot.isWatched : silent.has(bot.id)))
    await Promise.all(mine.map(({ bot, closes }) => endSilent(bot, closes).catch(report)))
  }
  const endSilent = async (bot: StoredBot, closes: boolean): Promise<void> => {
    acting.add(bot.id)
    try {
      if (await endOrders(bot, closes)) {
        bots.silenced(bot.id)
        await state.silence?.ended(bot.id)
        log('gateway', { silent: bot.id })
      }
    } finally {
      acting.delete(bot.id)
    }
  }

  /** Cancels the bot's own orders, and closes its own positions. False: something could not be read, or a request was not accepted. */
  const endOrders = async (bot: StoredBot, closes: boolean): Promise<boolean> => {
    const key = await gate.keyOf(bot)
    if ('code' in key) return false
    // A bot may have placed its orders over other gateways.
    const own = [...calls.of(bot.id), ...((await state.silence?.orders(bot.id)) ?? [])]
    const asked = new Set<string>()
    const clientIds = new Set(own.flatMap(({ clientOrderIds }) => clientOrderIds))
    const ids = { orders: [] as string[], positions: [] as string[] }
    let isWhole = true
    for (const call of own) {
      if (call.answer === null) continue
      const json = readJson(foreign(Buffer.from(call.answer.body, 'base64').toString('utf8')))
      const body = endpoints.executeOrder.response.read(json, { fieldMap: fieldMap.answers() })
      const commandId = body.ok ? body.value.delegated?.commandId : null
      if (commandId == null || asked.has(commandId)) continue
      asked.add(commandId)
      const read = await api.call(endpoints.getDelegatedExecution, { params: { command_id: commandId }, query: {}, body: undefined, credential: key })
      if (!read.ok) {
        // End what is known, and look for the rest again.
        isWhole = false
        continue
      }
      for (const { orderId, positionId } of read.value.value.results ?? []) {
        if (orderId !== null) ids.orders.push(orderId)
        if (positionId !== null) ids.positions.push(positionId)
      }
    }
    const account = await room.read(bot.wallet)
    if (account.orders === null || account.positions === null) return false
    const orders = account.orders.filter(
      ({ id, clientOrderId }) => (clientOrderId !== null && clientIds.has(clientOrderId)) || ids.orders.some((one) => sameId(one, id)),
    )
    const positions = closes ? account.positions.filter(({ id }) => id !== null && ids.positions.some((one) => sameId(one, id))) : []
    const steps = [
      ...orders.map(({ id }) => ({ action: 'cancel', of: { orderId: id, positionId: null }, payload: { order_id: id } })),
      ...positions.flatMap((position) => {
        const price = exitPrice(position, null)
        return price === null
          ? []
          : [
              {
                action: 'close',
                of: { orderId: null, positionId: position.id },
                payload: { position_id: position.id, reference_price: price, max_slippage_bps: closeSlippageBps },
              },
            ]
      }),
    ]
    const results: boolean[] = []
    for (const { action, of: ofStep, payload } of steps) {
      const names = fieldMap.names()
      const named = Object.fromEntries(Object.entries(payload).map(([name, value]) => [isAction(action) ? sentName(action, name, names) : name, value]))
      const idempotencyKey = `silence-${bot.id}-${newId()}`
      const body = { action, payload: { ...named, idempotency_key: idempotencyKey } }
      const key = `${action}~${idempotencyKey}`
      await calls.run({
        ...{ route: 'execute', bot, key, hash: hashOfBody(body), keyId: bot.keyId, endsRisk: true, clientOrderIds: [] },
        // The gateway looks at the wallet again before it repeats any of them, so nothing leaves late.
        ...{ repeatsLate: false, subjects: subjectsOf([{ kind: 'exit', ...ofStep }]), body: JSON.stringify(body), orders: 0, valueUsdc: '0' },
        take: async () => ok(nothing),
        send: (sent) => gate.execute(bot, sent, true, () => bots.mayEnd(bot.id)),
      })
      // Not the status: an order whose outcome is unknown is answered with 202, too.
      results.push(calls.isDone(bot.id, key))
    }
    return isWhole && results.every((one) => one)
  }

  deps.onInvalidate((queries) => {
    if (queries.includes('keys.list')) gate.forgetKeys()
  })

  return {
    access: { status, set, add, pause, pauseForExit, resume, revoke, setPolicy: bots.setPolicy, moveKey: bots.moveKey, everHadKey: bots.everHadKey },
    start: async () => {
      joined = state.start({
        ...calls.local,
        // What comes from the state is not trusted: only a cancel may leave again.
        learn: (name, call) => calls.local.learn(name, { ...call, body: call.body !== null && isCancel(call.body) ? call.body : null }),
        bots: () => bots.list().map(({ id }) => id),
        uses: () =>
          bots
            .list()
            .flatMap(({ id, policy, lastUsedAtMs }) =>
              policy.silence === null || lastUsedAtMs === null ? [] : [{ bot: id, atMs: lastUsedAtMs, agoMs: clock.now() - lastUsedAtMs }],
            ),
        pause: (id) => void pauseHere(id),
        resume: (id) => void bots.resume(id),
      })
      if (settings().isOn) await switching(open)
      ends.push(every(tickMs, watch))
    },
    stop: (graceMs) => {
      for (const end of ends.splice(0)) end()
      rows.stop()
      account.stop()
      calls.stop()
      fairShare.stop()
      void switching(() => close(graceMs)).then(() => gate.forgetKeys())
      ended = calls.settled().then(() => state.stop())
    },
    settled: async () => {
      await switching(async () => undefined)
      await watching
      await calls.settled()
      await ended
    },
    joined: () => joined,
    underWay: () => calls.underWay(null),
    budgetLeft: fairShare.left,
    handlers: {
      'gateway.status': () => ok(status()),
      'gateway.set': async (change) => ok(await set(change)),
      'gateway.addBot': (asked) => {
        const owner = shownOwner(wallet)
        if (!owner.ok) return owner
        const added = add({ ...asked, wallet: owner.value })
        if (!added.ok) return added
        const { closesInMs } = outlets.reveal(asked.label, added.value.token)
        return ok({ botId: added.value.id, closesAtMs: clock.now() + closesInMs })
      },
      'gateway.setPolicy': ({ botId, policy }) => done(bots.setPolicy(botId, policy)),
      'gateway.pause': ({ botId }) => pause(botId),
      'gateway.resume': ({ botId }) => done(resume(botId)),
      'gateway.revoke': ({ botId }) => done(revoke(botId)),
    },
  }
}

const addressOf = (place: ListenerPlace | undefined, port: number): string =>
  place === undefined ? `http://127.0.0.1:${port}` : `https://${place.address.includes(':') ? `[${place.address}]` : place.address}:${port}`

/** Slippage for closing a silent bot's positions, in basis points: wide enough to close in a moving market. */
const closeSlippageBps = 300

const isAction = (action: string): action is 'cancel' | 'close' => action === 'cancel' || action === 'close'

const done = (result: Result<void, Failure>): Result<Record<never, never>, Failure> => (result.ok ? ok({}) : result)
