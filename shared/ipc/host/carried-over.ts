import { factsOfDelegated } from '../../ticket/delegated/delegated-facts.ts'
import type { CommandName, Input, Name } from '../contract.ts'

/** All calls that a window may make while the app is locked. */
export const askedWhileLocked: ReadonlySet<string> = new Set<Name>(['lock.state', 'lock.unlock', 'lock.unlockWithTouchId', 'lock.now', 'lock.leave'])

/** Commands with which main approves a request to the wallet. After the answer, the page itself sends the request to the wallet. */
const asks: ReadonlySet<string> = new Set<CommandName>(['intents.ask', 'agents.ask', 'keys.ask', 'session.ask'])

/** Whether the page must stay open until main answers this command, because the page then sends a request to the wallet. */
export const leadsToWallet = (name: string): boolean => asks.has(name)

/**
 * Commands that report a wallet request or the wallet's answer. If the app lock refused such a command, the app runs it after the unlock, so that no
 * signature is lost.
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

/** Commands that end risk or access. If the app lock refused such a command, the app runs it after the unlock instead of dropping it. */
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
 * Whether the app runs this command after the unlock if the app lock refused it, even though the page that sent it is gone. Never true for a command
 * that takes new risk: the user agreed only to the price at that moment.
 */
export function carriesOver(name: string, input: unknown): boolean {
  if (name !== 'intents.execute') return carried.has(name)
  // The cast is safe: the contract guarantees the input type of each command.
  return factsOfDelegated((input as Input<'intents.execute'>).ticket).every(({ endsRisk }) => endsRisk)
}
