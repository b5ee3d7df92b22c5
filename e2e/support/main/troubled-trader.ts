import { terminalIntentStates } from '../../../electron/store/journal/tables/states.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { day, hour, minute, second } from '../../../shared/time.ts'
import { startEverything } from './everything.ts'
import { Killed } from './sudden-death.ts'
import { cause, causeNext } from './troubled-exchange.ts'
import { type ExecutorMove, type Move, reverts, type SignatureMove, type TransactionsMove } from './troubled-moves.ts'
import { createTroubledPhone } from './troubled-phone.ts'
import { delegatedTicket, sentTicket, signedTicket, situationOf } from './troubled-tickets.ts'
import { agreed, type Workspace } from './workspace.ts'

/** What the random runs reached: state transitions by execution method, and the writes before which the process died. */
export interface ReachedByTrader {
  readonly transitions: Set<string>
  readonly deaths: Set<string>
}

export interface TroubledTrader {
  readonly workspace: Workspace
  /** For each press of the Review button, the references of the intents that it created, oldest first. */
  readonly presses: readonly (readonly string[])[]
  /** Hashes of transactions that the wallet sent without a request from the app. */
  readonly foreign: ReadonlySet<string>
  meet(move: Move): Promise<void>
  /** Lets time pass until no intent is open. If an intent waits for a decision, the user resumes it or, with `drops`, lets it expire. */
  settle(drops: boolean): Promise<void>
  intents(): Intent[]
}

/**
 * After this round of `settle`, users who drop intents also retry executor orders that are UNKNOWN. If only executor orders are open then, each round
 * advances the clock by a day.
 */
const lastRounds = 4

/** The number of confirmations that a transaction has when a reorganisation removes it; `null` if there is no reorganisation. */
function depthOf(chain: Move['chain']): number | null {
  switch (chain) {
    case 'reorganises':
    case 'takes back':
    case 'reverts and takes back':
      return limits.finalityConfirmations
    case 'takes back at once':
      return 2
    default:
      return null
  }
}

