import { getAddress, isAddress } from 'viem'
import { limits } from '../../api/limits.ts'
import type { Remark } from '../../ipc/intents/reasons.ts'
import type { ComparisonLine } from '../../ipc/intents/signing.ts'
import { lineIn } from '../comparison.ts'
import { type ExpectedRouter, sameAddress } from '../pins.ts'
import { clockText, durationText, integerText, messageTime, shortAddress } from '../wording.ts'
import type { TypedData, TypedLeaf } from './typed-data.ts'

/** The lines that every message has: for whom, on which chain and contract, once, and until when. */

const line = lineIn('envelope')

/** Two addresses side by side: short while they are the same, whole where they are not, since look-alikes share their ends. */
export const addressPair = (asked: string, signed: string): { readonly asked: string; readonly signed: string } =>
  sameAddress(asked, signed)
    ? { asked: shortAddress(checksummed(asked)), signed: shortAddress(checksummed(signed)) }
    : { asked: checksummed(asked), signed: checksummed(signed) }

/** One spelling for both sides, so that only a different address looks different. */
const checksummed = (address: string): string => (isAddress(address, { strict: false }) ? getAddress(address) : address)

export function addressLine(id: string, label: string, asked: string, leaf: TypedLeaf | undefined): ComparisonLine {
  if (leaf === undefined) return line({ id, label, asked: shortAddress(asked), signed: null, verdict: 'unmatched' })
  const signed = String(leaf.value)
  return line({ id, label, ...addressPair(asked, signed), field: leaf.path, verdict: sameAddress(asked, signed) ? 'match' : 'differ' })
}

export const signedDomain = { name: 'SvcDEX', version: '1' } as const

/** `strict` for signed intents, whose domain the document shows. A grant's is not shown: another name only makes another layout. */
export function domainLines(typedData: TypedData, router: ExpectedRouter | null, strict: boolean): readonly ComparisonLine[] {
  const { name, version, chainId, verifyingContract, salt } = typedData.domain
  const sameName = name === signedDomain.name && version === signedDomain.version
  const said = [name, version === undefined ? undefined : `version ${version}`].filter((part) => part !== undefined).join(', ')
  const base = chainId === BigInt(limits.chainId)
  const lines = [
    line({
      id: 'domain',
      label: 'Exchange',
      asked: `${signedDomain.name}, version ${signedDomain.version}`,
      signed: said === '' ? null : said,
      field: 'domain.name',
      verdict: sameName ? 'match' : strict ? 'differ' : 'unmatched',
    }),
    line({
      id: 'chain',
      label: 'Chain',
      asked: `Base, ${limits.chainId}`,
      signed: chainId === undefined ? null : base ? `Base, ${limits.chainId}` : `Chain ${chainId.toString()}`,
      field: 'domain.chainId',
      verdict: base ? 'match' : 'differ',
    }),
    contractLine(verifyingContract, router),
  ]
  return salt === undefined
    ? lines
    : [...lines, line({ id: 'domain.salt', label: 'Salt', asked: null, signed: salt, field: 'domain.salt', verdict: 'unmatched', remark: { code: 'unasked' } })]
}

/** Who vouches for a router: before its address in a line, and in a sentence. */
const vouchers = {
  pin: { asked: 'Router you pinned', sentence: 'The router you pinned is' },
  service: { asked: 'Published by the service', sentence: 'The service publishes' },
} as const satisfies Record<ExpectedRouter['by'], unknown>

function contractLine(contract: string | undefined, router: ExpectedRouter | null): ComparisonLine {
  const part = { id: 'contract', label: 'Contract', field: 'domain.verifyingContract' } as const
  const asked = (address: string): string => (router === null ? 'The router' : `${vouchers[router.by].asked} ${address}`)
  if (contract === undefined) return line({ ...part, asked: asked(shortAddress(router?.address ?? '')), signed: null, verdict: 'differ' })
  if (router === null) return line({ ...part, asked: 'No router pinned, none published', signed: contract, verdict: 'unmatched' })
  const texts = addressPair(router.address, contract)
  const sides = { ...part, asked: asked(texts.asked), signed: texts.signed }
  if (!sameAddress(router.address, contract))
    return line({ ...sides, verdict: 'differ', remark: { code: 'other_contract', by: router.by, expected: texts.asked } })
  if (router.by === 'pin') return line({ ...sides, verdict: 'match' })
  // The user's word for a router is asked for by itself (`decideRouter`), for a changed one by its address: this line must not ask for more.
  return router.instead === null
    ? line({ ...sides, verdict: 'unmatched', remark: { code: 'not_pinned' }, code: 'not_pinned' })
    : line({ ...sides, verdict: 'match', remark: { code: 'not_the_pinned', pinned: router.instead } })
}

