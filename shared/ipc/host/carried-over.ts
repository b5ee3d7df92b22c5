import { factsOfDelegated } from '../../ticket/delegated/delegated-facts.ts'
import type { CommandName, Input } from '../contract.ts'

/** After each of these commands, the page asks the wallet for something that main has approved. */
const asks: ReadonlySet<string> = new Set<CommandName>(['intents.ask', 'agents.ask', 'keys.ask', 'session.ask'])

/** Whether the page that sent this command must still exist when the answer arrives. */
export const leadsToWallet = (name: string): boolean => asks.has(name)

/** Commands that carry the wallet's answer, or the request that the wallet answers. Locking the app must not lose a signature. */
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

/** Commands that end risk or access: the lock never drops them. */
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
 * Whether the app runs a command after unlocking that the lock refused, although the page that sent it is gone. Never true for a command that takes
 * new risk: its price and reason applied only at the moment of the click.
 */
export function carriesOver(name: string, input: unknown): boolean {
  if (name !== 'intents.execute') return carried.has(name)
  // A cast at the boundary: the page sends each command with the input type that the contract states.
  return factsOfDelegated((input as Input<'intents.execute'>).ticket).every(({ endsRisk }) => endsRisk)
}
