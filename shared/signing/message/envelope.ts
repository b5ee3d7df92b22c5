import { getAddress, isAddress } from 'viem'
import { limits } from '../../api/limits.ts'
import type { ComparisonLine, LineValue } from '../../ipc/intents/comparison-lines.ts'
import { lineIn } from '../comparison.ts'
import { type ExpectedRouter, sameAddress } from '../trust.ts'
import { isCalendarTime, messageTime } from '../wording.ts'
import type { TypedData, TypedLeaf } from './typed-data.ts'

/** This file creates the comparison lines that every message needs: wallet, exchange, chain, contract, nonce and deadline. */

const line = lineIn('envelope')

/**
 * Formats two addresses for display side by side. Both stay whole, because look-alikes have the same start and end, and the user compares them with
 * the phone.
 */
export const addressPair = (asked: string, signed: string): { readonly asked: string; readonly signed: string } => ({
  asked: checksummed(asked),
  signed: checksummed(signed),
})

/** Spells an address with its checksum. Otherwise equal addresses could look different on screen. */
export const checksummed = (address: string): string => (isAddress(address, { strict: false }) ? getAddress(address) : address)

export function addressLine(id: string, asked: string, leaf: TypedLeaf | undefined): ComparisonLine {
  if (leaf === undefined) return line({ id, asked: checksummed(asked), signed: null, verdict: 'unmatched' })
  const signed = String(leaf.value)
  return line({ id, ...addressPair(asked, signed), field: leaf.path, verdict: sameAddress(asked, signed) ? 'match' : 'differ' })
}

/** The name and version of a domain; null if the domain has neither. */
export const domainValue = (name: string | null | undefined, version: string | null | undefined): LineValue | null =>
  version == null ? (name ?? null) : { code: 'domain', name: name ?? null, version }

/** The line for the chain of a message or a transaction. `chainId` undefined: not stated. */
export const chainLine = (chainId: bigint | undefined, field: string): ComparisonLine => {
  const isBase = chainId === BigInt(limits.chainId)
  const base = `Base (${limits.chainId})`
  return line({
    ...{ id: 'chain', asked: base, field, verdict: isBase ? 'match' : 'differ' },
    signed: chainId === undefined ? null : isBase ? base : { code: 'chain', chainId: String(chainId) },
  })
}

export const signedDomain = { name: 'SvcDEX', version: '1' } as const

/**
 * Comparison lines for a message's domain: exchange, chain and contract. `strict` true (orders): another exchange name blocks the message, because
 * the API document states the name. false (grants): another name only makes a new signing format, because the API document states none.
 */
export function domainLines(typedData: TypedData, router: ExpectedRouter | null, strict: boolean): readonly ComparisonLine[] {
  const { name, version, chainId, verifyingContract, salt } = typedData.domain
  const sameName = name === signedDomain.name && version === signedDomain.version
  const lines = [
    line({
      id: 'domain',
      asked: domainValue(signedDomain.name, signedDomain.version),
      signed: domainValue(name, version),
      field: 'domain.name',
      verdict: sameName ? 'match' : strict ? 'differ' : 'unmatched',
    }),
    chainLine(chainId, 'domain.chainId'),
    contractLine(verifyingContract, router),
  ]
  return salt === undefined
    ? lines
    : [...lines, line({ id: 'domain.salt', asked: null, signed: salt, field: 'domain.salt', verdict: 'unmatched', remark: { code: 'unasked' } })]
}

function contractLine(contract: string | undefined, router: ExpectedRouter | null): ComparisonLine {
  const part = { id: 'contract', field: 'domain.verifyingContract' } as const
  if (router === null)
    return line({ ...part, asked: { code: 'no_router_known' }, signed: contract ?? null, verdict: contract === undefined ? 'differ' : 'unmatched' })
  const asked = (address: string): LineValue => ({ code: 'vouched', by: router.by, address })
  if (contract === undefined) return line({ ...part, asked: asked(checksummed(router.address)), signed: null, verdict: 'differ' })
  const texts = addressPair(router.address, contract)
  const sides = { ...part, asked: asked(texts.asked), signed: texts.signed }
  if (!sameAddress(router.address, contract))
    return line({ ...sides, verdict: 'differ', remark: { code: 'other_contract', by: router.by, expected: texts.asked } })
  if (router.by === 'pin') return line({ ...sides, verdict: 'match' })
  // `decideRouter` already asks the user about a router that is new or differs from the trusted router. So this line adds no further question.
  return router.instead === null
    ? line({ ...sides, verdict: 'unmatched', remark: { code: 'not_pinned' }, code: 'not_pinned' })
    : line({ ...sides, verdict: 'match', remark: { code: 'not_the_pinned', pinned: router.instead } })
}

export function nonceLine(leaf: TypedLeaf | undefined, used: (nonce: string) => boolean): ComparisonLine {
  const part = { id: 'nonce', asked: { code: 'never_used' } } as const
  if (leaf === undefined) return line({ ...part, signed: null, verdict: 'unmatched' })
  const before = used(String(leaf.value))
  return line({
    ...part,
    signed: { code: 'nonce', nonce: String(leaf.value) },
    field: leaf.path,
    verdict: before ? 'differ' : 'match',
    remark: before ? { code: 'signed_before' } : null,
  })
}

/** Allowed clock error. The app measures the service's time only by the `Date` header, which has whole seconds. */
const clockTolerance = 15_000

export interface Span {
  readonly id: string
  readonly asked: LineValue
  /** The furthest allowed expiry or deadline, in milliseconds from now. */
  readonly longest: number
  /** Whether to show the expiry or deadline as a time of day or as a date. */
  readonly shown: 'until_time' | 'until_date'
}

export const intentSpan: Span = {
  id: 'deadline',
  asked: { code: 'at_most_ms', ms: limits.preparedLifetimeMs.signedIntent },
  longest: limits.preparedLifetimeMs.signedIntent,
  shown: 'until_time',
}

/**
 * The comparison line for a message's expiry or deadline. The message must state this time, and it must be in the future, but at most `span.longest`
 * away.
 */
export function endLine(span: Span, leaf: TypedLeaf | undefined, nowMs: number): ComparisonLine {
  const part = { id: span.id, asked: span.asked, field: leaf?.path ?? null } as const
  if (leaf === undefined) return line({ ...part, signed: null, verdict: 'unmatched' })
  const atMs = typeof leaf.value === 'bigint' ? messageTime(leaf.value) : null
  if (atMs === null || !isCalendarTime(atMs))
    return line({ ...part, signed: { code: leaf.value === 0n ? 'no_end' : 'without_end' }, verdict: 'differ', remark: { code: 'never_ends' } })
  if (atMs <= nowMs) return line({ ...part, signed: { code: span.shown, atMs, leftMs: null }, verdict: 'differ', remark: { code: 'over' } })
  const left = atMs - nowMs
  const late = left > span.longest + clockTolerance
  // `leftMs` is the time left when the message was prepared. The page shows the current time left in a countdown.
  return line({ ...part, signed: { code: span.shown, atMs, leftMs: left }, verdict: late ? 'differ' : 'match', remark: late ? { code: 'too_long' } : null })
}
