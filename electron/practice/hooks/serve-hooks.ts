import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { second } from '../../../shared/time.ts'
import { type Faults, noFaults } from '../base/faults.ts'
import { badRequest, done, type LoopbackServer, notFound, serveOnLoopback } from '../base/loopback-server.ts'
import type { PracticeClock } from '../base/practice-clock.ts'
import type { RunningChain } from '../chain/start-chain.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { LifecycleEvent, PracticeEvent } from '../exchange/stream/lifecycle.ts'
import type { Relay } from '../relay/relay-server.ts'
import type { Phone } from '../wallet/phone.ts'
import { SampleHook, takeSample, WalletAddress } from './sample-hook.ts'

export interface HookTargets {
  readonly token: string
  readonly clock: PracticeClock
  readonly faults: Faults
  readonly chain: RunningChain
  readonly exchange: Exchange
  readonly relay: Relay
  readonly phone: Phone
}

const ClockHook = z.strictObject({ advanceMs: z.number().int().nonnegative() })
const RelayHook = z.strictObject({ up: z.boolean().optional(), hold: z.boolean().optional(), dropSockets: z.literal(true).optional() })
const ChainHook = z.strictObject({
  pause: z.boolean().optional(),
  mine: z.number().int().positive().optional(),
  reorg: z.number().int().positive().optional(),
})
/**
 * A request that adds invented trades to a wallet, by default a year of them to the phone's wallet. The same seed, time and wallet produce the same
 * trades.
 */
const PastHook = z.strictObject({
  wallet: WalletAddress.optional(),
  trades: z.number().int().min(1).max(20_000).default(10_000),
  days: z.number().int().min(1).max(1_000).default(365),
})
/** A request that sets faults by name. An unknown name is refused, because it must be a mistake in the test. */
const FaultsHook = z.partialRecord(z.enum(Object.keys(noFaults()) as [keyof Faults]), z.unknown())

type Hook = (body: unknown, query: URLSearchParams) => Promise<{ status: number; body: unknown }>

/**
 * Serves the test hooks over HTTP. With them, tests control the time, the faults, the phone's user, the relay and the chain. The product's build
 * contains no test hooks.
 */
export function serveHooks({ token, clock, faults, chain, exchange, relay, phone }: HookTargets): Promise<LoopbackServer> {
  const wallet = createWalletHooks(phone)

  const answering =
    <T extends z.ZodType>(schema: T, act: (hook: z.infer<T>) => Promise<object>): Hook =>
    async (body) => {
      const hook = schema.safeParse(body)
      if (!hook.success) return { ...badRequest, body: { error: z.prettifyError(hook.error) } }
      return { status: 200, body: await act(hook.data) }
    }
  const taking = <T extends z.ZodType>(schema: T, act: (hook: z.infer<T>) => Promise<void>): Hook =>
    answering(schema, async (hook) => {
      await act(hook)
      return done.body
    })

  const hooks: Readonly<Record<string, Hook>> = {
    'POST /clock': taking(ClockHook, async ({ advanceMs }) => {
      clock.advance(advanceMs)
      await chain.timeSettled()
      await exchange.settle()
    }),
    'POST /faults': taking(FaultsHook, async (some) => {
      Object.assign(faults, some)
      await exchange.faultsChanged()
    }),
    'DELETE /faults': async () => {
      Object.assign(faults, noFaults())
      await exchange.faultsChanged()
      return done
    },
    'POST /sample': answering(SampleHook, async (sample) => ({
      keys: takeSample({ exchange, clock, chain }, { ...sample, wallet: sample.wallet ?? phone.address }),
    })),
    'POST /past': answering(PastHook, async ({ wallet, ...amount }) => exchange.givePast(wallet ?? phone.address, amount)),
    'GET /calls': async () => ({ status: 200, body: exchange.calls() }),
    'GET /effects': async () => {
      await exchange.settle()
      return { status: 200, body: exchange.effects() }
    },
    'GET /rows': async () => {
      await exchange.settle()
      return { status: 200, body: exchange.rows(phone.address) }
    },
    'GET /altered': async () => ({ status: 200, body: exchange.altered() }),
    'GET /truth': async (_, query) => {
      const [requestId, route] = [query.get('request_id'), query.get('route')]
      return { status: 200, body: exchange.truth({ ...(requestId !== null && { requestId }), ...(route !== null && { route }) }) }
    },
    'GET /deliveries': async () => {
      await exchange.settle()
      return { status: 200, body: exchange.deliveries() }
    },
    'POST /deliver': answering(DeliverHook, async ({ wallet, webhookId, ...wanted }) => {
      const event = sampleEvent(wanted, clock.now())
      return { event_id: event.id, webhook_ids: exchange.announce(wallet ?? phone.address, event, webhookId) }
    }),
    'POST /disable': taking(DisableHook, async ({ webhookId }) => exchange.disableWebhook(phone.address, webhookId)),
    'POST /wallet': taking(WalletHook, wallet.apply),
    'POST /relay': taking(RelayHook, async ({ up, hold, dropSockets }) => {
      if (hold !== undefined) relay.hold(hold)
      if (dropSockets === true) relay.dropSockets()
      if (up !== undefined) await relay.setUp(up)
    }),
    'POST /chain': taking(ChainHook, async ({ pause, mine, reorg }) => {
      if (pause !== undefined) await chain.pauseMining(pause)
      if (mine !== undefined) await chain.mine(mine)
      if (reorg !== undefined) await chain.reorganise(reorg)
      await exchange.settle()
    }),
  }
  return serveOnLoopback(token, async ({ method, url, body }) => (await hooks[`${method} ${url.pathname}`]?.(body, url.searchParams)) ?? notFound)
}

