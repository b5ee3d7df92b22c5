import type { WalletKitTypes } from '@reown/walletkit'
import { type Address, hashTypedData, type TypedDataDomain } from 'viem'
import type { PhoneRequest } from '../../../shared/ipc/host/wallet.ts'
import { amountText, capitalised, type MarketName, momentText, plainText, rawText } from './human-text.ts'
import { describeTransaction, type KnownContracts } from './transaction-card.ts'
import type { TypedData, WalletRequest } from './wallet-request.ts'

/** The content of a request, as the phone’s screen shows it. */
export type CardBody = Pick<PhoneRequest, 'kind' | 'headline' | 'fields' | 'message' | 'raw' | 'digest'>

type Proposal = WalletKitTypes.SessionProposal['params']

/** Formats a request for the phone's screen. Shows only the content of the request, because the user compares it with what the app shows. */
export function describeRequest(request: WalletRequest, context: CardContext & { readonly contracts: KnownContracts }): CardBody {
  switch (request.kind) {
    case 'message':
      return { kind: 'message', headline: [request.text.split('\n')[0] ?? ''], fields: [], message: request.text, raw: request.bytes, digest: null }
    case 'typed_data':
      return {
        kind: 'typed_data',
        headline: typedDataHeadline(request.typedData, context),
        fields: typedDataFields(request.typedData, context),
        message: null,
        raw: JSON.stringify(request.typedData, null, 2),
        digest: typedDataDigest(request.typedData),
      }
    case 'transaction':
      return {
        kind: 'transaction',
        ...describeTransaction(request.transaction, context.contracts),
        message: null,
        raw: JSON.stringify(request.transaction, null, 2),
        digest: null,
      }
    case 'switch_chain':
      return {
        kind: 'switch_chain',
        headline: ['Switch the network', chainName(request.chainId)],
        fields: [{ name: 'chainId', raw: String(request.chainId), text: chainName(request.chainId) }],
        message: null,
        raw: JSON.stringify({ chainId: request.chainId }, null, 2),
        digest: null,
      }
  }
}

const chainName = (chainId: number): string => (chainId === 8453 ? 'Base' : `Chain ${chainId}`)

/** Formats the pairing proposal of an app for the phone’s screen. */
export function describeProposal({ proposer, requiredNamespaces, optionalNamespaces }: Proposal, account: Address, chainId: number): CardBody {
  const { name } = proposer.metadata
  return {
    kind: 'pairing',
    headline: [`Connect to ${name}`],
    fields: [
      { name: 'account', raw: account, text: account },
      { name: 'network', raw: `eip155:${chainId}`, text: chainName(chainId) },
    ],
    message: null,
    raw: JSON.stringify({ proposer: proposer.metadata, requiredNamespaces, optionalNamespaces }, null, 2),
    digest: null,
  }
}

/** Converts typed data that is known only at run time to viem's parameters. `EIP712Domain` is derived from the domain. */
export function viemTypedData({ domain, types, primaryType, message }: TypedData) {
  const { EIP712Domain: _derived, ...own } = types
  return { domain: domain as TypedDataDomain, types: own, primaryType, message }
}

/** Computes the digest of typed data. `null` if the data does not match its own types. */
function typedDataDigest(typedData: TypedData): string | null {
  try {
    return hashTypedData(viemTypedData(typedData))
  } catch {
    return null
  }
}

interface CardContext {
  readonly nowMs: number
  /** Finds a market by its id. `null` if the exchange has no such market. */
  marketOf(pairId: string): MarketName | null
}

type Field = PhoneRequest['fields'][number]
type Message = TypedData['message']
type FieldText = (value: bigint, message: Message, context: CardContext) => string

const priceText: FieldText = (value, message, { marketOf }) => {
  if (value === 0n) return 'None'
  return amountText(value, 8, marketOf(rawText(message.pairId))?.priceDecimals ?? 2)
}

/** Converts the numeric fields of the exchange's own messages to text for people, because their raw values are not readable. */
const exchangeNumbers: Readonly<Record<string, FieldText>> = {
  pairId: (value, _message, { marketOf }) => marketOf(String(value))?.symbol ?? String(value),
  leverage: (value) => `${value}×`,
  orderValue: (value) => amountText(value, 6, 2),
  size: (value) => amountText(value, 8, 0),
  maxSlippageBps: (value) => `${amountText(value, 2, 2)} %`,
  referencePrice: priceText,
  limitPrice: priceText,
  triggerPrice: priceText,
  takeProfit: priceText,
  stopLoss: priceText,
  nonce: (value) => String(value),
  deadline: (value, _message, { nowMs }) => momentText(value, nowMs),
  expiresAt: (value, _message, { nowMs }) => momentText(value, nowMs),
}

/** Returns every field of the message and then every field of the domain, each with its raw value and a readable text. */
export function typedDataFields({ types, primaryType, message, domain }: TypedData, context: CardContext): Field[] {
  const own = (types[primaryType] ?? []).map(({ name, type }) => {
    const value = message[name]
    return { name, raw: rawText(value), text: exchangeText(name, value, type, message, context) ?? plainText(value, type) }
  })
  const ofDomain = Object.entries(domain).map(([name, value]) => ({
    name,
    raw: rawText(value),
    text: plainText(value, name === 'verifyingContract' ? 'address' : 'string'),
  }))
  return [...own, ...ofDomain]
}

function exchangeText(name: string, value: unknown, type: string, message: Message, context: CardContext): string | null {
  const text = exchangeNumbers[name]
  if (text !== undefined && type.startsWith('uint') && /^\d+$/.test(rawText(value))) return text(BigInt(rawText(value)), message, context)
  // These words are shown with a capital letter. A field that the order does not use has an empty text, which stays empty.
  if (type === 'string' && ['side', 'orderType', 'marginMode'].includes(name)) return capitalised(rawText(value))
  return null
}

/** Summarises typed data for the phone’s screen in a few lines. For a type that does not belong to the exchange, shows only the name of the type. */
export function typedDataHeadline(typedData: TypedData, context: CardContext): string[] {
  const { primaryType, message } = typedData
  const texts = new Map(typedDataFields(typedData, context).map(({ name, text }) => [name, text]))
  const text = (name: string) => texts.get(name) ?? ''
  switch (primaryType) {
    case 'OpenPosition': {
      const priced = { limit: text('limitPrice'), stop: text('triggerPrice') }[rawText(message.orderType)]
      const how = [text('orderType'), ...(priced === undefined ? [] : [priced])].join(' ')
      return [`${text('side')} ${text('pairId')}`, `${text('orderValue')} USDC`, `${how}, ${text('leverage')} ${rawText(message.marginMode)}`]
    }
    case 'ClosePosition': {
      const isLimit = rawText(message.orderType) === 'limit'
      return [`Close ${text('pairId')}`, `${text('size')} of ${rawText(message.positionId)}`, isLimit ? `Limit ${text('limitPrice')}` : text('orderType')]
    }
    case 'InvertPosition':
      return [
        `Turn ${text('pairId')} to the other side`,
        `All of ${rawText(message.positionId)}`,
        `Within ${text('maxSlippageBps')} of ${text('referencePrice')}`,
      ]
    case 'AgentGrant':
      return ['Let an agent trade for you', rawText(message.agent), `Until ${text('expiresAt')}`]
    case 'Permit':
      return ['Let a contract take USDC', `${permitAmount(message)} USDC`, `By ${rawText(message.spender)}`]
    default:
      return [primaryType]
  }
}

const permitAmount = ({ value }: Message): string => (/^\d+$/.test(rawText(value)) ? amountText(BigInt(rawText(value)), 6, 2) : rawText(value))
