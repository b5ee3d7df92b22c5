import { createHmac } from 'node:crypto'
import type { Address } from 'viem'
import { second } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import type { PracticeClock } from '../../base/practice-clock.ts'
import type { WebhookRow } from '../state/state.ts'
import type { LifecycleEvent } from '../stream/lifecycle.ts'
import { createDeliveryLog, type DeliveryRecord, noteAttempt } from './delivery-log.ts'
import type { Post } from './post-delivery.ts'
import type { Webhooks } from './webhook-subscriptions.ts'

/** How long to wait before each retry of a delivery. A delivery has at most 4 attempts (API document: Delivery rules 6). */
const waitsMs = [2 * second, 4 * second, 8 * second]
/** Maximum number of pending events per subscription. Further events are dropped. */
const pendingAllowed = 256

/**
 * Delivers events to subscriptions. Sends the events of a subscription one after the other. Sends a retry when it is due, even between two other
 * events. Drops pending events when practice stops.
 */
export interface Deliveries {
  /**
   * Delivers an event to the wallet’s active subscriptions that list the event’s name or `*`. If `webhookId` is given, delivers only to that
   * subscription. Returns the ids of the subscriptions.
   */
  announce(wallet: Address, event: LifecycleEvent, webhookId?: string): readonly string[]
  /** Drops pending deliveries of subscriptions that are now disabled. */
  subscriptionsChanged(): void
  /** Call after the simulated faults have changed. Delivers the events that a fault has held back until now, newest first. */
  faultsChanged(): void
  all(): readonly DeliveryRecord[]
  stop(): Promise<void>
}

interface Parts {
  readonly webhooks: Pick<Webhooks, 'list' | 'signingSecret'>
  readonly post: Post
  /** The service’s clock, which sets the timestamps of deliveries. A simulated fault may make it wrong. */
  readonly nowMs: () => number
  readonly clock: PracticeClock
  readonly faults: Pick<Faults, 'deliveries'>
  readonly onDefect: (error: unknown) => void
}

interface Lane {
  readonly webhook: WebhookRow
  /** Deliveries that have had no attempt yet. */
  untried: DeliveryRecord[]
  readonly pending: Set<DeliveryRecord>
  held: DeliveryRecord[]
  isBusy: boolean
}

