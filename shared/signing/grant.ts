import { assumed } from '../api/assumptions.ts'
import { daysInMs } from '../api/limits.ts'
import type { ComparisonLine } from '../ipc/signing.ts'
import { hour } from '../time.ts'
import { type Compared, conclude, leafText, leftOver, recognise } from './comparison.ts'
import { addressLine, domainLines, endLine, envelopeSentence, nonceLine, type Span } from './envelope.ts'
import type { ExpectedRouter, LayoutPin } from './pins.ts'
import { sameAddress } from './pins.ts'
import type { TypedData, TypedLeaf } from './typed-data.ts'
import { dateText, messageTime, shortAddress } from './wording.ts'

export interface GrantExpectation {
  readonly wallet: string
  /** The agent that the service named beside the grant; null where it named none. */
  readonly agent: string | null
  /** null: none is pinned and none published. */
  readonly router: ExpectedRouter | null
  /** What the key was asked for with; null: nobody knows. A grant may give what its key may do, and no more. */
  readonly scopes: readonly string[] | null
  /** Days that the key was asked for. */
  readonly keyExpiresInDays: number
  /** For a key that exists: its own end stands in place of the days (null: the service did not say), and whether it had this agent before. */
  readonly existingKey?: { readonly endsAtMs: number | null; readonly agentKnown: boolean } | undefined
  readonly pins: readonly LayoutPin[]
  /** The service's time. */
  readonly nowMs: number
  readonly nonceUsed?: (nonce: string) => boolean
}

export interface GrantExplanation extends Compared {
  /** The grant in words: who may do what, for whom, where and until when. */
  readonly sentence: string
  readonly may: readonly string[]
  readonly mayNot: readonly string[]
  readonly expiresAtMs: number | null
  readonly contract: string | null
  readonly agent: string | null
}

const aliases = assumed.grantTypedData.fields
type Role = keyof typeof aliases

/** Permissions that mean trading and nothing more. */
const tradingWords = new Set(['trade', 'trading', 'trade:prepare', 'trade:execute', 'orders', 'orders:manage', 'order', 'market:read', 'account:read', 'read'])

/** What `collateral:manage` allows (Authentication 4). */
const collateralWords = new Set(['collateral', 'collateral:manage', 'deposit', 'deposits', 'withdraw', 'withdrawal', 'withdrawals'])

const trading = ['Open, close and invert positions', 'Set and clear TP and SL', 'Cancel and replace orders']
const moves = 'Deposit and withdraw your collateral'
const withheld = ['Approve or transfer tokens', 'Make keys or give this on']

const wordsOf = (leaves: readonly TypedLeaf[]): readonly string[] | null =>
  leaves.every((leaf) => typeof leaf.value === 'string')
    ? leaves.flatMap((leaf) =>
        String(leaf.value)
          .toLowerCase()
          .split(/[\s,;|]+/)
          .filter((word) => word !== ''),
      )
    : null

function permissionLine(leaves: readonly TypedLeaf[], scopes: GrantExpectation['scopes']): ComparisonLine {
  const collateral = scopes?.includes('collateral:manage') === true
  const base = {
    id: 'permissions',
    label: 'Permissions',
    asked: collateral ? 'Trading and collateral' : 'Trading only',
    unit: null,
    field: leaves[0]?.path ?? null,
    remark: null,
    group: 'order',
  } as const
  if (leaves.length === 0) return { ...base, signed: null, verdict: 'unmatched' }
  const words = wordsOf(leaves)
  const shown = leaves.map(leafText).join(', ')
  if (words === null) return { ...base, signed: shown, verdict: 'unmatched', remark: 'A number whose meaning is not documented' }
  const beyond = words.find((word) => !tradingWords.has(word) && !(collateral && collateralWords.has(word)))
  if (words.length === 0) return { ...base, signed: 'Nothing named', verdict: 'unmatched' }
  return beyond === undefined
    ? { ...base, signed: words.some((word) => collateralWords.has(word)) ? `Trading and collateral (${shown})` : `Trading only (${shown})`, verdict: 'match' }
    : { ...base, signed: shown, verdict: 'differ', remark: collateral ? 'More than trading and collateral' : 'More than trading' }
}

function agentLine(expectation: GrantExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  const base = { id: 'agent', label: 'Agent', unit: null, field: leaf?.path ?? null, group: 'order' } as const
  const asked = expectation.agent
  if (leaf === undefined) return { ...base, asked: asked === null ? 'A new agent' : shortAddress(asked), signed: null, verdict: 'differ', remark: null }
  const signed = String(leaf.value)
  if (sameAddress(signed, expectation.wallet)) return { ...base, asked: asked ?? 'A new agent', signed, verdict: 'differ', remark: 'Your own wallet' }
  if (/^0x0+$/.test(signed)) return { ...base, asked: asked ?? 'A new agent', signed, verdict: 'differ', remark: 'The zero address' }
  if (asked === null) return { ...base, asked: null, signed: shortAddress(signed), verdict: 'unmatched', remark: 'The service named no agent beside the grant' }
  return sameAddress(asked, signed)
    ? { ...base, asked: shortAddress(asked), signed: shortAddress(signed), verdict: 'match', remark: null }
    : { ...base, asked, signed, verdict: 'differ', remark: null }
}

