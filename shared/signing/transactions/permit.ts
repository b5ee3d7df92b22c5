import { limits } from '../../api/limits.ts'
import { formatDecimal, fromUnits, toUnits } from '../../decimal.ts'
import type { ComparisonLine, Spending } from '../../ipc/intents/signing.ts'
import { ratioRemark } from '../answers.ts'
import { type Compared, conclude, leftOver, lineIn } from '../comparison.ts'
import { addressLine, addressPair, endLine, envelopeSentence, nonceLine } from '../message/envelope.ts'
import { type PayloadDifference, payloadLines, payloadSentence } from '../message/payload.ts'
import type { TypedData, TypedLeaf } from '../message/typed-data.ts'
import { type ExpectedRouter, type LayoutPin, sameAddress } from '../pins.ts'
import { clockText, integerText, messageTime } from '../wording.ts'
import { spendingOf, unlimitedFrom } from './payment.ts'

/** A deposit by signature, and whom this app trusts. */
export interface PermitExpectation {
  readonly wallet: string
  /** As asked for, in USDC. */
  readonly amountUsdc: string
  /** The only contract that may be allowed to take it. */
  readonly router: ExpectedRouter | null
  /** The collateral token. */
  readonly token: ExpectedRouter | null
  readonly tokenDecimals: number
  /** What the token itself says its permits are signed for (EIP-5267, or `name()` and `version()`); null: nobody answered. */
  readonly tokenDomain: { readonly name: string | null; readonly version: string | null } | null
  /** The token's own `nonces(owner)` of now; null: the chain was not asked or did not answer. */
  readonly nonce: bigint | null
  readonly pins: readonly LayoutPin[]
  /** The service's time: the computer's plus the measured offset. */
  readonly nowMs: number
  readonly nonceUsed?: (nonce: string) => boolean
  readonly payload?: readonly PayloadDifference[]
}

export interface PermitComparison extends Compared {
  /** The right that it gives, in words; null: it is no permit. */
  readonly spending: Spending | null
}

/** EIP-2612: the one form of a permit. */
const permitType = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'

const line = lineIn('order')

/** A contract of the message beside the one that is trusted. */
function contractLine(part: Pick<ComparisonLine, 'id' | 'label' | 'field' | 'group'>, signed: string | null, trusted: ExpectedRouter | null): ComparisonLine {
  if (signed === null) return line({ ...part, asked: trusted?.address ?? null, signed, verdict: 'differ' })
  if (trusted === null) return line({ ...part, asked: 'None pinned, none published', signed, verdict: 'unmatched' })
  const sides = { ...part, ...addressPair(trusted.address, signed) }
  if (!sameAddress(trusted.address, signed)) return line({ ...sides, verdict: 'differ' })
  return trusted.by === 'pin' || trusted.instead !== null
    ? line({ ...sides, verdict: 'match' })
    : line({ ...sides, verdict: 'unmatched', remark: { code: 'not_pinned' }, code: 'not_pinned' })
}

function valueLine({ amountUsdc, tokenDecimals }: PermitExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  const part = { id: 'value', label: 'Amount', unit: 'USDC', field: leaf?.path ?? null, asked: formatDecimal(amountUsdc, { minDecimals: 2 }) } as const
  if (typeof leaf?.value !== 'bigint') return line({ ...part, signed: null, verdict: 'differ' })
  const said = fromUnits(leaf.value, tokenDecimals)
  const same = toUnits(amountUsdc, tokenDecimals) === leaf.value
  const endless = leaf.value >= unlimitedFrom
  return line({
    ...part,
    signed: endless ? 'Without a limit' : formatDecimal(said, { minDecimals: 2 }),
    verdict: same ? 'match' : 'differ',
    remark: same ? null : endless ? { code: 'no_limit' } : ratioRemark(amountUsdc, said, 'deposit'),
  })
}

const domainText = (name: string | null | undefined, version: string | null | undefined): string =>
  [name, version == null ? null : `version ${version}`].filter((part) => part != null).join(', ')

/** Whether the domain is the token's own; null: the token did not say. A version that it does not say is not held against it. */
function isTokensOwn({ domain }: TypedData, { tokenDomain }: PermitExpectation): boolean | null {
  if (tokenDomain?.name == null) return null
  return domain.name === tokenDomain.name && (tokenDomain.version === null || domain.version === tokenDomain.version)
}

