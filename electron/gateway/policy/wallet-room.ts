import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { FieldMap } from '../../../shared/api/reader/field.ts'
import { add } from '../../../shared/decimal.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { canonicalId } from '../../../shared/same-id.ts'
import { readFinality } from '../../../shared/signing/prepared-action.ts'
import { type Clock, hour, second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import { createOpenOrders } from '../../reads/account/open-orders.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import { type ApiClient, forBots, type KeyCredential } from '../../service/transport/api-client.ts'
import type { StoredCall } from '../../store/records/gateway-records.ts'

/** The wallet's positions and waiting orders; null for a part that cannot be read. */
export interface WalletNow {
  readonly positions: readonly Position[] | null
  readonly orders: readonly OpenOrder[] | null
  /** How long the service asked the bots of the key to wait; null if it did not. */
  readonly limitedMs: number | null
}

/** Stored calls whose value still counts beside the lists of the wallet. */
export interface Reservations {
  reserved(wallet: string): readonly { readonly name: string; readonly call: StoredCall }[]
  /** Records that the lists show the outcome of calls. */
  shown(names: readonly string[]): void
}

/** Room that an order has taken and that no stored call counts yet. */
export interface Room {
  /** The value of what was reserved before this room, and of the room itself, in USDC. */
  upToHere(): string
  /** Sets a larger value, once the lists have told it. */
  grow(valueUsdc: string): void
  release(): void
}

export interface WalletRoom {
  /**
   * Reserves a value before anything is read. The reservation ends with `release`: as soon as a stored call counts it, or because the order does not
   * leave.
   */
  reserve(wallet: string, valueUsdc: string): Room
  /**
   * Reads the wallet's positions and orders. The reading starts after this call, and all who ask meanwhile share it. When it is there, calls whose
   * outcome it shows no longer count.
   */
  read(wallet: string): Promise<WalletNow>
}

export interface WalletRoomDeps {
  readonly api: ApiClient
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly reservations: Reservations
  readonly fieldMap: () => FieldMap | undefined
  readonly clock: Clock
  readonly sleep: Sleep
  /** Called if the service refuses a reading for too many calls with a key. */
  readonly limited: (keyId: string, retryAfterMs: number) => void
}

/** The readings of one wallet start at least this far apart, so that the bots of a wallet share them. */
const apartMs = 250
/** How many executions a reading follows, those first that were not asked for longest, and how often each. */
const mostFollowed = 8
const followEveryMs = second
/** A call that the service accepted this long ago and of which nothing more can be learned counts as shown by the lists. */
const surelyListedMs = hour

/** What is known of an accepted call beside the lists. */
interface Followed {
  readonly askedAt: number
  readonly isUnderWay: boolean
  readonly hasFailed: boolean
  readonly orderIds: readonly string[] | null
  /** When it was learned that its transaction is final or reverted; null before. Lists that were read later show what it did. */
  readonly finalAt: number | null
}

interface Lists {
  /** Ids of the listed orders, in the form of `canonicalId`. */
  readonly ids: ReadonlySet<string>
  readonly clientOrderIds: ReadonlySet<string>
  readonly startedAt: number
}

/** Reads the lists of each wallet for its bots, and counts what these do not show yet. */
export function createWalletRoom(deps: WalletRoomDeps): WalletRoom {
  const { credentials, reservations, fieldMap, clock, sleep, limited } = deps
  const api = forBots(deps.api)
  const openOrders = createOpenOrders({ api, monotonic: clock.monotonic, ownCancels: () => new Set() })
  const rooms = new Map<string, Set<{ valueUsdc: string }>>()
  const followed = new Map<string, Followed>()
  const reading = new Map<string, { now: Promise<WalletNow> | null; next: Promise<WalletNow> | null; startedAt: number }>()

  const follow = async (name: string, call: StoredCall, key: KeyCredential): Promise<void> => {
    const before = followed.get(name)
    const told = toldBy(call, fieldMap())
    const base: Followed = { askedAt: clock.monotonic(), isUnderWay: false, hasFailed: false, orderIds: null, finalAt: null, ...before }
    followed.set(name, { ...base, askedAt: clock.monotonic() })
    const asked = { query: {}, body: undefined, credential: key } as const
    const status = told.commandId === null ? null : await api.call(endpoints.getDelegatedExecution, { ...asked, params: { command_id: told.commandId } })
    const command = status?.ok === true ? status.value.value : null
    const results = command?.results ?? []
    const isPending = (state: string | null | undefined): boolean => state == null || !ends.has(state.toLowerCase())
    const txHash = command?.txHash ?? told.txHash
    const report = txHash === null ? null : await api.call(endpoints.getNativeExecution, { ...asked, params: { tx_hash: txHash } })
    const finality = report?.ok === true ? readFinality(report.value.value).finality : null
    followed.set(name, {
      askedAt: clock.monotonic(),
      isUnderWay: command !== null && isPending(command.state),
      hasFailed: command?.state?.toLowerCase() === 'failed',
      orderIds:
        results.length === 0 || results.some(({ state, orderId }) => isPending(state) || (orderId === null && state?.toLowerCase() !== 'failed'))
          ? null
          : results.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])),
      finalAt: finality === 'final' || finality === 'reverted' ? clock.monotonic() : null,
    })
  }

  /** Whether the lists show the outcome of a call, so that counting it beside them would count it twice. */
  const isShown = (name: string, call: StoredCall, { ids, clientOrderIds, startedAt }: Lists): boolean => {
    if (call.state === 'sent') return false
    if (call.clientOrderIds.length >= call.orders && call.clientOrderIds.every((id) => clientOrderIds.has(id))) return true
    const known = followed.get(name)
    if (known?.hasFailed === true) return true
    if (known?.orderIds?.every((id) => ids.has(canonicalId(id))) === true) return true
    if (known?.finalAt != null && known.finalAt < startedAt) return true
    return clock.now() - call.atMs > surelyListedMs && known?.isUnderWay !== true
  }

  const mayLearnMore = (known: Followed | undefined): boolean =>
    known === undefined || (known.finalAt === null && !known.hasFailed && clock.monotonic() - known.askedAt >= followEveryMs)

  const readOnce = async (wallet: string): Promise<WalletNow> => {
    const startedAt = clock.monotonic()
    const nothing = { positions: null, orders: null, limitedMs: null }
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return nothing
    const key = credential.value
    const following = reservations
      .reserved(wallet)
      .filter(({ name, call }) => call.state === 'done' && mayLearnMore(followed.get(name)))
      .sort((a, b) => (followed.get(a.name)?.askedAt ?? Number.NEGATIVE_INFINITY) - (followed.get(b.name)?.askedAt ?? Number.NEGATIVE_INFINITY))
      .slice(0, mostFollowed)
    const followedNow = Promise.all(following.map(({ name, call }) => follow(name, call, key).catch(() => undefined)))
    // Orders first: an order that is filled in between is then in both lists, and never in neither.
    const orders = await openOrders.read(wallet, key)
    const positions = await api.call(endpoints.getPositions, { params: {}, query: {}, body: undefined, credential: key })
    await followedNow
    for (const answer of [orders, positions])
      if (!answer.ok && answer.failure.failure.kind === 'rate_limited') {
        const limitedMs = answer.failure.retryAfterMs ?? second
        limited(key.keyId, limitedMs)
        return { ...nothing, limitedMs }
      }
    if (!orders.ok || !positions.ok) return { ...nothing, positions: positions.ok ? positions.value.value.positions : null }
    const { orders: listed, cut } = orders.value.value
    const lists: Lists = {
      ids: new Set(listed.map(({ id }) => canonicalId(id))),
      clientOrderIds: new Set(listed.flatMap(({ clientOrderId }) => clientOrderId ?? [])),
      startedAt,
    }
    const shown = reservations.reserved(wallet).filter(({ name, call }) => isShown(name, call, lists))
    reservations.shown(shown.map(({ name }) => name))
    for (const { name } of shown) followed.delete(name)
    return { positions: positions.value.value.positions, orders: cut === null ? listed.filter(isWaiting) : null, limitedMs: null }
  }

  return {
    reserve: (wallet, valueUsdc) => {
      const mine = { valueUsdc }
      const all = rooms.get(wallet) ?? new Set()
      rooms.set(wallet, all)
      all.add(mine)
      return {
        upToHere: () => {
          let sum = '0'
          for (const one of all) {
            sum = add(sum, one.valueUsdc)
            // Rooms that were reserved later count this one, so it need not count them.
            if (one === mine) break
          }
          return reservations.reserved(wallet).reduce((total, { call }) => add(total, call.reservedUsdc ?? '0'), sum)
        },
        grow: (value) => {
          mine.valueUsdc = value
        },
        release: () => void all.delete(mine),
      }
    },
    read: (wallet) => {
      const one = reading.get(wallet) ?? { now: null, next: null, startedAt: Number.NEGATIVE_INFINITY }
      reading.set(wallet, one)
      one.next ??= (async () => {
        await one.now?.catch(() => undefined)
        const waitMs = one.startedAt + apartMs - clock.monotonic()
        if (waitMs > 0) await sleep(waitMs)
        one.startedAt = clock.monotonic()
        one.now = one.next
        one.next = null
        return readOnce(wallet)
      })()
      return one.next
    },
  }
}

/** States in which a delegated execution or one of its actions has ended. */
const ends: ReadonlySet<string> = new Set(['executed', 'partially_executed', 'failed'])

/** The command and the transaction that the service named when it accepted a call. */
function toldBy({ route, answer }: StoredCall, fieldMap: FieldMap | undefined): { readonly commandId: string | null; readonly txHash: string | null } {
  const json = answer === null ? null : readJson(foreign(Buffer.from(answer.body, 'base64').toString('utf8')))
  if (route === 'relay') {
    const read = endpoints.relayIntent.response.read(json, { fieldMap })
    return { commandId: null, txHash: read.ok ? read.value.txHash : null }
  }
  const read = endpoints.executeOrder.response.read(json, { fieldMap })
  const delegated = read.ok ? read.value.delegated : null
  return { commandId: delegated?.commandId ?? null, txHash: delegated?.txHash ?? null }
}
