import { type Alteration, alterations } from '../../electron/practice/dialect/alter.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import { confirmationPhrase } from '../../shared/phrases.ts'
import { value } from '../support/main/workspace.ts'
import type { Actor } from './actor.ts'

/** An action whose message or transactions the service alters in every possible way, one at a time. */
export interface Altered {
  readonly action: string
  readonly ticket: OrderTicket
}

export interface AlteredResult {
  /** Number of altered messages and transactions that were tried. */
  readonly tried: number
  readonly kinds: readonly Alteration[]
  /** Altered requests that the app failed to block: it would have sent them to the wallet. */
  readonly signed: readonly string[]
}

/** Alterations that change only the last transaction of an action. */
const ofTheLast: readonly Alteration[] = ['other_router', 'value_added', 'extra_address', 'extra_amount', 'deadline_far']

/** Whether the app may ask for this phrase for an unaltered order: it may for a new signing format, but never for an unknown field. */
const isHonest = (expected: string): boolean => expected === confirmationPhrase

/**
 * Lets the service alter each action in each way, and tests whether the app blocks it. The simulated user is careless, and confirms everything that
 * the app asks for an unaltered order: the phrase for a new signing format, and a new contract.
 */
export async function tryAlterations(actor: Actor, actions: readonly Altered[]): Promise<AlteredResult> {
  const { workspace } = actor
  const kinds = new Set<Alteration>()
  const signed: string[] = []
  let tried = 0
  try {
    for (const { action, ticket } of actions)
      for (const alteration of alterations) {
        workspace.faults.alteration = alteration
        const before = workspace.exchange.altered().length
        const prepared = await workspace.handlers()['intents.prepare'](fresh(ticket, tried))
        // This alteration does not apply to the action. The response is unaltered, so the test skips it.
        if (workspace.exchange.altered().length === before) continue
        tried += 1
        kinds.add(alteration)
        if (!prepared.ok) continue
        const { intent, transactions } = prepared.value
        const { ref } = intent
        let asked = await actor.ask(ref, isHonest)
        // If the alteration changes only the last transaction, first sends the unaltered transactions before it, such as an approval.
        for (let done = 1; done < transactions.length && asked.ok && ofTheLast.includes(alteration); done += 1) {
          await actor.answer(ref, asked.value)
          await actor.nextBlock()
          asked = await actor.ask(ref, isHonest)
        }
        if (!asked.ok) continue
        // An altered deadline is harmless for a transaction, because the transaction does not contain the deadline that the service names beside it.
        if (!(alteration === 'deadline_far' && asked.value.method === 'eth_sendTransaction')) signed.push(`${action} with ${alteration}`)
        value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
      }
  } finally {
    workspace.faults.alteration = null
  }
  return { tried, kinds: [...kinds], signed }
}

const fresh = (ticket: OrderTicket, number: number): OrderTicket =>
  'clientOrderId' in ticket && ticket.clientOrderId !== undefined ? { ...ticket, clientOrderId: `${ticket.clientOrderId}-${number}` } : ticket