const hash = `0x${'5a'.repeat(32)}`
const order = { row: 1, tx_hash: hash, order_id: 'ord_sample', pair_id: 1, side: 'long' }
const transaction = { tx_hash: hash, intent_id: 'dx_sample', command_id: null, block_number: 7_000_001, confirmations: 8 }

/**
 * Sample data for each event, about a long position in market 1. There is no sample for `liquidation.warning`, because the exchange never sends that
 * event.
 */
export const samples = {
  'order.accepted': { ...order, client_order_id: 'sample-1', order_type: 'limit', size: '0.02', price: '100000' },
  'order.filled': { ...order, price: '100000', size: '0.02', filled_size: '0.02', fee_usdc: '1' },
  'order.partially_filled': { ...order, price: '100000', size: '0.005', filled_size: '0.005', fee_usdc: '0.25' },
  'order.cancelled': { row: 1, tx_hash: hash, order_id: 'ord_sample', reason: 'cancelled_by_trader' },
  'position.changed': { row: 1, tx_hash: hash, position_id: 'pos_sample', pair_id: 1, order_id: 'ord_sample' },
  liquidation: { row: 1, tx_hash: null, position_id: 'pos_sample', price: '91000', lost_usdc: '200' },
  'funding.charged': { row: 1, tx_hash: null, position_id: 'pos_sample', amount_usdc: '-0.25' },
  'funding.credited': { row: 1, tx_hash: null, position_id: 'pos_sample', amount_usdc: '0.25' },
  'collateral.changed': { row: 1, tx_hash: hash, token: 'USDC', amount: '100' },
  'transaction.confirmed': transaction,
  'transaction.reverted': transaction,
  'transaction.pending': { ...transaction, block_number: null, confirmations: 0 },
  'chain.reorg': { revoked_type: 'transaction.confirmed', tx_hash: hash, rows: [] },
} satisfies Readonly<Record<Exclude<PracticeEvent, 'liquidation.warning'>, LifecycleEvent['data']>>

const corrections: readonly PracticeEvent[] = ['transaction.pending', 'chain.reorg']

/**
 * A request to deliver an event that did not really happen. Goes to all subscriptions of the wallet that list the event, or only to the subscription
 * `webhookId`.
 */
const DisableHook = z.strictObject({ webhookId: z.string() })
const DeliverHook = z.strictObject({
  type: z.enum(Object.keys(samples) as [keyof typeof samples]),
  webhookId: z.string().optional(),
  /** The id of the event that a correction revokes; by default a generated id. */
  revokedEventId: z.string().max(96).optional(),
  /** The wallet that the event is about. Default: the wallet of the practice phone. */
  wallet: WalletAddress.optional(),
})

function sampleEvent({ type, revokedEventId }: Pick<z.infer<typeof DeliverHook>, 'type' | 'revokedEventId'>, nowMs: number): LifecycleEvent {
  const id = `evt_sample_${randomBytes(8).toString('hex')}`
  const revoked = revokedEventId ?? (corrections.some((each) => each === type) ? `${id}_before` : null)
  const event = { id, type, created_at: Math.floor(nowMs / second), data: samples[type] }
  return revoked === null ? event : { ...event, revoked_event_id: revoked }
}

/** A request with which a test controls the phone. Settings of absent fields stay unchanged. */
const WalletHook = z.strictObject({
  autoApprove: z.boolean().optional(),
  /** If true, the phone neither approves nor rejects requests automatically, even if `autoApprove` or `rejectCode` is set. */
  hold: z.boolean().optional(),
  /** If `other`, the phone signs every request with the wallet's other account, even if the request names the main account. */
  signAs: z.enum(['other']).nullable().optional(),
  account: z.enum(['main', 'other']).optional(),
  chain: z.number().int().positive().optional(),
  /** The error code with which the phone rejects all pending and all later requests. */
  rejectCode: z.number().int().nullable().optional(),
  disconnect: z.literal(true).optional(),
})
type WalletHook = z.infer<typeof WalletHook>

interface WalletHooks {
  apply(hook: WalletHook): Promise<void>
}

/** Answers the phone's requests in place of a person. Approves, rejects or ignores a request, as the test has configured. */
function createWalletHooks(phone: Phone): WalletHooks {
  let autoApprove = false
  let hold = false
  let rejectCode: number | null = null
  const settle = async (id: string) => {
    if (hold) return
    if (rejectCode !== null) await phone.reject(id, rejectCode)
    else if (autoApprove) await phone.approve(id)
  }
  phone.onRequest(({ id }) => void settle(id))
  return {
    apply: async (hook) => {
      autoApprove = hook.autoApprove ?? autoApprove
      hold = hook.hold ?? hold
      if (hook.rejectCode !== undefined) rejectCode = hook.rejectCode
      if (hook.signAs !== undefined) phone.signAs(hook.signAs)
      if (hook.account !== undefined) await phone.switchAccount(hook.account)
      if (hook.chain !== undefined) await phone.switchChain(hook.chain)
      if (hook.disconnect === true) await phone.disconnectAll()
      for (const { id } of phone.state().requests) await settle(id)
    },
  }
}
