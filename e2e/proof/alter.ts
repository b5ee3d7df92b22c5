import { type Alteration, alterations } from '../../electron/practice/dialect/alter.ts'
import type { OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import { confirmationPhrase } from '../../shared/signing/confirmation-phrase.ts'
import { value } from '../support/main/workspace.ts'
import type { Actor } from './actor.ts'

/** An action whose message or transactions the service alters, once in each way. */
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

/** Whether an honest order in this dialect may ask for this phrase. An honest order never asks for the phrase of an unknown field. */
const isHonest = (expected: string): boolean => expected === confirmationPhrase

/**
 * Has the service alter each action in each way, then continues as a trusting user would. That user agrees to everything that an honest order in
 * this dialect ever asks: the phrase for a new signing format, and a new contract.
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
        // The alteration does not apply to this action, so nothing was altered.
        if (workspace.exchange.altered().length === before) continue
        tried += 1
        kinds.add(alteration)
        if (!prepared.ok) continue
        const { intent, transactions } = prepared.value
        const { ref } = intent
        let asked = await actor.ask(ref, isHonest)
        // The approval before an altered transaction is unaltered, so it is sent normally.
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

/** Each order needs its own client order id. */
const fresh = (ticket: OrderTicket, number: number): OrderTicket =>
  'clientOrderId' in ticket && ticket.clientOrderId !== undefined ? { ...ticket, clientOrderId: `${ticket.clientOrderId}-${number}` } : ticket
