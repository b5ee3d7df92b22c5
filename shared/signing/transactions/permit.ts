import { formatDecimal, fromUnits, toUnits } from '../../decimal.ts'
import type { ComparisonLine } from '../../ipc/intents/comparison-lines.ts'
import type { Spending } from '../../ipc/intents/signing.ts'
import { ratioRemark } from '../answers.ts'
import { type Compared, conclude, leftOver, lineIn } from '../comparison.ts'
import { addressLine, addressPair, chainLine, domainValue, endLine, intentSpan, nonceLine } from '../message/envelope.ts'
import { type PayloadDifference, payloadLines } from '../message/payload.ts'
import type { TypedData, TypedLeaf } from '../message/typed-data.ts'
import { type ExpectedRouter, sameAddress, type TrustedFormat } from '../trust.ts'
import { messageTime } from '../wording.ts'
import { spendingOf, unlimitedFrom } from './payment.ts'

/** The deposit that the user requested by permit, and which contracts the app expects in the permit. */
export interface PermitExpectation {
  readonly wallet: string
  readonly amountUsdc: string
  /** The router that the permit must allow as spender; null if the user trusts no router and the service publishes none. */
  readonly router: ExpectedRouter | null
  /** The collateral token's contract, which the permit must concern; null if unknown. */
  readonly token: ExpectedRouter | null
  readonly tokenDecimals: number
  /** The domain that the token's contract itself states for permits (EIP-5267, or `name()` and `version()`); null if the contract did not answer. */
  readonly tokenDomain: { readonly name: string | null; readonly version: string | null } | null
  /** The next valid nonce according to the token's `nonces(owner)`; null if the app did not ask the chain, or the chain did not answer. */
  readonly nonce: bigint | null
  readonly formats: readonly TrustedFormat[]
  /** The service's time: this computer's time plus the measured clock offset. */
  readonly nowMs: number
  readonly nonceUsed?: (nonce: string) => boolean
  readonly payload?: readonly PayloadDifference[]
}

export interface PermitComparison extends Compared {
  /** The allowance that the permit grants; null if the message is not a permit. */
  readonly spending: Spending | null
}

/** The only struct type that EIP-2612 allows for a permit. */
const permitType = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'

const line = lineIn('order')

function contractLine(part: Pick<ComparisonLine, 'id' | 'field' | 'group'>, signed: string | null, trusted: ExpectedRouter | null): ComparisonLine {
  if (signed === null) return line({ ...part, asked: trusted?.address ?? null, signed, verdict: 'differ' })
  if (trusted === null) return line({ ...part, asked: { code: 'no_contract_known' }, signed, verdict: 'unmatched' })
  const sides = { ...part, ...addressPair(trusted.address, signed) }
  if (!sameAddress(trusted.address, signed)) return line({ ...sides, verdict: 'differ' })
  return trusted.by === 'pin' || trusted.instead !== null
    ? line({ ...sides, verdict: 'match' })
    : line({ ...sides, verdict: 'unmatched', remark: { code: 'not_pinned' }, code: 'not_pinned' })
}

function valueLine({ amountUsdc, tokenDecimals }: PermitExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  const part = { id: 'amount', unit: 'USDC', field: leaf?.path ?? null, asked: formatDecimal(amountUsdc, { minDecimals: 2 }) } as const
  if (typeof leaf?.value !== 'bigint') return line({ ...part, signed: null, verdict: 'differ' })
  const said = fromUnits(leaf.value, tokenDecimals)
  const same = toUnits(amountUsdc, tokenDecimals) === leaf.value
  const endless = leaf.value >= unlimitedFrom
  return line({
    ...part,
    signed: endless ? { code: 'no_limit' } : formatDecimal(said, { minDecimals: 2 }),
    verdict: same ? 'match' : 'differ',
    remark: same ? null : endless ? { code: 'no_limit' } : ratioRemark(amountUsdc, said, 'deposit'),
  })
}

/**
 * Whether the permit's domain has the name and version that the token's contract states; null if the contract states no name. If it states no
 * version, any version is accepted.
 */
function isTokensOwn({ domain }: TypedData, { tokenDomain }: PermitExpectation): boolean | null {
  if (tokenDomain?.name == null) return null
  return domain.name === tokenDomain.name && (tokenDomain.version === null || domain.version === tokenDomain.version)
}

/**
 * Comparison lines for the permit's domain. Name and version must equal those that the token's contract states. If the contract does not answer,
 * they must equal those of an accepted signing format.
 */
