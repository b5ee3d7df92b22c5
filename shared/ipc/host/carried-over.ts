import { factsOfDelegated } from '../../ticket/delegated/delegated-facts.ts'
import type { CommandName, Input, Name } from '../contract.ts'

/** All calls that a window may make while the app is locked. */
export const askedWhileLocked: ReadonlySet<string> = new Set<Name>(['lock.state', 'lock.unlock', 'lock.now', 'lock.leave'])

/** Commands by which main approves a wallet request. After the answer, the page sends that request to the wallet. */
const asks: ReadonlySet<string> = new Set<CommandName>(['intents.ask', 'agents.ask', 'keys.ask', 'session.ask'])

/** Whether the page that sent this command must still exist when the answer arrives, because it then sends a request to the wallet. */
export const leadsToWallet = (name: string): boolean => asks.has(name)

/**
 * Commands that report a wallet request or the wallet's answer. If the lock refused one, the app runs it after the unlock, so that no signature is
 * lost.
 */
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

/** Commands that end risk or access. If the lock refused one, the app runs it after the unlock instead of dropping it. */
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
 * For a command that the lock refused: whether the app runs it after the unlock, although the page that sent it is gone. Never true for a command
 * that takes new risk, because the user's click applied only to the price at that moment.
 */
export function carriesOver(name: string, input: unknown): boolean {
  if (name !== 'intents.execute') return carried.has(name)
  // A cast at the boundary: the page sends each command with the input type that the contract states.
  return factsOfDelegated((input as Input<'intents.execute'>).ticket).every(({ endsRisk }) => endsRisk)
}
