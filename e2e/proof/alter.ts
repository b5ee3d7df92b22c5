import { type Alteration, alterations } from '../../electron/practice/dialect/alter.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import { confirmationPhrase } from '../../shared/signing/confirmation-phrase.ts'
import { value } from '../support/main/workspace.ts'
import type { Actor } from './actor.ts'

/** An action whose message or transactions the service alters, in each of the ways. */
export interface Altered {
  readonly action: string
  readonly ticket: OrderTicket
}

export interface AlteredResult {
  /** Messages and transactions that said something else than was asked for. */
  readonly tried: number
  readonly kinds: readonly Alteration[]
  /** Those that the wallet would have been asked for. */
  readonly signed: readonly string[]
}

/** Of several transactions these alter the last one alone. */
const ofTheLast: readonly Alteration[] = ['other_router', 'value_added', 'extra_address', 'extra_amount', 'deadline_far']

/** What an honest order of a dialect may have asked; for an unknown field it never does. */
const isHonest = (expected: string): boolean => expected === confirmationPhrase

/**
 * Has the service alter each action in each way, and presses on as a user would who says whatever an honest order of this dialect ever asked: the words
 * for a new signing format, and yes to a contract.
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
        // The alteration does not fit the action: it is as it should be.
        if (workspace.exchange.altered().length === before) continue
        tried += 1
        kinds.add(alteration)
        if (!prepared.ok) continue
        const { intent, transactions } = prepared.value
        const { ref } = intent
        let asked = await actor.ask(ref, isHonest)
        // The approval before an altered transaction is as it should be.
        for (let done = 1; done < transactions.length && asked.ok && ofTheLast.includes(alteration); done += 1) {
          await actor.answer(ref, asked.value)
          await actor.nextBlock()
          asked = await actor.ask(ref, isHonest)
        }
        if (!asked.ok) continue
        // A deadline beside a transaction is not part of what the wallet sends.
        if (!(alteration === 'deadline_far' && asked.value.method === 'eth_sendTransaction')) signed.push(`${action} with ${alteration}`)
        value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
      }
  } finally {
    workspace.faults.alteration = null
  }
  return { tried, kinds: [...kinds], signed }
}

/** A client order id names one order. */
const fresh = (ticket: OrderTicket, number: number): OrderTicket =>
  'clientOrderId' in ticket && ticket.clientOrderId !== undefined ? { ...ticket, clientOrderId: `${ticket.clientOrderId}-${number}` } : ticket
