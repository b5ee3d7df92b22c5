import { type Address, decodeFunctionData, encodeFunctionData, formatEther, isAddressEqual } from 'viem'
import type { PhoneRequest } from '../../../shared/ipc/host/wallet.ts'
import { ownTokenArtifact, routerArtifact, tokenArtifact } from '../chain/contracts.ts'
import { amountText, plainText, rawText } from './human-text.ts'
import type { TransactionRequest } from './wallet-request.ts'

export interface KnownContracts {
  readonly usdc: Address
  /** The contract of the protocol's own token. */
  readonly svc: Address
  readonly router: Address
}

type Field = PhoneRequest['fields'][number]

interface Decoded {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly types: readonly { readonly name: string; readonly type: string }[]
}

/** The smallest allowance that the phone calls unlimited, in the token's smallest unit. */
const unlimitedFrom = 2n ** 96n

interface Token {
  readonly name: string
  readonly decimals: number
}
const usdcToken: Token = { name: 'USDC', decimals: 6 }
const ownToken: Token = { name: 'SVC', decimals: 18 }

function tokenAt(address: unknown, { usdc, svc }: KnownContracts): Token | null {
  if (typeof address !== 'string') return null
  // The cast is safe: the only texts that viem decodes for this argument are addresses.
  const at = address as Address
  return isAddressEqual(at, usdc) ? usdcToken : isAddressEqual(at, svc) ? ownToken : null
}

function artifactAt(to: Address, contracts: KnownContracts) {
  if (isAddressEqual(to, contracts.router)) return routerArtifact
  const token = tokenAt(to, contracts)
  return token === usdcToken ? tokenArtifact : token === ownToken ? ownTokenArtifact : null
}

/** Decodes the calldata of a known contract. `null` if the contract or function is unknown, or if further bytes follow the arguments. */
function decode(to: Address, data: `0x${string}`, contracts: KnownContracts): Decoded | null {
  const artifact = artifactAt(to, contracts)
  if (artifact === null) return null
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: artifact.abi, data })
    if (encodeFunctionData({ abi: artifact.abi, functionName, args }).toLowerCase() !== data.toLowerCase()) return null
    const item = artifact.abi.find((entry) => entry.type === 'function' && entry.name === functionName)
    const types = item?.type === 'function' ? item.inputs.map(({ name = '', type }) => ({ name, type })) : []
    return { name: functionName, types, values: Object.fromEntries(types.map(({ name }, index) => [name, args[index]])) }
  } catch {
    return null
  }
}

function tokenText(units: unknown, token: Token | null): string {
  if (typeof units !== 'bigint' || token === null) return rawText(typeof units === 'bigint' ? units.toString() : units)
  return units >= unlimitedFrom ? `Any amount of ${token.name}` : `${amountText(units, token.decimals, 2)} ${token.name}`
}

/** Formats a price with 8 implied decimals. The value 0 means that there is no price. */
const priceText = (units: unknown): string => (units === 0n ? 'None' : typeof units === 'bigint' ? amountText(units, 8, 2) : rawText(units))

function contractName(address: unknown, contracts: KnownContracts): string {
  if (typeof address !== 'string') return rawText(address)
  // The cast is safe: this argument has the type `address`, so a decoded text is an address.
  if (isAddressEqual(address as Address, contracts.router)) return 'the exchange'
  const token = tokenAt(address, contracts)
  return token === null ? address : `the ${token.name} contract`
}

function headlineOf(decoded: Decoded | null, to: Address, contracts: KnownContracts): string[] {
  const value = (name: string): unknown => decoded?.values[name]
  const own = tokenAt(to, contracts) ?? usdcToken
  const amount = decoded === null ? '' : argumentText(decoded, 'amount', to, contracts)
  switch (decoded?.name) {
    case 'approve':
      return [`Let ${contractName(value('spender'), contracts)} take your ${own.name}`, tokenText(value('value'), own)]
    case 'transfer':
      return [`Send ${own.name} to ${contractName(value('to'), contracts)}`, tokenText(value('value'), own)]
    case 'deposit':
    case 'depositToken':
      return ['Deposit into the exchange', amount]
    case 'withdraw':
    case 'withdrawToken':
      return ['Withdraw from the exchange', amount]
    case 'updateTpSl':
      return ['Set the exits of a position', `Take profit ${priceText(value('takeProfit'))}`, `Stop loss ${priceText(value('stopLoss'))}`]
    case 'addMargin':
      return ['Add margin to a position', amount]
    case 'reduceMargin':
      return ['Take margin from a position', amount]
    case 'changeLeverage':
      return ['Change the leverage of a position', `${value('leverage')}×`]
    case 'cancelOrder':
      return ['Cancel an order', rawText(value('orderId'))]
    case 'replaceOrder':
      return ['Change an order', rawText(value('orderId')), tokenText(value('orderValue'), usdcToken)]
    case undefined:
      return ['Send a transaction', `To ${contractName(to, contracts)}`]
    default:
      return [`Call ${decoded?.name}`, `On ${contractName(to, contracts)}`]
  }
}

/** Formats one argument of a call for people: an amount with its token, a price in USDC, a contract by name. */
function argumentText({ values, types }: Decoded, name: string, to: Address, contracts: KnownContracts): string {
  const value = values[name]
  switch (name) {
    case 'value':
      return tokenText(value, tokenAt(to, contracts))
    case 'amount':
      return tokenText(value, 'token' in values ? tokenAt(values.token, contracts) : usdcToken)
    case 'orderValue':
      return tokenText(value, usdcToken)
    case 'takeProfit':
    case 'stopLoss':
    case 'limitPrice':
    case 'triggerPrice':
      return priceText(value)
    case 'token':
      return contractName(value, contracts)
    default:
      return plainText(value, types.find((each) => each.name === name)?.type ?? '')
  }
}

/** Formats a transaction for the phone’s screen. Always shows the raw data; for a known contract also the function and its arguments. */
export function describeTransaction(
  { to, value = '0x0', data = '0x' }: TransactionRequest,
  contracts: KnownContracts,
): { readonly headline: string[]; readonly fields: Field[] } {
  const decoded = decode(to, data, contracts)
  const called: Field[] =
    decoded === null
      ? []
      : [
          { name: 'function', raw: `${decoded.name}(${decoded.types.map(({ type }) => type).join(',')})`, text: decoded.name },
          ...decoded.types.map(({ name }) => ({
            name: `argument ${name}`,
            raw: String(decoded.values[name]),
            text: argumentText(decoded, name, to, contracts),
          })),
        ]
  const unread = decoded === null && data !== '0x' ? ', which this phone cannot read' : ''
  return {
    headline: headlineOf(decoded, to, contracts),
    fields: [
      { name: 'to', raw: to, text: to },
      { name: 'value', raw: value, text: `${formatEther(BigInt(value))} ETH` },
      ...called,
      { name: 'data', raw: data, text: `${(data.length - 2) / 2} bytes${unread}` },
    ],
  }
}
