import { z } from 'zod'
import type { RunningChain } from '../chain/start-chain.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { type Faults, noFaults } from '../faults.ts'
import { badRequest, done, type LoopbackServer, notFound, serveOnLoopback } from '../loopback-server.ts'
import type { PracticeClock } from '../practice-clock.ts'
import type { Relay } from '../relay/relay.ts'
import type { Phone } from '../wallet/phone.ts'
import { DeliverHook, sampleEvent } from './sample-event.ts'
import { SampleHook, takeSample, WalletAddress } from './sample-hook.ts'
import { createWalletHooks, WalletHook } from './wallet-hooks.ts'

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
/** A year of trading; the same seed, time and wallet give the same one. Absent wallet: the phone's. */
const PastHook = z.strictObject({
  wallet: WalletAddress.optional(),
  trades: z.number().int().min(1).max(20_000).default(10_000),
  days: z.number().int().min(1).max(1_000).default(365),
})
/** Any of the faults, by name; a name that does not exist is a mistake of the test. */
const FaultsHook = z.partialRecord(z.enum(Object.keys(noFaults()) as [keyof Faults]), z.unknown())

type Hook = (body: unknown, query: URLSearchParams) => Promise<{ status: number; body: unknown }>

/** The test hooks: time, faults, the phone's user, the relay and the chain, over HTTP. Not in the product's build. */
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
