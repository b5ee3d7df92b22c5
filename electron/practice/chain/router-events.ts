import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { routerArtifact } from './contracts.ts'

/** The arguments of the router events that matter to the exchange. Amounts and prices are in on-chain units. */
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

export type RouterEvent = {
  [Name in keyof EventArguments]: {
    readonly name: Name
    readonly args: EventArguments[Name] & { readonly trader: Address }
    readonly txHash: Hex
    readonly blockNumber: bigint
    /**
     * The position of the event within its transaction, from 0. The position stays the same even if a reorganisation moves the transaction to another
     * block.
     */
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

/** Reads the router's events from logs, in chain order. Leaves out credits, because the exchange itself causes them. */
export function routerEvents(logs: readonly Log[]): RouterEvent[] {
  const counts = new Map<string, number>()
  return parseEventLogs({ abi: routerArtifact.abi, logs: [...logs] }).flatMap((log): RouterEvent[] => {
    const { transactionHash, blockNumber } = log
    if (transactionHash === null || blockNumber === null) throw new Error('A log without its transaction')
    const { eventName, args } = log as unknown as { eventName: string; args: unknown }
    if (!names.includes(eventName)) return []
    const ordinal = counts.get(transactionHash) ?? 0
    counts.set(transactionHash, ordinal + 1)
    return [{ name: eventName, args, txHash: transactionHash, blockNumber, ordinal } as RouterEvent]
  })
}