/** Name and version are the token's own: asked of the token, else learnt with the layout, which names them. */
function domainLines(typedData: TypedData, expectation: PermitExpectation): readonly ComparisonLine[] {
  const { domain } = typedData
  const { token, tokenDomain } = expectation
  const own = isTokensOwn(typedData, expectation)
  const base = domain.chainId === BigInt(limits.chainId)
  const named = domainText(domain.name, domain.version)
  return [
    contractLine({ id: 'token', label: 'Token', field: 'domain.verifyingContract', group: 'envelope' }, domain.verifyingContract ?? null, token),
    line({
      id: 'domain',
      label: 'Called',
      asked: own === null ? 'The collateral token' : domainText(tokenDomain?.name, tokenDomain?.version),
      signed: named === '' ? null : named,
      field: 'domain.name',
      group: 'envelope',
      verdict: named === '' || own === false ? 'differ' : 'match',
      remark: own === false ? { code: 'not_the_tokens_name' } : null,
    }),
    line({
      id: 'chain',
      label: 'Chain',
      asked: `Base, ${limits.chainId}`,
      signed: domain.chainId === undefined ? null : base ? `Base, ${limits.chainId}` : `Chain ${domain.chainId.toString()}`,
      field: 'domain.chainId',
      group: 'envelope',
      verdict: base ? 'match' : 'differ',
    }),
    ...(domain.salt === undefined
      ? []
      : [
          line({
            id: 'domain.salt',
            label: 'Salt',
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

/** The chain's own nonce is the only one that would be taken; without it the nonce is only held against those that were signed before. */
function permitNonce({ nonce, nonceUsed }: PermitExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  if (nonce === null || typeof leaf?.value !== 'bigint') return nonceLine(leaf, nonceUsed ?? (() => false))
  const same = leaf.value === nonce
  return line({
    id: 'nonce',
    label: 'Used once',
    asked: `Nonce ${integerText(nonce)}, the next of your wallet`,
    signed: `Nonce ${integerText(leaf.value)}`,
    field: leaf.path,
    group: 'envelope',
    verdict: same ? 'match' : 'differ',
    remark: same ? null : { code: 'not_the_next', nonce: integerText(leaf.value), next: integerText(nonce) },
  })
}

/** As long as a signed intent at most. */
const permitSpan = { id: 'deadline', label: 'Valid until', asked: 'At most 5 min', longest: limits.preparedLifetimeMs.signedIntent, text: clockText } as const

const message = 'The permit'

function sentence(it: ComparisonLine): string {
  if (it.id.startsWith('payload.')) return payloadSentence(it)
  switch (it.id) {
    case 'value':
      if (it.signed === null) return `${message} does not name its amount.`
      return it.remark?.code === 'no_limit'
        ? `${message} lets the router take USDC without a limit. You asked for ${it.asked} USDC.`
        : `${message} is for ${it.signed} USDC. You asked for ${it.asked} USDC.`
    case 'spender':
      return it.signed === null ? `${message} does not name who may take it.` : `${message} lets ${it.signed} take your USDC. The router is ${it.asked}.`
    case 'token':
      return it.signed === null ? `${message} does not name its token.` : `${message} is for the token ${it.signed}. Your collateral is ${it.asked}.`
    case 'domain':
      return it.signed === null ? `${message} does not name its token.` : `${message} is for ${it.signed}. The token calls itself ${it.asked}.`
    case 'nonce':
      return it.remark?.code === 'not_the_next'
        ? `${message} carries the nonce ${it.remark.nonce}. The next of your wallet is ${it.remark.next}.`
        : envelopeSentence(it, message)
    case 'deadline':
      return it.remark?.code === 'never_ends' ? `${message} would never end.` : envelopeSentence(it, message)
    default:
      return envelopeSentence(it, message)
  }
}

/**
 * Reads the EIP-2612 permit of a deposit and holds it against what was asked for (FLOW-04): owner, spender, value, deadline, token and nonce.
 * Any other form of permit blocks: the standard has one.
 */
export function comparePermit(typedData: TypedData, expectation: PermitExpectation): PermitComparison {
  const leaf = (name: string): TypedLeaf | undefined => typedData.leaves.find(({ path }) => path === name)
  const form = `${typedData.primaryType}(${(typedData.types[typedData.primaryType] ?? []).map(({ name, type }) => `${type} ${name}`).join(',')})`
  const isPermit = form === permitType
  const spender = leaf('spender')
  const lines = isPermit
    ? [
        valueLine(expectation, leaf('value')),
        contractLine(
          { id: 'spender', label: 'Who may take it', field: 'spender', group: 'order' },
          spender === undefined ? null : String(spender.value),
          expectation.router,
        ),
        ...payloadLines(expectation.payload ?? []),
        addressLine('wallet', 'Out of your wallet', expectation.wallet, leaf('owner')),
        ...domainLines(typedData, expectation),
        permitNonce(expectation, leaf('nonce')),
        endLine(permitSpan, leaf('deadline'), expectation.nowMs),
      ]
    : typedData.leaves.map(leftOver)
  const compared = conclude({
    title: `Deposit ${formatDecimal(expectation.amountUsdc, { minDecimals: 2 })} USDC by signature`,
    typedData,
    lines,
    // EIP-2612 shows this form, and the token vouches for its domain: nothing is left for the user to agree to.
    pins: isPermit && isTokensOwn(typedData, expectation) === true ? [...expectation.pins, standardPin(typedData, expectation)] : expectation.pins,
    scales: { usdcScale: expectation.tokenDecimals, priceScale: null, leverageScale: null, sizeScale: null },
    sentence,
    block: isPermit ? null : `The message is not a permit as EIP-2612 has it, but ${typedData.primaryType}.`,
  })
  return { ...compared, spending: isPermit ? spendingBy(leaf, expectation.tokenDecimals) : null }
}

const standardPin = ({ layoutHash }: TypedData, { tokenDecimals }: PermitExpectation): LayoutPin => ({
  ...{ hash: layoutHash, usdcScale: tokenDecimals, priceScale: null, leverageScale: null, sizeScale: null, format: null },
})

function spendingBy(leaf: (name: string) => TypedLeaf | undefined, decimals: number): Spending | null {
  const [spender, value, deadline] = [leaf('spender')?.value, leaf('value')?.value, leaf('deadline')?.value]
  if (typeof spender !== 'string' || typeof value !== 'bigint') return null
  return spendingOf('USDC', spender, value, decimals, typeof deadline === 'bigint' ? messageTime(deadline) : null)
}
