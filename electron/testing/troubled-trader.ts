import { type Arbitrary, constant, constantFrom, nat, oneof, record } from 'fast-check'
import type { Intent } from '../../shared/ipc/orders.ts'
import type { ActionTicket, OpenTicket } from '../../shared/ipc/tickets.ts'
import { minute, second } from '../../shared/time.ts'
import { terminalIntentStates } from '../journal/states.ts'
import { agreed, type Desk, value } from './desk.ts'
import { Killed } from './sudden-death.ts'
import { marketTicket, prepareRoute, relayRoute, startTrader } from './trader.ts'

const finalityRoute = 'GET /api/dex/v1/native/executions/{tx_hash}'
const lookUpRoutes = ['GET /api/dex/v1/orders/by-client-id', 'GET /api/dex/v1/transactions'] as const

const orders = ['long', 'short', 'limit', 'close half', 'close', 'close at limit', 'invert'] as const
const troubles = [
  'none',
  'prepare: answer lost',
  'prepare: request lost',
  'prepare: fails',
  'relay: answer lost',
  'relay: answer lost, nothing found',
  'relay: request lost',
  'relay: answer cut',
  'relay: fails',
  'relay: refused',
  'relay: asked to wait',
  'relay: killed meanwhile',
  'finality: fails',
] as const
const phones = ['signs', 'rejects', 'is silent', 'answers late', 'is asked twice'] as const
const chains = ['mines', 'reverts', 'reorganises'] as const

/** Well as often as not: what goes wrong is to meet what went well. */
const mostly = <Value>(usual: Value, weight: number, ...others: readonly Value[]): Arbitrary<Value> =>
  oneof({ weight, arbitrary: constant(usual) }, { weight: 1, arbitrary: constantFrom(...others) })

/** Of fast-check: what a trader does, and what goes wrong meanwhile. `dies`: before which of its writes the process ends. */
export const anyMove = record({
  order: constantFrom(...orders),
  pairId: constantFrom(1, 2),
  /** Of 10 USDC. */
  value: nat(40),
  trouble: mostly('none', 1, ...troubles),
  phone: mostly('signs', 4, ...phones),
  chain: mostly('mines', 3, ...chains),
  dies: oneof({ weight: 3, arbitrary: constant(null) }, { weight: 2, arbitrary: nat(9) }),
})
export type Move = typeof anyMove extends Arbitrary<infer Value> ? Value : never

/** Which transitions were gone through, and before which writes the process died. */
export interface ReachedByTrader {
  readonly transitions: Set<string>
  readonly deaths: Set<string>
}

export interface TroubledTrader {
  readonly desk: Desk
  /** The references of the intents that each press of Review made, oldest first. */
  readonly presses: readonly (readonly string[])[]
  meet(move: Move): Promise<void>
  /** Lets time pass until nothing is open, answering for what is left to the user. */
  settle(drops: boolean): Promise<void>
  intents(): Intent[]
}

