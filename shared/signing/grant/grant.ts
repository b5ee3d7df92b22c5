import { assumed } from '../../api/assumptions.ts'
import { daysInMs } from '../../api/limits.ts'
import type { ComparisonLine, LineValue } from '../../ipc/intents/comparison-lines.ts'
import type { KeyDraft } from '../../ipc/keys/keys.ts'
import { hour } from '../../time.ts'
import { type Compared, conclude, pinFor } from '../comparison.ts'
import { addressLine, domainLines, endLine, nonceLine, type Span } from '../message/envelope.ts'
import { learnFormat } from '../message/learn-format.ts'
import { leftOverLine } from '../message/payload.ts'
import { type PinnedFormat, storedAsked, wordsOf } from '../message/signing-format.ts'
import type { TypedData, TypedLeaf } from '../message/typed-data.ts'
import { type ExpectedRouter, sameAddress, type TrustedFormat } from '../trust.ts'
import { integerText, visibleText } from '../wording.ts'
import { collateralWords, endOf, type GrantRole, grantRoles, permissionWords, tradingWords } from './grant-roles.ts'

export interface GrantExpectation {
  readonly wallet: string
  /** The agent that the service named outside the grant; null if none. */
  readonly agent: string | null
  /** The router that the grant should contain; null if the user trusts no router and the service publishes none. */
  readonly router: ExpectedRouter | null
  /** The scopes requested for the key; null: unknown. The grant may give no more rights than these scopes. */
  readonly scopes: readonly string[] | null
  /** The requested lifetime of the key, in days. */
  readonly keyExpiresInDays: number
  /**
   * Set if the key already exists. `endsAtMs`: when the key expires, instead of `keyExpiresInDays`; null if the service did not state it.
   * `agentKnown`: the key already had this agent.
   */
  readonly existingKey?: { readonly endsAtMs: number | null; readonly agentKnown: boolean } | undefined
  readonly formats: readonly TrustedFormat[]
  /** The current time by the service's clock. */
  readonly nowMs: number
  readonly nonceUsed?: (nonce: string) => boolean
}

/** The rights in a grant, and the comparison of the grant with the request. */
export type GrantExplanation = Compared & KeyDraft['grant']

const aliases = assumed.grantTypedData.fields

type Gives = 'trading' | 'trading_and_collateral'
/**
 * Returns the rights that a number in a grant represents, as the user confirmed before. Earlier versions of the app stored these rights as a
 * sentence instead of a code.
 */
const givesOf = (kept: string | undefined): Gives | null =>
  (['trading', 'trading_and_collateral'] as const).find((gives) => kept === gives || kept === storedAsked({ code: 'gives', gives, shown: null })) ?? null

interface Permissions {
  readonly line: ComparisonLine
  /** The rights that the grant's permissions give; null if they are unknown, or more than requested. */
  readonly gives: Gives | null
  readonly wanted: Gives
}

function permissionsOf(leaves: readonly TypedLeaf[], scopes: GrantExpectation['scopes'], format: PinnedFormat | null): Permissions {
  const collateral = scopes?.includes('collateral:manage') === true
  const wanted: Gives = collateral ? 'trading_and_collateral' : 'trading'
  const base = {
    id: 'permissions',
    asked: { code: 'gives', gives: wanted, shown: null },
    unit: null,
    field: leaves[0]?.path ?? null,
    remark: null,
    group: 'order',
  } as const
  const open = (signed: LineValue | null, part: Partial<ComparisonLine> = {}): Permissions => ({
    line: { ...base, signed, verdict: 'unmatched', ...part },
    ...{ gives: null, wanted },
  })
  const judged = (gives: Gives | null, signed: LineValue): Permissions =>
    gives === wanted || gives === 'trading'
      ? { line: { ...base, signed, verdict: 'match' }, gives, wanted }
      : { line: { ...base, signed, verdict: 'differ', remark: { code: collateral ? 'more_than_collateral' : 'more_than_trading' } }, gives: null, wanted }
  if (leaves.length === 0) return open(null)
  const shown = leaves.map(({ value }) => (typeof value === 'bigint' ? integerText(value) : visibleText(String(value)))).join(', ')
  const words = permissionWords(leaves)
  if (words === null) {
    const [only, ...more] = leaves
    const agreed = givesOf(only !== undefined && more.length === 0 ? wordsOf(format, 'permissions')(only)[String(only.value)] : undefined)
    return agreed !== null ? judged(agreed, { code: 'gives', gives: agreed, shown }) : open(shown, { remark: { code: 'number_unknown' }, code: 'number' })
  }
  if (words.length === 0) return open({ code: 'nothing_named' })
  const isCollateral = words.some((word) => collateralWords.has(word))
  const isKnown = words.every((word) => tradingWords.has(word) || collateralWords.has(word))
  const gives = isKnown ? (isCollateral ? 'trading_and_collateral' : 'trading') : null
  return judged(gives, gives === wanted || gives === 'trading' ? { code: 'gives', gives, shown } : shown)
}

const newAgent: LineValue = { code: 'new_agent' }