export function createDeliveries({ webhooks, post, nowMs, clock, faults, onDefect }: Parts): Deliveries {
  const log = createDeliveryLog()
  const waits = createWaits(clock)
  const lanes = new Map<string, Lane>()
  let hasStopped = false

  const laneOf = (webhook: WebhookRow): Lane => {
    const lane = lanes.get(webhook.id) ?? { webhook, untried: [], held: [], pending: new Set(), isBusy: false }
    lanes.set(webhook.id, lane)
    return lane
  }

  const end = ({ pending }: Lane, delivery: DeliveryRecord, state: DeliveryRecord['state'], reason: DeliveryRecord['reason'] = null) => {
    delivery.state = state
    delivery.reason = reason
    pending.delete(delivery)
  }

  const attempt = async (lane: Lane, delivery: DeliveryRecord, waitedMs: number): Promise<void> => {
    if (hasStopped || delivery.state !== 'pending') return
    const body = Buffer.from(delivery.body)
    const atMs = nowMs()
    const timestamp = String(Math.floor(atMs / second))
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      'User-Agent': 'Svc-DEX-Webhook/1.0',
      'X-Svc-Event': delivery.type,
      'X-Svc-Event-ID': delivery.event_id,
      'X-Svc-Timestamp': timestamp,
      'X-Svc-Signature': signatureOf(webhooks.signingSecret(lane.webhook), timestamp, body),
    }
    const outcome = await post.send(lane.webhook, headers, body)
    if (hasStopped) return
    const counts = noteAttempt(delivery, outcome, { at_ms: atMs, timestamp, waited_ms: waitedMs })
    if (counts) return end(lane, delivery, 'delivered')
    // The subscription was disabled during the attempt, so the delivery has already ended.
    if (delivery.state !== 'pending') return
    const waitMs = waitsMs[delivery.attempts.length - 1]
    if (waitMs === undefined) return end(lane, delivery, 'given_up')
    const failedMs = clock.monotonic()
    waits.after(waitMs, () => void attempt(lane, delivery, Math.round(clock.monotonic() - failedMs)).catch(onDefect))
  }

  const tryNext = async (lane: Lane): Promise<void> => {
    if (lane.isBusy) return
    lane.isBusy = true
    while (lane.untried.length > 0 && !hasStopped) {
      const next = lane.untried.shift()
      if (next !== undefined) await attempt(lane, next, 0)
    }
    lane.isBusy = false
  }

  const begin = (lane: Lane) => void tryNext(lane).catch(onDefect)

  const add = (webhook: WebhookRow, event: LifecycleEvent) => {
    const lane = laneOf(webhook)
    const delivery = log.begin(webhook, event)
    const isLost = faults.deliveries?.drop?.some((type) => type === '*' || type === event.type) === true
    if (isLost) return end(lane, delivery, 'dropped', 'fault')
    if (lane.pending.size >= pendingAllowed) return end(lane, delivery, 'dropped', 'queue_full')
    lane.pending.add(delivery)
    if (faults.deliveries?.holdBack === true) lane.held.push(delivery)
    else lane.untried.push(delivery)
  }

  return {
    announce: (wallet, event, webhookId) => {
      if (hasStopped) return []
      const named = webhooks
        .list(wallet)
        .filter(({ disabledAtMs, events }) => disabledAtMs === null && (events.includes('*') || events.includes(event.type)))
        .filter(({ id }) => webhookId === undefined || id === webhookId)
      for (const webhook of named) {
        add(webhook, event)
        if (faults.deliveries?.duplicate === true) add(webhook, event)
        begin(laneOf(webhook))
      }
      return named.map(({ id }) => id)
    },
    subscriptionsChanged: () => {
      for (const lane of lanes.values()) {
        if (lane.webhook.disabledAtMs === null) continue
        for (const delivery of [...lane.pending]) end(lane, delivery, 'dropped', 'disabled')
        lane.untried = []
        lane.held = []
      }
    },
    faultsChanged: () => {
      if (faults.deliveries?.holdBack === true) return
      for (const lane of lanes.values()) {
        lane.untried.push(...lane.held.splice(0).reverse())
        begin(lane)
      }
    },
    all: log.all,
    stop: async () => {
      hasStopped = true
      waits.stop()
      await post.stop()
    },
  }
}

/**
 * Computes `X-Svc-Signature`: `v1=` and a hex HMAC-SHA256 over the timestamp, a period and the raw body. The HMAC key is the full signing
 * secret (API document: Delivery rules 3).
 * @param timestamp Unix seconds of this attempt, as sent in `X-Svc-Timestamp`
 */
export const signatureOf = (signingSecret: string, timestamp: string, body: Buffer): string =>
  `v1=${createHmac('sha256', signingSecret).update(`${timestamp}.`).update(body).digest('hex')}`

/** Timers on the practice clock. They normally run in real time. If a test advances the clock past them, they run at once. */
interface Waits {
  after(ms: number, act: () => void): void
  stop(): void
}

function createWaits(clock: PracticeClock): Waits {
  let waiting: { readonly atMs: number; readonly act: () => void }[] = []
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    const nowMs = clock.monotonic()
    const due = waiting.filter(({ atMs }) => atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs)
    waiting = waiting.filter(({ atMs }) => atMs > nowMs)
    for (const { act } of due) act()
    arm()
  }
  const arm = () => {
    if (timer !== null) clearTimeout(timer)
    // Timers run in real time, but deadlines are in practice time. If the practice clock was paused, the timer fires too early, so set it again.
    const leftMs = Math.min(...waiting.map(({ atMs }) => atMs)) - clock.monotonic()
    timer = waiting.length === 0 ? null : setTimeout(look, Math.max(1, leftMs)).unref()
  }
  const unsubscribe = clock.onAdvance(look)
  return {
    after: (ms, act) => {
      waiting.push({ atMs: clock.monotonic() + ms, act })
      arm()
    },
    stop: () => {
      unsubscribe()
      waiting = []
      arm()
    },
  }
}
