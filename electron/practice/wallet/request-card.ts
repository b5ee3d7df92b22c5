import type { WalletKitTypes } from '@reown/walletkit'
import { type Address, hashTypedData, type TypedDataDomain } from 'viem'
import type { PhoneRequest } from '../../../shared/ipc/host/phone.ts'
import { shortAddress } from './human-text.ts'
import { describeTransaction, type KnownContracts } from './transaction-card.ts'
import { type CardContext, typedDataFields, typedDataHeadline } from './typed-data-card.ts'
import type { TypedData, WalletRequest } from './wallet-request.ts'

/** The part of a request's card that follows from what is asked. */
export type CardBody = Pick<PhoneRequest, 'kind' | 'headline' | 'fields' | 'message' | 'raw' | 'digest'>

type Proposal = WalletKitTypes.SessionProposal['params']

/** How the phone shows a request. Says only what is in it: the phone is where a person checks what the app claims. */
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

/** How the phone shows an app that wants to be paired. */
export function describeProposal({ proposer, requiredNamespaces, optionalNamespaces }: Proposal, account: Address, chainId: number): CardBody {
  const { name } = proposer.metadata
  return {
    kind: 'pairing',
    headline: [`Connect to ${name}`],
    fields: [
      { name: 'account', raw: account, text: shortAddress(account) },
      { name: 'network', raw: `eip155:${chainId}`, text: chainName(chainId) },
    ],
    message: null,
    raw: JSON.stringify({ proposer: proposer.metadata, requiredNamespaces, optionalNamespaces }, null, 2),
    digest: null,
  }
}

/** viem's parameters of typed data that is only known at run time; `EIP712Domain` is derived from the domain. */
export function viemTypedData({ domain, types, primaryType, message }: TypedData) {
  const { EIP712Domain: _derived, ...own } = types
  return { domain: domain as TypedDataDomain, types: own, primaryType, message }
}

/** null where the data does not fit its own types. */
function typedDataDigest(typedData: TypedData): string | null {
  try {
    return hashTypedData(viemTypedData(typedData))
  } catch {
    return null
  }
}
