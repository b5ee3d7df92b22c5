import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { routerArtifact } from './contracts.ts'

/** What each of the router's events says that concerns the exchange. Amounts and prices as they stand on chain. */
interface EventArguments {
  readonly IntentAccepted: { readonly digest: Hex; readonly nonce: bigint }
  readonly CommandExecuted: { readonly agent: Address; readonly commandId: string; readonly item: bigint; readonly nonce: bigint }
  readonly Deposited: { readonly token: Address; readonly amount: bigint }
  readonly Withdrawn: { readonly token: Address; readonly amount: bigint }
  readonly TpSlUpdated: { readonly positionId: string; readonly takeProfit: bigint; readonly stopLoss: bigint }
  readonly MarginAdded: { readonly positionId: string; readonly amount: bigint }
  readonly MarginReduced: { readonly positionId: string; readonly amount: bigint }
  readonly LeverageChanged: { readonly positionId: string; readonly leverage: bigint }
  readonly OrderCancelled: { readonly orderId: string }
  readonly OrderReplaced: {
    readonly orderId: string
    readonly orderValue: bigint
    readonly limitPrice: bigint
    readonly triggerPrice: bigint
    readonly takeProfit: bigint
    readonly stopLoss: bigint
  }
}

/** Something that the router did for a trader. */
export type RouterEvent = {
  [Name in keyof EventArguments]: {
    readonly name: Name
    readonly args: EventArguments[Name] & { readonly trader: Address }
    readonly txHash: Hex
    readonly blockNumber: bigint
    /** Which of its transaction's events, from 0: the same in whatever block the transaction comes to stand. */
    readonly ordinal: number
  }
}[keyof EventArguments]

const names: readonly string[] = [
  'IntentAccepted',
  'CommandExecuted',
  'Deposited',
  'Withdrawn',
  'TpSlUpdated',
  'MarginAdded',
  'MarginReduced',
  'LeverageChanged',
  'OrderCancelled',
  'OrderReplaced',
] satisfies (keyof EventArguments)[]

/** The router's logs, in the chain's order. Credits are the exchange's own doing and are left out. */
export function routerEvents(logs: readonly Log[]): RouterEvent[] {
  const counts = new Map<string, number>()
  return parseEventLogs({ abi: routerArtifact.abi, logs: [...logs] }).flatMap((log): RouterEvent[] => {
    const { transactionHash, blockNumber } = log
    if (transactionHash === null || blockNumber === null) throw new Error('A log without its transaction')
    // An ABI read from JSON has no literal types; the names are the contract's.
    const { eventName, args } = log as unknown as { eventName: string; args: unknown }
    if (!names.includes(eventName)) return []
    const ordinal = counts.get(transactionHash) ?? 0
    counts.set(transactionHash, ordinal + 1)
    return [{ name: eventName, args, txHash: transactionHash, blockNumber, ordinal } as RouterEvent]
  })
}
