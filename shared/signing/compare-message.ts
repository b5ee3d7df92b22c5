import { askedSentence } from './asked-sentence.ts'
import { type AskedValue, recogniseByValue } from './by-value.ts'
import { type Compared, conclude, leftOver, pinFor, recognise } from './comparison.ts'
import { addressLine, domainLines, endLine, intentSpan, nonceLine } from './envelope.ts'
import { type PayloadDifference, payloadLines } from './payload.ts'
import type { ExpectedRouter, LayoutPin } from './pins.ts'
import type { Question } from './question-kinds.ts'
import { foldUnused, linesOf } from './question-lines.ts'
import type { TypedData, TypedLeaf } from './typed-data.ts'

/** For whom and how long a message is, whatever it asks for. */
export interface MessageExpectation {
  readonly wallet: string
  /** null: none is pinned and none published. */
  readonly router: ExpectedRouter | null
  /** Layouts accepted before for this action in this profile. */
  readonly pins: readonly LayoutPin[]
  /** The service's time: the computer's plus the measured offset. */
  readonly nowMs: number
  /** Whether a nonce of this wallet was signed before. */
  readonly nonceUsed?: (nonce: string) => boolean
  /** From `comparePayload`. */
  readonly payload?: readonly PayloadDifference[]
}

type EnvelopeRole = 'trader' | 'nonce' | 'deadline'
const envelopeRoles: ReadonlySet<string> = new Set<EnvelopeRole>(['trader', 'nonce', 'deadline'])
export type Leaves<Role extends string> = ReadonlyMap<Role | EnvelopeRole, readonly TypedLeaf[]>

/** What one kind of signed intent asks for. */
export interface Subject<Role extends string> {
  readonly title: string
  readonly aliases: Readonly<Record<Role | EnvelopeRole, readonly string[]>>
  /** Everything that was asked for, in the order in which it is shown. */
  readonly ask: (found: Leaves<Role>, pin: LayoutPin | null) => { readonly list: readonly Question<Role>[]; readonly scales: Omit<LayoutPin, 'hash'> }
  /** What can be recognised by its value alone. */
  readonly values: readonly AskedValue<Role>[]
  /** A message that says none of these does not ask for this. */
  readonly core: readonly Role[]
  readonly withoutCore: string
}

/**
 * Compares the typed data of a signed intent with what was asked for (FLOW-01, FLOW-02). Every value that is recognised must be
 * equal; a difference, or a value readable at two scales, blocks always. Values that are not recognised, and a layout that was
 * never accepted, need the user's word.
 */
export function compareMessage<Role extends string>(typedData: TypedData, subject: Subject<Role>, expectation: MessageExpectation): Compared {
  const { wallet, router, nowMs, pins } = expectation
  const named = recognise<Role | EnvelopeRole>(typedData.leaves, subject.aliases)
  const byValue = recogniseByValue(subject.values, (role) => named.found.has(role), named.rest)
  const found: Leaves<Role> = new Map<Role | EnvelopeRole, readonly TypedLeaf[]>([
    ...named.found,
    ...[...byValue].map(([role, leaf]) => [role, [leaf]] as const),
  ])
  const recognised = new Set(byValue.values())
  const rest = named.rest.filter((leaf) => !recognised.has(leaf))
  const { list, scales } = subject.ask(found, pinFor(typedData, pins))
  // Recognised, and not asked for here.
  const unasked = [...found].filter(([role]) => !envelopeRoles.has(role) && !list.some((question) => question.role === role)).flatMap(([, leaves]) => leaves)
  const asked = foldUnused(list.flatMap((question) => linesOf(question, found.get(question.role) ?? []).map((line) => ({ line, unused: question.unused }))))
  const once = (role: EnvelopeRole): TypedLeaf | undefined => found.get(role)?.[0]
  const again = [
    ...(found.get('trader') ?? []).slice(1).map((leaf, index) => addressLine(`wallet.${index + 2}`, 'Wallet', wallet, leaf)),
    ...(['nonce', 'deadline'] as const).flatMap((role) => (found.get(role) ?? []).slice(1).map(leftOver)),
  ]
  const envelope = [
    addressLine('wallet', 'Wallet', wallet, once('trader')),
    ...domainLines(typedData, router, true),
    nonceLine(once('nonce'), expectation.nonceUsed ?? (() => false)),
    endLine(intentSpan, once('deadline'), nowMs),
  ]
  return conclude({
    title: subject.title,
    typedData,
    lines: [...asked, ...[...unasked, ...rest].map(leftOver), ...again, ...payloadLines(expectation.payload ?? []), ...envelope],
    pins,
    scales,
    sentence: (line) => askedSentence(line, 'The prepared message'),
    // Signing it would not be signing what was asked for.
    block: subject.core.some((role) => found.has(role)) ? null : subject.withoutCore,
  })
}