export async function startTroubledTrader(reached: ReachedByTrader): Promise<TroubledTrader> {
  const desk = await startTrader()
  const presses: string[][] = []
  const journal = () => desk.journal().intents
  const intents = () => journal().list('practice', { wallet: null, beforeMs: null, limit: 1_000 }).intents

  const noteTransitions = () => {
    for (const { ref } of intents()) {
      const states = journal()
        .timeline(ref)
        .map(({ state }) => state)
      for (const [index, state] of states.entries()) {
        const next = states[index + 1]
        if (next !== undefined) reached.transitions.add(`${state} → ${next}`)
      }
    }
  }

  const cause = (trouble: Move['trouble']) => {
    const { faults } = desk
    Object.assign(faults, { dropRequest: [], dropAnswer: [], body: [], answer: [], delay: [] })
    const answers = (route: string, status: number, code: string) => ({ route, status, code, times: 99 })
    switch (trouble) {
      case 'none':
        return
      case 'prepare: answer lost':
        faults.dropAnswer = [{ route: prepareRoute, times: 1 }]
        return
      case 'prepare: request lost':
        faults.dropRequest = [{ route: prepareRoute, times: 99 }]
        return
      case 'prepare: fails':
        faults.answer = [answers(prepareRoute, 500, 'INTERNAL')]
        return
      case 'relay: answer lost':
        faults.dropAnswer = [{ route: relayRoute, times: 99 }]
        return
      case 'relay: answer lost, nothing found':
        faults.dropAnswer = [{ route: relayRoute, times: 99 }]
        faults.answer = lookUpRoutes.map((route) => answers(route, 500, 'INTERNAL'))
        return
      case 'relay: request lost':
        faults.dropRequest = [{ route: relayRoute, times: 99 }]
        return
      case 'relay: answer cut':
        faults.body = [{ route: relayRoute, kind: 'truncated' }]
        return
      case 'relay: fails':
        faults.answer = [answers(relayRoute, 500, 'INTERNAL')]
        return
      case 'relay: refused':
        faults.answer = [answers(relayRoute, 400, 'NOT_NOW')]
        return
      case 'relay: asked to wait':
        faults.answer = [answers(relayRoute, 429, 'RATE_LIMITED')]
        return
      case 'relay: killed meanwhile':
        faults.delay = [{ route: relayRoute, ms: null }]
        return
      case 'finality: fails':
        faults.answer = [answers(finalityRoute, 500, 'INTERNAL')]
        return
    }
  }

  async function ticketOf({ order, pairId, value: tens }: Move): Promise<OpenTicket | ActionTicket | null> {
    const market = await marketTicket(desk, { pairId, orderValueUsdc: String(100 + tens * 10) })
    if (order === 'long' || order === 'short') return { ...market, side: order }
    if (order === 'limit') {
      const { referencePrice, maxSlippageBps: _, restIfUnfilled: __, ...rest } = market
      // Deep enough that it waits.
      const half = referencePrice.split('.')[0] ?? '1'
      return { ...rest, orderType: 'limit', limitPrice: String(Math.max(1, Math.floor(Number(half) / 2))), timeInForce: 'gtc', postOnly: false }
    }
    const held = value(await desk.handlers()['account.positions']({})).positions.find((one) => one.pairId === pairId)
    if (held === undefined || held.id === null || held.size === null) return null
    const position = { positionId: held.id, pairId, symbol: held.symbol, side: held.side, size: held.size, takeProfit: null, stopLoss: null }
    const { referencePrice, maxSlippageBps } = market
    switch (order) {
      case 'close half':
        return { action: 'close_position_market', position, size: held.size.replace(/\d$/, '0').replace(/^0$/, held.size), referencePrice, maxSlippageBps }
      case 'close':
        return { action: 'close_position_market', position, size: null, referencePrice, maxSlippageBps }
      case 'close at limit':
        return { action: 'close_position_limit', position, size: null, limitPrice: referencePrice, timeInForce: 'gtc', postOnly: false }
      case 'invert':
        return { action: 'invert_position', position, referencePrice, maxSlippageBps }
    }
  }

  /** From Review to what the phone does. */
  async function press(move: Move): Promise<void> {
    const ticket = await ticketOf(move)
    if (ticket === null) return
    const prepared = await desk.handlers()['orders.prepare'](ticket)
    if (!prepared.ok || !prepared.value.ready) return
    const { ref } = prepared.value.intent
    const ask = () => desk.handlers()['orders.ask']({ ref, ...agreed })
    const request = await ask()
    if (!request.ok) return
    await desk.handlers()['orders.asked']({ ref, topic: 'topic', requestId: '1' })
    switch (move.phone) {
      case 'rejects':
        await desk.handlers()['orders.declined']({ ref, why: 'rejected', detail: null })
        return
      case 'is silent':
        return
      case 'is asked twice': {
        await desk.handlers()['orders.declined']({ ref, why: 'unreachable', detail: null })
        const again = await ask()
        if (again.ok) await desk.handlers()['orders.signed']({ ref, signature: await desk.sign(again.value) })
        return
      }
      case 'answers late':
        desk.clock.advance(6 * minute)
        break
      case 'signs':
        break
    }
    if (move.chain === 'reverts') desk.chain.revertNext()
    const signed = Promise.resolve(desk.handlers()['orders.signed']({ ref, signature: await desk.sign(request.value) }))
    if (move.trouble !== 'relay: killed meanwhile') {
      await signed
      return
    }
    // The exchange holds its answer back, if it was asked at all; the process ends while it waits.
    const ended = signed.then(
      () => true,
      () => true,
    )
    const heard = () => journal().get(ref)?.state === 'SENT'
    while (!heard()) if (await Promise.race([ended, new Promise<false>((next) => setImmediate(() => next(false)))])) return
    await restart()
    await ended
  }

  const restart = async () => {
    desk.beforeWrite = () => {}
    await desk.restart()
    noteTransitions()
    await desk.connect()
  }

  const meet = async (move: Move): Promise<void> => {
    const before = intents().map(({ ref }) => ref)
    cause(move.trouble)
    let left = move.dies ?? Number.POSITIVE_INFINITY
    let dead: string | null = null
    desk.beforeWrite = (what) => {
      left -= 1
      if (left < 0) dead ??= what
      if (dead !== null) throw new Killed()
    }
    try {
      await press(move)
      if (move.chain !== 'reorganises') await desk.tick()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    desk.beforeWrite = () => {}
    if (dead !== null) {
      reached.deaths.add(dead)
      await restart()
    }
    cause('none')
    presses.push(
      intents()
        .map(({ ref }) => ref)
        .filter((ref) => !before.includes(ref)),
    )
    await desk.chain.mine(move.chain === 'reorganises' ? 8 : 2)
    await desk.tick()
    if (move.chain === 'reorganises') {
      await desk.chain.reorganise(9)
      await desk.tick()
    }
    noteTransitions()
  }

  const open = () => journal().open('practice')

  return {
    desk,
    presses,
    intents,
    meet,
    settle: async (drops) => {
      for (let round = 0; round < 12 && open().length > 0; round += 1) {
        for (const { ref, state } of open()) if (state === 'SIGNED') await desk.handlers()['orders.resume']({ ref, action: drops ? 'drop' : 'relay' })
        await desk.chain.mine(9)
        // The service tells its time, without which nothing is given up.
        value(await desk.handlers()['markets.list']({}))
        await desk.tick()
        if (round > 1) desk.clock.advance(4 * minute)
      }
      desk.clock.advance(second)
      noteTransitions()
    },
  }
}

export const isSettled = ({ state }: Intent): boolean => terminalIntentStates.includes(state)
