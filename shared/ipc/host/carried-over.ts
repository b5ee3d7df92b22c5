import { factsOfDelegated } from '../../ticket/delegated/delegated-facts.ts'
import type { CommandName, Input } from '../contract.ts'

/** Main agrees with each that the wallet is asked next, which the page does. */
const asks: ReadonlySet<string> = new Set<CommandName>(['intents.ask', 'agents.ask', 'keys.ask', 'session.ask'])

/** Whether the page that gave this command is needed when it is answered. */
export const leadsToWallet = (name: string): boolean => asks.has(name)

/** What the wallet answered, and what it was asked: a signature must not be lost because the app locked meanwhile. */
const ofWallet = [
  'intents.asked',
  'intents.answered',
  'intents.declined',
  'agents.store',
  'keys.create',
  'session.complete',
  'bulkActions.took',
  'wallet.storageSet',
] as const satisfies readonly CommandName[]

/** What ends risk, or access: the lock never swallows it. */
const exits = [
  'keys.revoke',
  'revokeAll.start',
  'revokeAll.resume',
  'bulkActions.start',
  'bulkActions.goOn',
  'bulkActions.revoke',
  'webhooks.disable',
  'session.end',
  'terminal.forget',
  'intents.execute',
] as const satisfies readonly CommandName[]

const carried: ReadonlySet<string> = new Set([...ofWallet, ...exits])

/**
 * Whether a command that the lock refused is given again after unlocking, though its page is gone by then. Nothing that takes new risk is: the price
 * and the reason for it belong to the moment of the press.
 */
export function carriesOver(name: string, input: unknown): boolean {
  if (name !== 'intents.execute') return carried.has(name)
  // A cast at the boundary: the page gives each command the input of its contract.
  return factsOfDelegated((input as Input<'intents.execute'>).ticket).every(({ endsRisk }) => endsRisk)
}
