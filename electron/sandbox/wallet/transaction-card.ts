import { type Address, decodeFunctionData, encodeFunctionData, formatEther, isAddressEqual } from 'viem'
import type { PhoneRequest } from '../../../shared/ipc/phone.ts'
import { routerArtifact, tokenArtifact } from '../chain/contracts.ts'
import { amountText, plainText, rawText, shortAddress } from './human-text.ts'
import type { TransactionRequest } from './wallet-request.ts'

/** The contracts that the phone knows by name. */
export interface KnownContracts {
  readonly usdc: Address
  readonly router: Address
}

type Field = PhoneRequest['fields'][number]

interface Decoded {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly types: readonly { readonly name: string; readonly type: string }[]
}

/** An allowance of this size has no end that matters. */
const unlimitedFrom = 2n ** 96n

const artifactAt = (to: Address, { usdc, router }: KnownContracts) =>
  isAddressEqual(to, usdc) ? tokenArtifact : isAddressEqual(to, router) ? routerArtifact : null

/** null: another contract, a function that it does not have, or bytes beside its arguments. */
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

const usdcText = (units: unknown): string =>
  typeof units !== 'bigint' ? rawText(units) : units >= unlimitedFrom ? 'Any amount of USDC' : `${amountText(units, 6, 2)} USDC`

function contractName(address: unknown, { usdc, router }: KnownContracts): string {
  if (typeof address !== 'string') return rawText(address)
  // The ABI gives addresses only; anything else was turned into text above.
  const at = address as Address
  return isAddressEqual(at, router) ? 'the exchange' : isAddressEqual(at, usdc) ? 'the USDC contract' : shortAddress(address)
}

function headlineOf(decoded: Decoded | null, to: Address, contracts: KnownContracts): string[] {
  const value = (name: string): unknown => decoded?.values[name]
  switch (decoded?.name) {
    case 'approve':
      return [`Let ${contractName(value('spender'), contracts)} take your USDC`, usdcText(value('value'))]
    case 'transfer':
      return [`Send USDC to ${contractName(value('to'), contracts)}`, usdcText(value('value'))]
    case 'deposit':
      return ['Deposit into the exchange', usdcText(value('amount'))]
    case 'withdraw':
      return ['Withdraw from the exchange', usdcText(value('amount'))]
    case undefined:
      return ['Send a transaction', `To ${contractName(to, contracts)}`]
    default:
      return [`Call ${decoded?.name}`, `On ${contractName(to, contracts)}`]
  }
}

const amounts: readonly string[] = ['value', 'amount']

/** How the phone shows a transaction: the function and its arguments where it knows the contract, and always what is sent. */
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
          ...decoded.types.map(({ name, type }) => {
            const argument = decoded.values[name]
            return { name: `argument ${name}`, raw: String(argument), text: amounts.includes(name) ? usdcText(argument) : plainText(argument, type) }
          }),
        ]
  const unread = decoded === null && data !== '0x' ? ', which this phone cannot read' : ''
  return {
    headline: headlineOf(decoded, to, contracts),
    fields: [
      { name: 'to', raw: to, text: shortAddress(to) },
      { name: 'value', raw: value, text: `${formatEther(BigInt(value))} ETH` },
      ...called,
      { name: 'data', raw: data, text: `${(data.length - 2) / 2} bytes${unread}` },
    ],
  }
}