/** "The router you pinned is 0x…" */
const routerSentence = (remark: Remark | null): string => (remark?.code === 'other_contract' ? ` ${vouchers[remark.by].sentence} ${remark.expected}.` : '')

export function nonceLine(leaf: TypedLeaf | undefined, used: (nonce: string) => boolean): ComparisonLine {
  const part = { id: 'nonce', label: 'Used once', asked: 'Never used before' } as const
  if (leaf === undefined) return line({ ...part, signed: null, verdict: 'unmatched' })
  const before = used(String(leaf.value))
  return line({
    ...part,
    signed: `Nonce ${typeof leaf.value === 'bigint' ? integerText(leaf.value) : shortAddress(String(leaf.value))}`,
    field: leaf.path,
    verdict: before ? 'differ' : 'match',
    remark: before ? { code: 'signed_before' } : null,
  })
}

/** The service's clock and ours may differ by this much after the offset was taken off: `Date` has whole seconds. */
const clockTolerance = 15_000

export interface Span {
  readonly id: string
  readonly label: string
  readonly asked: string
  /** Milliseconds from now at most. */
  readonly longest: number
  /** What the end is written as. */
  readonly text: (atMs: number) => string | null
}

export const intentSpan: Span = {
  id: 'deadline',
  label: 'Valid until',
  asked: 'At most 5 min',
  longest: limits.preparedLifetimeMs.signedIntent,
  text: clockText,
}

/** An end that is there, not past, and not further off than was agreed. */
export function endLine(span: Span, leaf: TypedLeaf | undefined, nowMs: number): ComparisonLine {
  const part = { id: span.id, label: span.label, asked: span.asked, field: leaf?.path ?? null } as const
  if (leaf === undefined) return line({ ...part, signed: null, verdict: 'unmatched' })
  const atMs = typeof leaf.value === 'bigint' ? messageTime(leaf.value) : null
  const written = atMs === null ? null : span.text(atMs)
  if (atMs === null || written === null)
    return line({ ...part, signed: leaf.value === 0n ? 'No end' : 'Without end', verdict: 'differ', remark: { code: 'never_ends' } })
  if (atMs <= nowMs) return line({ ...part, signed: `${written}, over`, verdict: 'differ', remark: { code: 'over' } })
  const left = atMs - nowMs
  const late = left > span.longest + clockTolerance
  // How long it lasts from the preparation on: what is left by now is the countdown's to say.
  return line({ ...part, signed: `${written}, for ${durationText(left)}`, verdict: late ? 'differ' : 'match', remark: late ? { code: 'too_long' } : null })
}

/** The sentence for a line of the envelope that differs. */
export function envelopeSentence(it: ComparisonLine, what: string): string {
  switch (it.id.replace(/\.\d+$/, '')) {
    case 'wallet':
      return `${what} is for the wallet ${it.signed}. Yours is ${it.asked}.`
    case 'domain':
      return it.signed === null ? `${what} does not name its exchange.` : `${what} is for ${it.signed}. It must be for ${it.asked}.`
    case 'chain':
      return it.signed === null
        ? `${what} does not name its chain. It must be Base, ${limits.chainId}.`
        : `${what} is for another chain: ${it.signed}. It must be Base, ${limits.chainId}.`
    case 'contract':
      return it.signed === null ? `${what} does not name its contract.` : `${what} is for the contract ${it.signed}.${routerSentence(it.remark)}`
    case 'nonce':
      return `${what} carries a nonce that was signed before: ${it.signed}.`
    default:
      return `${what} is valid until ${it.signed}. Agreed was: ${it.asked?.toLowerCase()}.`
  }
}