function domainLines(typedData: TypedData, expectation: PermitExpectation): readonly ComparisonLine[] {
  const { domain } = typedData
  const { token, tokenDomain } = expectation
  const own = isTokensOwn(typedData, expectation)
  const named = domainValue(domain.name, domain.version)
  return [
    contractLine({ id: 'token', field: 'domain.verifyingContract', group: 'envelope' }, domain.verifyingContract ?? null, token),
    line({
      id: 'tokenName',
      asked: own === null ? { code: 'collateral' } : domainValue(tokenDomain?.name, tokenDomain?.version),
      signed: named,
      field: 'domain.name',
      group: 'envelope',
      verdict: named === null || own === false ? 'differ' : 'match',
      remark: own === false ? { code: 'not_the_tokens_name' } : null,
    }),
    chainLine(domain.chainId, 'domain.chainId'),
    ...(domain.salt === undefined
      ? []
      : [
          line({
            id: 'domain.salt',
            asked: null,
            signed: domain.salt,
            field: 'domain.salt',
            group: 'envelope',
            verdict: 'unmatched',
            remark: { code: 'unasked' },
          }),
        ]),
  ]
}

/**
 * The comparison line for the permit's nonce. Only the next nonce on the chain is valid, so the permit must contain it. If the next nonce is
 * unknown, only a nonce that was already signed is refused.
 */
function permitNonce({ nonce, nonceUsed }: PermitExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  if (nonce === null || typeof leaf?.value !== 'bigint') return nonceLine(leaf, nonceUsed ?? (() => false))
  const same = leaf.value === nonce
  return line({
    id: 'nonce',
    asked: { code: 'next_nonce', nonce: String(nonce) },
    signed: { code: 'nonce', nonce: String(leaf.value) },
    field: leaf.path,
    group: 'envelope',
    verdict: same ? 'match' : 'differ',
    remark: same ? null : { code: 'not_the_next', nonce: String(leaf.value), next: String(nonce) },
  })
}

/**
 * Reads the EIP-2612 permit of a deposit and compares owner, spender, value, deadline, token and nonce with the request (FLOW-04). Blocks any other
 * struct than that of EIP-2612.
 */
export function comparePermit(typedData: TypedData, expectation: PermitExpectation): PermitComparison {
  const leaf = (name: string): TypedLeaf | undefined => typedData.leaves.find(({ path }) => path === name)
  const form = `${typedData.primaryType}(${(typedData.types[typedData.primaryType] ?? []).map(({ name, type }) => `${type} ${name}`).join(',')})`
  const isPermit = form === permitType
  const spender = leaf('spender')
  const lines = isPermit
    ? [
        valueLine(expectation, leaf('value')),
        contractLine({ id: 'spender', field: 'spender', group: 'order' }, spender === undefined ? null : String(spender.value), expectation.router),
        ...payloadLines(expectation.payload ?? []),
        addressLine('wallet', expectation.wallet, leaf('owner')),
        ...domainLines(typedData, expectation),
        permitNonce(expectation, leaf('nonce')),
        // A permit has the same maximum lifetime as a signed order.
        endLine(intentSpan, leaf('deadline'), expectation.nowMs),
      ]
    : typedData.leaves.map(leftOver)
  const compared = conclude({
    compares: 'permit',
    typedData,
    lines,
    // EIP-2612 defines the struct and the token's contract confirms the domain, so the user need not confirm the format.
    formats: isPermit && isTokensOwn(typedData, expectation) === true ? [...expectation.formats, standardPin(typedData, expectation)] : expectation.formats,
    scales: { usdcScale: expectation.tokenDecimals, priceScale: null, leverageScale: null, sizeScale: null },
    block: isPermit ? null : { code: 'no_permit', primaryType: typedData.primaryType },
  })
  return { ...compared, spending: isPermit ? spendingBy(leaf, expectation.tokenDecimals) : null }
}

const standardPin = ({ formatHash }: TypedData, { tokenDecimals }: PermitExpectation): TrustedFormat => ({
  ...{ hash: formatHash, usdcScale: tokenDecimals, priceScale: null, leverageScale: null, sizeScale: null, format: null },
})

function spendingBy(leaf: (name: string) => TypedLeaf | undefined, decimals: number): Spending | null {
  const [spender, value, deadline] = [leaf('spender')?.value, leaf('value')?.value, leaf('deadline')?.value]
  if (typeof spender !== 'string' || typeof value !== 'bigint') return null
  return spendingOf('USDC', spender, value, decimals, typeof deadline === 'bigint' ? messageTime(deadline) : null)
}
