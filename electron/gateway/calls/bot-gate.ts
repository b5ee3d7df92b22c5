import { z } from 'zod'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { versionedPath } from '../../../shared/api/host-url.ts'
import { limits } from '../../../shared/api/limits.ts'
import { ReceiptRequest, RelayRequest } from '../../../shared/api/schemas/intents.ts'
import type { Scope } from '../../../shared/api/scopes.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import { fail } from '../../../shared/result.ts'
import { hour, second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import type { ForwardedAnswer, Forwarder, ForwardRequest, KeyCredential, Unforwarded } from '../../service/transport/api-client.ts'
import { retryAfterMs } from '../../service/transport/retry.ts'
import type { StoredBot } from '../../store/records/gateway-records.ts'
import type { Records } from '../../store/records/registry.ts'
import type { BotFigures, Bots } from '../bots/bots.ts'
import { type Asked, addressScope, type FairShare } from '../bots/fair-share.ts'
import { type BotRequest, type GatewayRefusal, type Reply, refusal, refusalOf, type StreamingReply } from '../http/listener.ts'
import { endsRiskOnly, type Policies, roomOf } from '../policy/policy.ts'
import { type Body, hashOfBody, OrderItem, parseOnce, type ReadOrder, readExecute, readPrepare, scopesOfUnread, subjectsOf } from '../policy/read-order.ts'
import type { Elsewhere } from '../state/gateway-state.ts'
import { type BotCalls, keptMs, mostCalls, plainHeaders, replyOf, unsentReply } from './bot-calls.ts'

export interface BotGateDeps {
  readonly profileId: string
  readonly forwarder: Forwarder
  readonly credentials: Pick<Credentials, 'forKey'>
  readonly records: Pick<Records, 'botIntents'>
  readonly fieldMap: Pick<FieldMapService, 'names' | 'answers'>
  readonly bots: Bots
  readonly policies: Policies
  readonly fairShare: FairShare
  readonly figures: BotFigures
  readonly calls: () => BotCalls
  readonly clock: ServiceClock
  readonly newId: () => string
  /** Whether the secret of a key is being replaced now. Meanwhile the exchange may refuse the old one, and the new one is not stored yet. */
  readonly isRotating: (keyId: string) => boolean
  readonly sleep: Sleep
  /** The largest number of stored intents of one bot; `mostCalls` by default. */
  readonly most?: number
  /** Called after a bot changed something, so that no later read shows the account as it was before. */
  readonly acted: () => void
}

export interface BotGate {
  /** Decides about a call of a bot, passes it on, and returns the answer. */
  answer(request: BotRequest): Promise<Reply | StreamingReply>
  /** Sends an execution with a bot's key, without asking the bot's limits. */
  execute(bot: StoredBot, body: string, isExit: boolean, mayGo: () => boolean): Promise<ForwardedAnswer | Unforwarded | GatewayRefusal>
  /** The key of a bot; from memory if the gateway has used it before, so that bots work on while the app is locked. */
  keyOf(bot: StoredBot): Promise<KeyCredential | GatewayRefusal>
  /** Ends the streams of one bot, or of all, and stops asking for their keys. */
  hangUp(bot: string | null): void
  /** Forgets one key, or all: because it may have changed, or because no bot uses it any longer. */
  forgetKeys(keyId?: string): void
  /** Forgets the intents that bots prepared long ago. Call it regularly. */
  prune(): void
}

const deadlineMs = 10 * second
/** How long a bot's call waits for the new secret of its key, and how often the gateway looks for it. */
const rotationMs = 10 * second
const rotationStepMs = 50
/** Calls without a token, for public data, and those of an unknown bot. They share one place in the queue. */
export const anonymous = 'public'
/** Streams of all bots together. Each holds one of the bots’ connections to the exchange; see `mostAtOnce` of the forwarder. */
const mostStreams = 4

const needsNoKey = (endpoint: BotRequest['route']['endpoint']): boolean => endpoint.credential === 'none'

/** Connects the listener with the service: knows the bot, its mode and its scopes, and puts in the key. */
export function createBotGate(deps: BotGateDeps): BotGate {
  const { profileId, forwarder, credentials, records, fieldMap, bots, policies, fairShare, figures, clock, newId, most = mostCalls } = deps
  const keys = new Map<string, KeyCredential>()
  const streams = new Map<() => void, string>()
  /** The number of stored intents of each bot. */
  const intentsOf = new Map<string, number>()
  let prunedAtMs = 0

  const keyOf: BotGate['keyOf'] = async ({ wallet, keyId }) => {
    const known = keys.get(keyId)
    if (known !== undefined) return known
    const found = await credentials.forKey(wallet, keyId)
    if (!found.ok) return refusalOf(found.failure)
    keys.set(keyId, found.value)
    return found.value
  }

  /** The document limits the calls of each key (`quotas`). Only a call without a key can be counted by the address. */
  const slowed = (answer: ForwardedAnswer | Unforwarded, scope: string) => {
    if (answer.kind === 'answer' && answer.status === 429) fairShare.slower(scope, retryAfterMs(answer.headers['retry-after'], clock.now()) ?? second)
    if (answer.kind === 'unsent' && answer.why === 'waiting') fairShare.slower(scope, answer.retryAfterMs)
  }

  /** The bot as it is now: while a call waited, the bot may have got another key. */
  const current = (bot: StoredBot): StoredBot => bots.get(bot.id) ?? bot

  /**
   * Sends with the bot's key. If the service no longer knows the key, the key may just have been rotated, or the bot may just have got another one: then
   * once more with the new secret. `isRepetition`: an earlier attempt may have taken effect, so only the same key may send it again.
   */
  const withKey = async (
    asked: StoredBot,
    request: Omit<ForwardRequest, 'credential'>,
    isRepetition = false,
  ): Promise<ForwardedAnswer | Unforwarded | GatewayRefusal> => {
    const bot = current(asked)
    const key = await keyOf(bot)
    if ('code' in key) return key
    const answer = await forwarder.forward({ ...request, credential: key })
    slowed(answer, bot.keyId)
    if (answer.kind !== 'answer' || answer.status !== 401) return answer
    for (let waited = 0; waited <= rotationMs; waited += rotationStepMs) {
      const isRotating = deps.isRotating(bot.keyId)
      keys.delete(bot.keyId)
      const next = await keyOf(isRepetition ? bot : current(bot))
      if ('code' in next) return answer
      // A 401 proves that the exchange did nothing with this attempt, so it can be repeated.
      if (!next.apiKey.equals(key.apiKey)) return forwarder.forward({ ...request, credential: next })
      if (!isRotating || !(await deps.sleep(rotationStepMs))) return answer
    }
    return answer
  }

  const asReply = (answer: ForwardedAnswer | Unforwarded | GatewayRefusal): Reply => {
    if ('code' in answer) return answer
    if (answer.kind === 'answer') return replyOf(answer)
    if (answer.kind === 'unsent') return unsentReply(answer)
    return refusal(answer.why === 'key_shown' ? 'KEY_IN_ANSWER' : 'NO_ANSWER')
  }

  const turnOf = async (asked: Asked): Promise<GatewayRefusal | null> => {
    const turn = await fairShare.turn(asked)
    if (typeof turn === 'object') return unsentReply({ kind: 'unsent', why: 'waiting', retryAfterMs: turn.heldMs })
    if (turn === 'busy') return refusal('BUSY', {}, { 'retry-after': '1' })
    return turn === 'ended' ? refusal('UNREACHABLE') : null
  }

  const passed = async (bot: StoredBot | null, request: BotRequest, body: string | null, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const { endpoint, target } = request.route
    const keyed = bot !== null && !needsNoKey(endpoint) ? bot : null
    const held = await turnOf({ bot: bot?.id ?? anonymous, isExit: false, scope: keyed?.keyId ?? addressScope, signal: request.gone })
    if (held !== null) return held
    const wire = {
      ...{ endpoint, target, headers, requestId: request.requestId, body, deadlineMs },
      mayGo: () => bot === null || bots.mayAct(bot.id),
    }
    if (keyed !== null) return asReply(await withKey(keyed, wire))
    const answer = await forwarder.forward({ ...wire, credential: null })
    slowed(answer, addressScope)
    return asReply(answer)
  }

  const streamed = async (bot: StoredBot, request: BotRequest): Promise<Reply | StreamingReply> => {
    if (streams.size >= mostStreams) return refusal('BUSY', {}, { 'retry-after': '5' })
    const held = await turnOf({ bot: bot.id, isExit: false, scope: bot.keyId, signal: request.gone })
    if (held !== null) return held
    const key = await keyOf(current(bot))
    if ('code' in key) return key
    const early: Buffer[] = []
    let write: (part: Buffer) => void = (part) => early.push(part)
    let end: () => void = () => undefined
    let isOver = false
    const { endpoint, target } = request.route
    const answer = await forwarder.forwardStream(
      {
        ...{ endpoint, target, credential: key, requestId: request.requestId, deadlineMs, signal: request.gone },
        headers: request.lastEventId === null ? {} : { 'last-event-id': request.lastEventId },
        mayGo: () => bots.mayAct(bot.id),
      },
      {
        onChunk: (part) => write(part),
        onEnd: () => {
          isOver = true
          end()
        },
      },
    )
    if (answer.kind !== 'open') return asReply(answer)
    const hangUp = () => {
      streams.delete(hangUp)
      answer.stream.close()
      end()
    }
    streams.set(hangUp, bot.id)
    return {
      status: 200,
      headers: plainHeaders(answer.headers),
      start: (to, ends) => {
        for (const part of early.splice(0)) to(part)
        write = to
        end = ends
        if (isOver) ends()
        return () => {
          streams.delete(hangUp)
          end = () => undefined
          answer.stream.close()
        }
      },
    }
  }

  const lackedScope = (bot: StoredBot, scopes: readonly Scope[]): GatewayRefusal | null => {
    const scope = scopes.find((one) => !bot.scopes.includes(one))
    return scope === undefined ? null : refusal('SCOPE', { required_scope: scope })
  }

  const parsed = (body: string | null): unknown | GatewayRefusal => {
    const read = parseOnce(body ?? '')
    return typeof read === 'string' ? refusal('BODY', { why: read }) : read.json
  }

  const executed = async (bot: StoredBot, request: BotRequest): Promise<Reply> => {
    const json = parsed(request.body)
    if (isRefusal(json)) return json
    const order = readExecute(json, fieldMap.names())
    const isDry = bot.policy.mode === 'dry_run' || (order.ok && order.value.isDryRun)
    if (!order.ok) return isDry ? triedOut(bot, request, json, null) : order.failure
    const lacked = lackedScope(bot, order.value.scopes)
    if (lacked !== null) return lacked
    if (isDry) return triedOut(bot, request, json, order.value)
    const { body, items } = order.value
    const key = order.value.idempotencyKey ?? request.idempotencyKey ?? `bot-${bot.id}-${newId()}`
    // The service reads the key of an execution only from the payload (Idempotency rules 6).
    const text = JSON.stringify(hasKey(body) ? body : { ...body, payload: { ...body.payload, idempotency_key: key } })
    const endsRisk = endsRiskOnly(items)
    const held = await turnOf({ bot: bot.id, isExit: endsRisk, scope: bot.keyId, signal: request.gone })
    if (held !== null) return held
    const { keyId } = current(bot)
    const reply = await deps.calls().run({
      ...{
        route: 'execute',
        bot,
        key: `${order.value.action}~${key}`,
        hash: hashOfBody(json),
        keyId,
        endsRisk,
        repeatsLate: order.value.repeatsLate,
        subjects: subjectsOf(items),
        clientOrderIds: [...order.value.clientOrderIds],
        body: text,
        ...roomOf(items),
      },
      take: (elsewhere) => take(bot.id, items, endsRisk, elsewhere),
      send: (sent, isRepetition) => send(bot, sent, request.requestId, endsRisk, () => mayTrade(bot.id), isRepetition),
    })
    deps.acted()
    return reply
  }

  /** Checks the items against the bot's policy of this moment: the user may have changed it while the call waited. */
  const take = async (id: string, items: readonly OrderItem[], endsRisk: boolean, elsewhere: Elsewhere | null): ReturnType<Policies['take']> => {
    const bot = bots.get(id)
    if (bot === null) return fail(refusal('TOKEN_UNKNOWN'))
    const taken = await policies.take(bot, items, elsewhere)
    if (taken.ok) {
      figures.ordered(id)
      if (!endsRisk) bots.opened(id, taken.value.pairIds)
    }
    return taken
  }

  const mayTrade = (id: string): boolean => bots.mayAct(id) && bots.get(id)?.policy.mode === 'live'

  const send = (bot: StoredBot, body: string, requestId: string | null, isExit: boolean, mayGo: () => boolean, isRepetition = false) =>
    withKey(bot, { endpoint: endpoints.executeOrder, target: executeTarget, requestId, body, deadlineMs, isExit, mayGo }, isRepetition)

  /** Turns an execution into a validation. Its key differs from that of the real order, or the service would answer the real order with this validation. */
  const triedOut = async (bot: StoredBot, request: BotRequest, json: unknown, order: ReadOrder | null): Promise<Reply> => {
    const body = z.looseObject({ action: z.string(), payload: z.looseObject({}) }).safeParse(json)
    if (!body.success) return refusal('BODY', { why: 'unread', field: '' })
    const scopes = order?.scopes ?? scopesOfUnread('execute', body.data.action)
    const lacked = scopes === null ? null : lackedScope(bot, scopes)
    if (lacked !== null) return lacked
    if (order !== null) {
      const taken = await policies.take(bot, order.items, null)
      if (!taken.ok) return taken.failure
      taken.value.release()
    }
    const { payload } = body.data
    const tried = bot.policy.mode === 'dry_run' ? { ...body.data, payload: { ...payload, idempotency_key: `dry-${newId()}` }, prepare_only: true } : body.data
    return passed(bot, request, JSON.stringify(tried))
  }

  const prepared = async (bot: StoredBot, request: BotRequest): Promise<Reply> => {
    const json = parsed(request.body)
    if (isRefusal(json)) return json
    const order = readPrepare(json, fieldMap.names())
    const headers = request.idempotencyKey === null ? {} : { 'idempotency-key': request.idempotencyKey }
    if (!order.ok) {
      if (bot.policy.mode === 'live') return order.failure
      const body = z.looseObject({ action: z.string() }).safeParse(json)
      const scopes = scopesOfUnread('prepare', body.success ? body.data.action : null)
      return scopes === null ? order.failure : (lackedScope(bot, scopes) ?? passed(bot, request, JSON.stringify(json), headers))
    }
    const lacked = lackedScope(bot, order.value.scopes)
    if (lacked !== null) return lacked
    if ((intentsOf.get(bot.id) ?? 0) >= most && !endsRiskOnly(order.value.items)) return refusal('FULL', { most }, { 'retry-after': '60' })
    const taken = await policies.take(bot, order.value.items, null)
    if (!taken.ok) return taken.failure
    // A preparation executes nothing. The relay of its intent takes the room.
    taken.value.release()
    const reply = await passed(bot, request, JSON.stringify(order.value.body), headers)
    if (reply.status === 200) remember(bot, reply, order.value)
    return reply
  }

  /** Remembers which bot an intent belongs to, because its relay carries no token. */
  const remember = (bot: StoredBot, { body }: Reply, { items }: ReadOrder) => {
    const read = endpoints.prepareOrder.response.read(readJson(foreign(body.toString('utf8'))), { fieldMap: fieldMap.answers() })
    if (!read.ok) return
    const key = { profile: profileId, intent: read.value.intentId }
    // A repetition of a preparation gets the same intent.
    if (records.botIntents.read(key) === null) intentsOf.set(bot.id, (intentsOf.get(bot.id) ?? 0) + 1)
    records.botIntents.write(key, { bot: bot.id, atMs: clock.now(), order: JSON.stringify(items) })
  }

  /** Forgets old intents, and counts the others of each bot. */
  const pruneIntents = () => {
    prunedAtMs = clock.now()
    intentsOf.clear()
    for (const { key, record } of records.botIntents.list({ profile: profileId }))
      if (prunedAtMs - record.atMs > keptMs) records.botIntents.delete(key)
      else intentsOf.set(record.bot, (intentsOf.get(record.bot) ?? 0) + 1)
  }

  /** The bot that prepared an intent. A relay names no bot, so an intent that no bot prepared here is refused. */
  const ownerOf = (intentId: string, named: StoredBot | null): { readonly bot: StoredBot; readonly items: readonly OrderItem[] } | GatewayRefusal => {
    const intent = records.botIntents.read({ profile: profileId, intent: intentId })
    const bot = intent === null ? null : bots.get(intent.bot)
    if (intent === null || bot === null || (named !== null && named.id !== bot.id)) return refusal('INTENT')
    const items = z.array(OrderItem).safeParse(JSON.parse(intent.order))
    return items.success ? { bot, items: items.data } : refusal('INTENT')
  }

  const relayed = async (named: StoredBot | null, request: BotRequest): Promise<Reply> => {
    const json = parsed(request.body)
    if (isRefusal(json)) return json
    const body = RelayRequest.strict().safeParse(json)
    if (!body.success) return refusal('BODY', { why: 'unread', field: '' })
    const { intent_id: intentId, wallet } = body.data
    const owner = ownerOf(intentId, named)
    if ('code' in owner) return owner
    const { bot, items } = owner
    const held =
      heldMode(bot) ?? (bot.policy.mode === 'dry_run' ? refusal('DRY_RUN') : wallet.toLowerCase() === bot.wallet.toLowerCase() ? null : refusal('INTENT'))
    if (held !== null) return held
    const endsRisk = endsRiskOnly(items)
    const turn = await turnOf({ bot: bot.id, isExit: endsRisk, scope: addressScope, signal: request.gone })
    if (turn !== null) return turn
    const { endpoint, target } = request.route
    const reply = await deps.calls().run({
      ...{
        route: 'relay',
        bot,
        key: `${relayKey}${intentId}`,
        hash: hashOfBody(json),
        keyId: current(bot).keyId,
        endsRisk,
        repeatsLate: false,
        subjects: subjectsOf(items),
        clientOrderIds: items.flatMap((item) => (item.kind === 'open' && item.clientOrderId !== null ? [item.clientOrderId] : [])),
        body: JSON.stringify(body.data),
        ...roomOf(items),
      },
      take: (elsewhere) => take(bot.id, items, endsRisk, elsewhere),
      send: async (sent) => {
        const answer = await forwarder.forward({
          endpoint,
          target,
          credential: null,
          requestId: request.requestId,
          body: sent,
          deadlineMs,
          isExit: endsRisk,
          mayGo: () => mayTrade(bot.id),
        })
        slowed(answer, addressScope)
        return answer
      },
    })
    deps.acted()
    return reply
  }

  const reported = async (named: StoredBot | null, request: BotRequest): Promise<Reply> => {
    const json = parsed(request.body)
    if (isRefusal(json)) return json
    const body = ReceiptRequest.strict().safeParse(json)
    if (!body.success) return refusal('BODY', { why: 'unread', field: '' })
    const owner = ownerOf(body.data.intent_id, named)
    if ('code' in owner) return owner
    if (body.data.wallet.toLowerCase() !== owner.bot.wallet.toLowerCase()) return refusal('INTENT')
    return heldMode(owner.bot) ?? passed(owner.bot, request, JSON.stringify(body.data))
  }

  const heldMode = (bot: StoredBot): GatewayRefusal | null =>
    !bots.mayAct(bot.id) ? refusal('PAUSED') : bot.policy.mode === 'observe' ? refusal('OBSERVES') : null

  const decided = (bot: StoredBot | null, request: BotRequest): Promise<Reply | StreamingReply> | Reply => {
    const { kind, endpoint, params } = request.route
    if (bot !== null && !bots.mayAct(bot.id)) return refusal('PAUSED')
    if (kind === 'relay') return relayed(bot, request)
    if (kind === 'receipt') return reported(bot, request)
    if (kind === 'read' && needsNoKey(endpoint)) return passed(bot, request, null)
    if (bot === null) return refusal('TOKEN_REQUIRED')
    const { scope } = endpoint
    const lacked = scope === null || scope === 'by_action' ? null : lackedScope(bot, [scope])
    if (lacked !== null) return lacked
    switch (kind) {
      case 'outcome':
        return deps.calls().outcome(bot.id, params.key ?? '', () => turnOf({ bot: bot.id, isExit: false, scope: bot.keyId, signal: request.gone }))
      case 'stream':
        return streamed(bot, request)
      case 'read': {
        if (request.body === null) return passed(bot, request, null)
        const json = parsed(request.body)
        return isRefusal(json) ? json : passed(bot, request, JSON.stringify(json))
      }
      case 'prepare':
        return heldMode(bot) ?? prepared(bot, request)
      case 'execute':
        return heldMode(bot) ?? executed(bot, request)
    }
  }

  pruneIntents()
  return {
    async answer(request) {
      const started = clock.monotonic()
      const named = request.token === null ? null : bots.byToken(request.token)
      const found = typeof named === 'string' ? null : named
      const reply = named === 'unknown' ? refusal('TOKEN_UNKNOWN') : named === 'expired' ? refusal('TOKEN_EXPIRED') : await decided(found, request)
      const code = 'code' in reply ? (reply as GatewayRefusal).code : null // The cast is safe: only a refusal has a code.
      // A bot that only gets refusals of the gateway does nothing at the exchange, so it counts as silent.
      if (found !== null && code === null) bots.used(found.id)
      figures.called(found?.id ?? anonymous, { ms: clock.monotonic() - started, status: reply.status, code })
      return reply
    },
    execute: (bot, body, isExit, mayGo) => send(bot, body, null, isExit, mayGo, true),
    keyOf,
    hangUp: (bot) => {
      for (const [hangUp, id] of [...streams]) if (bot === null || id === bot) hangUp()
    },
    forgetKeys: (keyId) => (keyId === undefined ? keys.clear() : void keys.delete(keyId)),
    prune: () => {
      if (clock.now() - prunedAtMs > hour) pruneIntents()
    },
  }
}

/** Marks the stored call of a relay. */
export const relayKey = 'relay~'

const executeTarget = `${versionedPath}/orders/execute`

const isRefusal = (value: unknown): value is GatewayRefusal =>
  typeof value === 'object' && value !== null && 'code' in value && 'body' in value && Buffer.isBuffer(value.body)

/** Whether the payload already has a key that the service accepts as an idempotency key (Idempotency rules 6). */
const hasKey = ({ payload }: Body): boolean =>
  payload.idempotency_key !== undefined || (typeof payload.client_order_id === 'string' && limits.idempotencyKey.pattern.test(payload.client_order_id))