export async function startTroubledTrader(reached: ReachedByTrader): Promise<TroubledTrader> {
  const workspace = await startEverything()
  const presses: string[][] = []
  /**
   * Key: an intent’s reference. Value: the round of `settle` from which a user who drops intents retries the execution (`Infinity`: never). Without
   * an entry, the user retries it in every round.
   */
  const letBe = new Map<string, number>()
  const journal = () => workspace.journal().intents
  const intents = () => journal().list('practice', { wallet: null, beforeMs: null, limit: 1_000 }).intents
  const refs = () => intents().map(({ ref }) => ref)
  const open = () => journal().open('practice')

  const noteTransitions = () => {
    for (const { ref, way } of intents()) {
      const states = journal()
        .timeline(ref)
        .map(({ state }) => state)
      for (const [index, state] of states.entries()) {
        const next = states[index + 1]
        if (next !== undefined) reached.transitions.add(`${way ?? 'unprepared'}: ${state} → ${next}`)
      }
    }
  }

  const restart = async () => {
    workspace.beforeWrite = () => {}
    await workspace.restart()
    noteTransitions()
    await workspace.connect()
  }
  const phone = createTroubledPhone({ workspace, restart })
  const ask = (ref: string) => workspace.handlers()['intents.ask']({ ref, ...agreed })

  /** Kills and restarts the app’s process while it waits for the exchange’s response. Does nothing if the app sent no request. */
  async function killedDuring(work: Promise<unknown>): Promise<void> {
    const ended = work.then(
      () => true,
      () => true,
    )
    const isSent = () => open().some(({ state }) => state === 'SENT')
    while (!isSent()) if (await Promise.race([ended, new Promise<false>((next) => setImmediate(() => next(false)))])) return
    await restart()
    await ended
  }

  async function sign(move: SignatureMove, ref: string, request: SignRequest): Promise<void> {
    switch (move.phone) {
      case 'rejects':
        await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null })
        return
      case 'is silent':
        return
      case 'is asked twice': {
        await workspace.handlers()['intents.declined']({ ref, why: 'unreachable', detail: null })
        const again = await ask(ref)
        if (again.ok) await workspace.handlers()['intents.answered']({ ref, answer: await workspace.sign(again.value) })
        return
      }
      case 'answers late':
        workspace.clock.advance(6 * minute)
        break
      case 'signs':
        break
    }
    if (reverts(move.chain)) workspace.chain.revertNext()
    const signed = Promise.resolve(workspace.handlers()['intents.answered']({ ref, answer: await workspace.sign(request) }))
    await (move.trouble === 'relay: killed meanwhile' ? killedDuring(signed) : signed)
  }

  /** Simulates a user who signs an order with the wallet, from Review to the phone’s response. */
  async function pressSignature(move: SignatureMove): Promise<void> {
    const ticket = signedTicket(move, await situationOf(workspace, move))
    if (ticket === null) return
    const prepared = await workspace.handlers()['intents.prepare'](ticket)
    if (!prepared.ok || !prepared.value.ready) return
    const { ref } = prepared.value.intent
    const request = await ask(ref)
    if (!request.ok) return
    await workspace.handlers()['intents.asked']({ ref, topic: 'topic', requestId: '1' })
    await sign(move, ref, request.value)
  }

  /**
   * Simulates a user who sends an order’s transactions with the wallet. Returns a function that does what the phone still does after the app stopped
   * waiting; `null` if the phone does nothing more.
   */
  async function pressTransactions(move: TransactionsMove): Promise<(() => void) | null> {
    const ticket = await sentTicket(workspace, move, await situationOf(workspace, move))
    const prepared = await workspace.handlers()['intents.prepare'](ticket)
    if (!prepared.ok || !prepared.value.ready) return null
    const { ref } = prepared.value.intent
    const last = prepared.value.transactions.length - 1
    for (let step = 0; step <= last; step += 1) {
      const request = await ask(ref)
      if (!request.ok) return null
      const later = await phone.answer(ref, request.value, step === Math.min(move.step, last) ? move : { phone: 'signs', chain: 'mines' })
      if (step === last || later !== null) return later
      await workspace.chain.mine(1)
      await workspace.tick()
      if (move.chain === 'takes the first back') {
        await workspace.chain.reorganise(1, 'waits')
        await workspace.tick()
        await workspace.chain.mine(1)
        await workspace.tick()
      }
    }
    return null
  }

  async function pressExecutor(move: ExecutorMove): Promise<void> {
    const before = refs()
    const ticket = delegatedTicket(move, await situationOf(workspace, move))
    if (reverts(move.chain)) workspace.chain.revertNext()
    workspace.chain.setAway(move.chain === 'is away' || (move.chain === 'sends nothing for long' && 'for sending'))
    workspace.onSleep = () => causeNext(workspace, move.trouble)
    const executed = Promise.resolve(workspace.handlers()['intents.execute']({ ticket, keyId: null }))
    await (move.trouble === 'execute: killed meanwhile' ? killedDuring(executed) : executed)
    const isLong = move.trouble === 'execute: never arrives' || move.trouble === 'execute: every answer lost for long'
    // After three minutes the app no longer retries the request automatically.
    if (isLong || move.chain === 'sends nothing for long') workspace.clock.advance(3 * minute)
    for (const { ref, state, body } of open().filter((row) => isLong && !before.includes(row.ref))) {
      if (state !== 'UNKNOWN') continue
      if (move.trouble === 'execute: never arrives') letBe.set(ref, Number.POSITIVE_INFINITY)
      else if (body.includes('client_order_id')) letBe.set(ref, lastRounds)
    }
    if (move.chain === 'sends nothing for long') await workspace.chain.mine(1)
  }

  async function press(move: Move): Promise<(() => void) | null> {
    switch (move.way) {
      case 'signature':
        await pressSignature(move)
        return null
      case 'transactions':
        return pressTransactions(move)
      case 'executor':
        await pressExecutor(move)
        return null
    }
  }

  const meet = async (move: Move): Promise<void> => {
    const before = refs()
    cause(workspace, move.trouble)
    let left = move.dies ?? Number.POSITIVE_INFINITY
    let dead: string | null = null
    let later: (() => void) | null = null
    workspace.beforeWrite = (what) => {
      left -= 1
      if (left < 0) dead ??= what
      if (dead !== null) throw new Killed()
    }
    const deep = depthOf(move.chain)
    try {
      later = await press(move)
      if (deep === null) await workspace.tick()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    workspace.beforeWrite = () => {}
    workspace.onSleep = () => {}
    if (dead !== null) {
      reached.deaths.add(`${move.way}: ${dead}`)
      await restart()
    }
    cause(workspace, 'none')
    workspace.chain.setAway(false)
    presses.push(refs().filter((ref) => !before.includes(ref)))
    later?.()
    await workspace.chain.mine(deep ?? 2)
    await workspace.tick()
    if (deep !== null) {
      await workspace.chain.reorganise(deep + 1, move.chain === 'reorganises' ? 'forgotten' : 'waits')
      await workspace.tick()
    }
    noteTransitions()
  }

  /** Simulates the user’s decision about an intent that waits for one: resumes, drops, sends or retries it. */
  const goOn = async ({ ref, way, state }: Intent, drops: boolean, round: number) => {
    if (state === 'SIGNED') await workspace.handlers()['intents.resume']({ ref, action: drops ? 'drop' : 'relay' })
    if (state === 'PREPARED' && way === 'transactions' && !drops) {
      const request = await ask(ref)
      if (request.ok) await phone.answer(ref, request.value, { phone: 'signs', chain: 'mines' })
    }
    if (state === 'UNKNOWN' && way === 'executor' && (!drops || round >= (letBe.get(ref) ?? 0))) await workspace.handlers()['intents.replay']({ ref })
  }

  return {
    workspace,
    presses,
    foreign: phone.foreign,
    intents,
    meet,
    settle: async (drops) => {
      const isOpen = () => open().length > 0 || workspace.journal().transactions.open('practice').length > 0
      for (let round = 0; round < 12 && isOpen(); round += 1) {
        for (const row of open()) await goOn(row, drops, round)
        await workspace.chain.mine(9)
        // The app learns the service’s time from this response. It needs that time to give up expired requests. If the call fails, a later round
        // repeats it.
        await workspace.handlers()['markets.list']({})
        await workspace.tick()
        const isLetBe = round > lastRounds && open().every(({ way }) => way === 'executor')
        if (round > 1) workspace.clock.advance(isLetBe ? day + hour : 4 * minute)
      }
      workspace.clock.advance(second)
      noteTransitions()
    },
  }
}

export const isSettled = ({ state }: Intent): boolean => terminalIntentStates.includes(state)
