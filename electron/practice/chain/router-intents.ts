import type { Address, Hex } from 'viem'

/**
 * The structs that a wallet signs and the router verifies, with their fields in the contract’s order. The TypeScript code has no second copy of these
 * lists. A test compares them with the contract.
 */
export const intentFields = {
  OpenPosition: [
    { name: 'trader', type: 'address' },
    { name: 'pairId', type: 'uint256' },
    { name: 'side', type: 'string' },
    { name: 'orderType', type: 'string' },
    { name: 'marginMode', type: 'string' },
    { name: 'leverage', type: 'uint256' },
    { name: 'orderValue', type: 'uint256' },
    { name: 'referencePrice', type: 'uint256' },
    { name: 'maxSlippageBps', type: 'uint256' },
    { name: 'limitPrice', type: 'uint256' },
    { name: 'triggerPrice', type: 'uint256' },
    { name: 'timeInForce', type: 'string' },
    { name: 'restIfUnfilled', type: 'bool' },
    { name: 'postOnly', type: 'bool' },
    { name: 'takeProfit', type: 'uint256' },
    { name: 'stopLoss', type: 'uint256' },
    { name: 'clientOrderId', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  ClosePosition: [
    { name: 'trader', type: 'address' },
    { name: 'positionId', type: 'string' },
    { name: 'pairId', type: 'uint256' },
    { name: 'orderType', type: 'string' },
    { name: 'size', type: 'uint256' },
    { name: 'referencePrice', type: 'uint256' },
    { name: 'maxSlippageBps', type: 'uint256' },
    { name: 'limitPrice', type: 'uint256' },
    { name: 'timeInForce', type: 'string' },
    { name: 'postOnly', type: 'bool' },
    { name: 'clientOrderId', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  InvertPosition: [
    { name: 'trader', type: 'address' },
    { name: 'positionId', type: 'string' },
    { name: 'pairId', type: 'uint256' },
    { name: 'referencePrice', type: 'uint256' },
    { name: 'maxSlippageBps', type: 'uint256' },
    { name: 'clientOrderId', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export type IntentType = keyof typeof intentFields

type Typed<Type> = Type extends 'uint256' ? bigint : Type extends 'bool' ? boolean : Type extends 'address' ? Address : string

/**
 * The fields of an intent as TypeScript types. Prices and sizes are whole numbers with 8 decimals, the order value with 6. A price that the
 * order does not use is 0.
 */
export type IntentMessage<Type extends IntentType> = { readonly [Field in (typeof intentFields)[Type][number] as Field['name']]: Typed<Field['type']> }

export type SignedIntent = { [Type in IntentType]: { readonly primaryType: Type; readonly message: IntentMessage<Type> } }[IntentType]

export const intentEffects = { OpenPosition: 0, ClosePosition: 1, InvertPosition: 2 } as const

export const intentFunctions = { OpenPosition: 'openPosition', ClosePosition: 'closePosition', InvertPosition: 'invertPosition' } as const

/**
 * An intent that was signed in a dialect (a random format for tests) instead of the router's own format. Contains the hash of the signed data, and
 * the effect that the router applies.
 */
export interface ForeignIntent {
  readonly structHash: Hex
  readonly trader: Address
  readonly nonce: bigint
  /** The deadline of the intent, in Unix seconds. */
  readonly deadline: bigint
  readonly effect: IntentType
  /** The exchange’s own id of the position; empty if the intent opens a position. */
  readonly positionId: string
}

/** How a dialect (a random format for tests) encodes calls to one of the router functions that traders call. */
export interface TaughtCall {
  readonly selector: Hex
  /** How the dialect calls the function, encoded as the router's `Layout` struct. */
  readonly taught: Hex
}

/** An EIP-2612 permit with the router as spender. */
export interface PermitDeposit {
  readonly owner: Address
  /** The amount of USDC, with 6 decimals. */
  readonly value: bigint
  /** The deadline of the permit, in Unix seconds. */
  readonly deadline: bigint
  readonly signature: Hex
}

export interface RouterCommand {
  readonly trader: Address
  readonly commandId: string
  readonly items: readonly { readonly nonce: bigint; readonly action: string; readonly payloadHash: Hex }[]
}