const message = 'The grant'
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function sentenceOf(line: ComparisonLine): string {
  if (line.id === 'agent') {
    if (line.signed === null) return `${message} does not name its agent.`
    if (line.remark === 'Your own wallet') return `${message} names your own wallet as its agent.`
    return line.remark === 'The zero address'
      ? `${message} names the zero address as its agent.`
      : `${message} is for the agent ${line.signed}. The service named ${line.asked}.`
  }
  if (line.id === 'permissions') return `${message} gives ${line.remark === null ? 'more than trading' : lowerFirst(line.remark)}: ${line.signed}.`
  if (line.id === 'expiresAt') {
    return line.remark === 'Over already' ? `${message} is over already: ${line.signed}.` : `${message} would never end.`
  }
  return envelopeSentence(line, message)
}

const anyEnd: Span = { id: 'expiresAt', label: 'Ends', asked: 'An end', longest: Number.POSITIVE_INFINITY, text: dateText }

/** An end that is there and ahead. The document gives the grant no length: one that outlives its key, which ends its agent, is only remarked on. */
function grantEnd({ keyExpiresInDays, existingKey, nowMs }: GrantExpectation, leaf: TypedLeaf | undefined): ComparisonLine {
  const end = endLine(anyEnd, leaf, nowMs)
  // Authority without an end is never given, whatever the layout.
  if (end.verdict === 'unmatched') return { ...end, verdict: 'differ', remark: 'It would never end' }
  const atMs = typeof leaf?.value === 'bigint' ? messageTime(leaf.value) : null
  const keyEndsAtMs = existingKey === undefined ? nowMs + daysInMs(keyExpiresInDays) : existingKey.endsAtMs
  const outlives = end.verdict === 'match' && atMs !== null && keyEndsAtMs !== null && atMs > keyEndsAtMs + tolerance
  return outlives ? { ...end, remark: `Longer than the key, which ends ${dateText(keyEndsAtMs) ?? 'later'}` } : end
}

/** The grant is made before the key, and the key's own count starts a little later. */
const tolerance = hour

/**
 * Reads the grant of a trading agent and says in words what it gives (KEY-15). A grant for another wallet, chain, contract
 * or agent, one that is over or that has no end, blocks; so does one for more than its key was asked for with.
 */
export function explainGrant(typedData: TypedData, expectation: GrantExpectation): GrantExplanation {
  const { found, rest } = recognise<Role>(typedData.leaves, aliases)
  const once = (role: Role): TypedLeaf | undefined => found.get(role)?.[0]
  const permissions = found.get('permissions') ?? []
  const lines: ComparisonLine[] = [
    agentLine(expectation, once('agent')),
    permissionLine(permissions, expectation.scopes),
    ...rest.map(leftOver),
    ...(['agent', 'nonce', 'expiresAt'] as const).flatMap((role) => (found.get(role) ?? []).slice(1).map(leftOver)),
    ...(found.get('wallet') ?? []).slice(1).map((leaf, index) => addressLine(`wallet.${index + 2}`, 'Your wallet', expectation.wallet, leaf)),
    addressLine('wallet', 'Your wallet', expectation.wallet, once('wallet')),
    ...domainLines(typedData, expectation.router, false),
    nonceLine(once('nonce'), expectation.nonceUsed ?? (() => false)),
    grantEnd(expectation, once('expiresAt')),
  ]
  const compared = conclude({
    title: expectation.existingKey?.agentKnown === true ? 'Let the agent of this key trade for you' : 'Let a new agent trade for you',
    typedData,
    lines,
    pins: expectation.pins,
    scales: { usdcScale: null, priceScale: null, leverageScale: null, sizeScale: null },
    sentence: sentenceOf,
    block: null,
  })
  const agent = once('agent')?.value
  const endValue = once('expiresAt')?.value
  const expiresAtMs = typeof endValue === 'bigint' ? messageTime(endValue) : null
  const contract = typedData.domain.verifyingContract ?? null
  const named = lines.some((line) => line.id === 'permissions' && line.verdict === 'match')
  const withCollateral = wordsOf(permissions)?.some((word) => collateralWords.has(word)) === true
  return {
    ...compared,
    sentence: inWords(typeof agent === 'string' ? agent : null, expectation, contract, expiresAtMs),
    may: named ? (withCollateral ? [...trading, moves] : trading) : ['Whatever the contract lets an agent do: the grant names no limit that this app knows'],
    mayNot: named ? (withCollateral ? withheld : ['Withdraw or move your collateral', ...withheld]) : [],
    expiresAtMs,
    contract,
    agent: typeof agent === 'string' ? agent : null,
  }
}

function inWords(agent: string | null, expectation: GrantExpectation, contract: string | null, expiresAtMs: number | null): string {
  const known = expectation.existingKey?.agentKnown === true ? 'the trading agent of this key' : 'a new trading agent'
  const who = agent === null ? 'a trading agent' : `${known} ${shortAddress(agent)}`
  const until = expiresAtMs === null ? null : dateText(expiresAtMs)
  const where = contract === null ? '' : `, only on the exchange router ${shortAddress(contract)}`
  return `You let ${who} act for ${shortAddress(expectation.wallet)} on Base${where} and ${until === null ? 'without an end' : `only until ${until}`}.`
}