function agentLine(expectation: GrantExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  const base = { id: 'agent', unit: null, field: leaf?.path ?? null, group: 'order' } as const
  const asked = expectation.agent
  if (leaf === undefined) return { ...base, asked: asked ?? newAgent, signed: null, verdict: 'differ', remark: null }
  const signed = String(leaf.value)
  if (sameAddress(signed, expectation.wallet)) return { ...base, asked: asked ?? newAgent, signed, verdict: 'differ', remark: { code: 'agent_is_wallet' } }
  if (/^0x0+$/.test(signed)) return { ...base, asked: asked ?? newAgent, signed, verdict: 'differ', remark: { code: 'agent_is_zero' } }
  if (asked === null) return { ...base, asked: null, signed, verdict: 'unmatched', remark: { code: 'agent_not_named' } }
  return sameAddress(asked, signed) ? { ...base, asked, signed, verdict: 'match', remark: null } : { ...base, asked, signed, verdict: 'differ', remark: null }
}

const keyEnd = ({ keyExpiresInDays, existingKey, nowMs }: GrantExpectation): number | null =>
  existingKey === undefined ? nowMs + daysInMs(keyExpiresInDays) : existingKey.endsAtMs

const anyEnd: Span = { id: 'expiresAt', asked: { code: 'an_end' }, longest: Number.POSITIVE_INFINITY, shown: 'until_date' }

/**
 * Checks that the grant ends, and ends in the future. The API document sets no maximum. A grant that ends later than its key only gets a remark,
 * because it ends with the key anyway.
 */
function grantEnd(expectation: GrantExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  const { nowMs } = expectation
  const atMs = leaf === undefined ? null : endOf(leaf)
  const end = endLine(anyEnd, leaf && atMs !== null ? { ...leaf, value: BigInt(atMs) } : leaf, nowMs)
  // The app never lets the wallet sign a grant without an end, even in an accepted signing format.
  if (end.verdict === 'unmatched') return { ...end, verdict: 'differ', remark: { code: 'never_ends' } }
  const keyEndsAtMs = keyEnd(expectation)
  const outlives = end.verdict === 'match' && atMs !== null && keyEndsAtMs !== null && atMs > keyEndsAtMs + tolerance
  return outlives ? { ...end, remark: { code: 'outlives_key', endsAtMs: keyEndsAtMs } } : end
}

/**
 * How much later than its key a grant may end without a remark. The app creates the key after the grant, so the key ends slightly later than
 * calculated.
 */
const tolerance = hour

/**
 * Checks the grant for a trading agent and describes the rights that it gives (KEY-15). Blocks a grant for another wallet, chain, contract or agent,
 * an expired or endless grant, and a grant with more rights than were requested for its key.
 */
export function explainGrant(typedData: TypedData, expectation: GrantExpectation): GrantExplanation {
  const { wallet, router, scopes, formats, nowMs } = expectation
  const exact = pinFor(typedData, formats)
  const format = exact?.format ?? null
  const trusted = router === null ? [] : [router.address]
  const roles = grantRoles(typedData.leaves, { aliases, wallet, agent: expectation.agent, trusted, endsAtMs: keyEnd(expectation), format })
  const leavesOf = (role: GrantRole): readonly TypedLeaf[] => roles.found.get(role) ?? []
  // If the grant contains two end times, compare and show the later one.
  const ends = leavesOf('expiresAt').toSorted((a, b) => (endOf(b) ?? Number.POSITIVE_INFINITY) - (endOf(a) ?? Number.POSITIVE_INFINITY))
  const agents = leavesOf('agent')
  const permissions = permissionsOf(leavesOf('permissions'), scopes, format)
  const left = [...roles.rest, ...leavesOf('nonce').slice(1), ...ends.slice(1)]
  const lines: ComparisonLine[] = [
    agentLine(expectation, agents[0]),
    ...agents.slice(1).map((leaf, index) => ({ ...agentLine(expectation, leaf), id: `agent.${index + 2}` })),
    permissions.line,
    ...left.map((leaf) => leftOverLine(leaf, { wallet, trusted, nowMs, isExit: false, variant: 'grant', reference: exact })),
    ...leavesOf('wallet')
      .slice(1)
      .map((leaf, index) => addressLine(`wallet.${index + 2}`, wallet, leaf)),
    addressLine('wallet', wallet, leavesOf('wallet')[0]),
    // The exchange's name is part of the signing format. If the user accepted the format, the name is accepted as well.
    ...domainLines(typedData, router, false).map((line) => (line.id === 'domain' && line.verdict === 'unmatched' && exact !== null ? agreed(line) : line)),
    nonceLine(leavesOf('nonce')[0], expectation.nonceUsed ?? (() => false)),
    grantEnd(expectation, ends[0]),
  ]
  const scales = { usdcScale: null, priceScale: null, leverageScale: null, sizeScale: null }
  const compared = conclude({
    compares: 'grant',
    typedData,
    lines,
    formats,
    scales,
    block: null,
  })
  const question = { role: 'permissions', asked: permissions.line.asked ?? '', unused: false, word: permissions.gives ?? permissions.wanted }
  const learnt = learnFormat({ leaves: typedData.leaves, found: roles.found, questions: [question], scales, before: format, variant: 'grant', nowMs })
  const agent = agents[0]?.value
  const expiresAtMs = ends[0] === undefined ? null : endOf(ends[0])
  return {
    ...compared,
    pin: { ...compared.pin, format: learnt },
    gives: permissions.gives,
    agent: typeof agent === 'string' ? agent : null,
    agentKnown: expectation.existingKey?.agentKnown === true,
    wallet,
    contract: typedData.domain.verifyingContract ?? null,
    expiresAtMs,
  }
}

const agreed = (line: ComparisonLine): ComparisonLine => ({ ...line, verdict: 'absent', remark: { code: 'as_agreed' }, code: 'agreed' })
