import { type Alteration, alterations } from '../../electron/practice/dialect/alter.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import { confirmationPhrase } from '../../shared/signing/confirmation-phrase.ts'
import { value } from '../support/main/workspace.ts'
import type { Actor } from './actor.ts'

/** An action to try. The service alters its message or transactions in every way that it knows, one at a time. */
export interface Altered {
  readonly action: string
  readonly ticket: OrderTicket
}

export interface AlteredResult {
  /** Number of altered messages and transactions. */
  readonly tried: number
  readonly kinds: readonly Alteration[]
  /** Altered requests that the app would have sent to the wallet. */
  readonly signed: readonly string[]
}

/** If an action has several transactions, these alterations change only the last one. */
const ofTheLast: readonly Alteration[] = ['other_router', 'value_added', 'extra_address', 'extra_amount', 'deadline_far']

/** Whether the app may ask for this phrase for an unaltered order: it may for a new signing format, but never for an unknown field. */
const isHonest = (expected: string): boolean => expected === confirmationPhrase

/**
 * Lets the service alter each action in each way, then continues like a careless user. Such a user agrees to everything that the app asks for an
 * unaltered order in this dialect: the phrase for a new signing format, and a new contract.
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
        // The alteration did not apply to this action, so the response is unaltered. Skips it.
        if (workspace.exchange.altered().length === before) continue
        tried += 1
        kinds.add(alteration)
        if (!prepared.ok) continue
        const { intent, transactions } = prepared.value
        const { ref } = intent
        let asked = await actor.ask(ref, isHonest)
        // For alterations of the last transaction, first sends the unaltered transactions before it, such as an approval.
        for (let done = 1; done < transactions.length && asked.ok && ofTheLast.includes(alteration); done += 1) {
          await actor.answer(ref, asked.value)
          await actor.nextBlock()
          asked = await actor.ask(ref, isHonest)
        }
        if (!asked.ok) continue
        // A transaction does not contain the deadline that the service names beside it, so altering that deadline changes nothing the wallet sends.
        if (!(alteration === 'deadline_far' && asked.value.method === 'eth_sendTransaction')) signed.push(`${action} with ${alteration}`)
        value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
      }
  } finally {
    workspace.faults.alteration = null
  }
  return { tried, kinds: [...kinds], signed }
}

/** A copy of the ticket with its own client order id, because each order needs a new one. */
const fresh = (ticket: OrderTicket, number: number): OrderTicket =>
  'clientOrderId' in ticket && ticket.clientOrderId !== undefined ? { ...ticket, clientOrderId: `${ticket.clientOrderId}-${number}` } : ticket
