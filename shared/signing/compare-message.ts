import { spelledWords, type WordClass, wordsOf } from '../api/names/name-words.ts'
import type { BlockReason, ComparisonLine } from '../ipc/intents/comparison-lines.ts'
import { sameId } from '../same-id.ts'
import { day } from '../time.ts'
import { writtenWord } from './answers.ts'
import { type Aliases, type Compared, conclude, lineIn, pinFor, type Recognised, recognise } from './comparison.ts'
import { addressLine, domainLines, endLine, intentSpan, nonceLine } from './message/envelope.ts'
import { learnFormat } from './message/learn-format.ts'
import { leftOverLine, type PayloadDifference, payloadLines } from './message/payload.ts'
import { fieldAt, type PinnedFormat } from './message/signing-format.ts'
import type { TypedData, TypedLeaf } from './message/typed-data.ts'
import { foldUnused, linesOf, type Question } from './question-kinds.ts'
import { isSlippage, matchingScale } from './scales.ts'
import { type ExpectedRouter, type PinnedScales, sameAddress, type TrustedFormat } from './trust.ts'
import { messageTime } from './wording.ts'

/** What the app expects of any message to sign: wallet, contracts, signing formats and times. */
export interface MessageExpectation {
  readonly wallet: string
  /** The router that the message should contain; null if the user trusts no router and the service publishes none. */
  readonly router: ExpectedRouter | null
  /** Contracts that the user trusts, besides the router. Absent: none. */
  readonly trusted?: readonly string[]
  /** Signing formats that the user has accepted for this action in this profile. */
  readonly formats: readonly TrustedFormat[]
  /** The service's time: this computer's time plus the measured clock offset. */
  readonly nowMs: number
  /** Whether this wallet has already signed a message with the nonce. */
  readonly nonceUsed?: (nonce: string) => boolean
  /** Differences between the payload that the app sent and the payload that the service returned, from `comparePayload`. */
  readonly payload?: readonly PayloadDifference[]
}

type EnvelopeRole = 'trader' | 'nonce' | 'deadline'
const envelopeRoles = ['trader', 'nonce', 'deadline'] as const satisfies readonly EnvelopeRole[]
const isEnvelope = (role: string): boolean => envelopeRoles.some((each) => each === role)
export type Leaves<Role extends string> = ReadonlyMap<Role | EnvelopeRole, readonly TypedLeaf[]>

/** What a message for one kind of order must contain, for `compareMessage`. */
export interface Subject<Role extends string> {
  /** The kind of order, for example `market`. Messages of each kind contain different fields. */
  readonly variant: string
  /** What the user requested. */
  readonly deed: Deed
  /** true: the order only ends risk. Then a missing value does not block the message, but an extra value needs confirmation (FLOW-02). */
  readonly isExit: boolean
  readonly aliases: Readonly<Record<Role | EnvelopeRole, readonly string[]>>
  /** All requested values to compare, in display order. */
  readonly ask: (found: Leaves<Role>, pin: TrustedFormat | null) => { readonly list: readonly Question<Role>[]; readonly scales: PinnedScales }
  /** Values that the app can recognise even if the field has an unknown name. */
  readonly values: readonly AskedValue<Role>[]
  /** The message must contain at least one of these fields. Otherwise it is not about this request, and is blocked. */
  readonly core: readonly Role[]
  readonly withoutCore: Extract<BlockReason['code'], 'not_the_order' | 'not_the_position'>
}

/**
 * Compares the message to sign with the user's request (FLOW-01, FLOW-02). The app blocks a message if a recognised value differs from the requested
 * value. It also blocks a number that matches the request at one scale (number of decimals) but could be read at another.
 * For each accepted signing format, the app remembers what each field means. A message that adds risk is blocked if a value moved to another field,
 * is missing or has another scale; a new field needs confirmation by name. In a message that only ends risk, only extra values need confirmation.
 */
export function compareMessage<Role extends string>(typedData: TypedData, subject: Subject<Role>, expectation: MessageExpectation): Compared {
  const { wallet, router, nowMs, formats } = expectation
  const { isExit, variant } = subject
  const exact = pinFor(typedData, formats)
  const reference = exact ?? (isExit ? null : referenceFor(formats, variant))
  const { found, rest } = assignRoles<Role | EnvelopeRole>(typedData.leaves, {
    aliases: subject.aliases,
    values: [...subject.values, { role: 'trader', kind: 'address', asked: wallet }, { role: 'deadline', kind: 'after', atMs: nowMs }],
    format: exact?.format ?? null,
  })
  const { list, scales } = subject.ask(found, reference)
  const leavesOf = (role: Role | EnvelopeRole): readonly TypedLeaf[] => found.get(role) ?? []
  // Values in the message that the app recognises, but that this order does not request.
  const unasked = [...found].filter(([role]) => !isEnvelope(role) && !list.some((question) => question.role === role)).flatMap(([, leaves]) => leaves)
  const again = (['nonce', 'deadline'] as const).flatMap((role) => leavesOf(role).slice(1))
  const left = [...unasked, ...rest, ...again]
  const known = { wallet, trusted: [...(router === null ? [] : [router.address]), ...(expectation.trusted ?? [])], nowMs, isExit, variant, reference }
  const lines: readonly ComparisonLine[] = [
    ...foldUnused(list.flatMap((question) => repeated(linesOf(question, leavesOf(question.role)), known).map((line) => ({ line, unused: question.unused })))),
    ...left.map((leaf) => leftOverLine(leaf, known)),
    ...leavesOf('trader')
      .slice(1)
      .map((leaf, index) => addressLine(`wallet.${index + 2}`, wallet, leaf)),
    ...payloadLines(expectation.payload ?? []),
    addressLine('wallet', wallet, leavesOf('trader')[0]),
    ...domainLines(typedData, router, true),
    nonceLine(leavesOf('nonce')[0], expectation.nonceUsed ?? (() => false)),
    endLine(intentSpan, leavesOf('deadline')[0], nowMs),
  ]
  const needed = new Set<string>([...list.filter(({ unused }) => !unused).map(({ role }) => role), ...envelopeRoles])
  const other = otherAction(typedData, subject)
  const compared = conclude({
    compares: 'message',
    typedData,
    lines: isExit || exact !== null ? lines : movedLines(lines, { reference, found, needed }),
    formats,
    scales,
    isExit,
    // A message that contains none of the fields in `core` is not about this request, so the app blocks it.
    block: !subject.core.some((role) => found.has(role)) ? { code: subject.withoutCore } : other === null ? null : { code: 'other_action', struct: other },
  })
  const format = learnFormat({ leaves: typedData.leaves, found, questions: list, scales, before: exact?.format ?? null, variant, nowMs })
  return { ...compared, pin: { ...compared.pin, format } }
}

const inAnyItem = (path: string): string => path.replace(/\[\d+\]/g, '[]')

/**
 * A list may contain the requested order twice, and each copy would match. So the user must confirm a value that another item of the list repeats,
 * unless the accepted format has as many items.
 */
function repeated(lines: readonly ComparisonLine[], { reference }: { readonly reference: TrustedFormat | null }): readonly ComparisonLine[] {
  const accepted = new Set(reference?.format?.fields.map(({ path }) => path))
  const isRepeated = ({ field }: ComparisonLine, index: number): boolean =>
    field !== null && !accepted.has(field) && lines.slice(0, index).some((line) => line.field !== null && inAnyItem(line.field) === inAnyItem(field))
  return lines.map((line, index) =>
    line.verdict === 'match' && isRepeated(line, index) ? { ...line, verdict: 'unmatched', remark: { code: 'unasked' }, code: 'new_field' } : line,
  )
}

/** What a message does with a position. */
type Deed = 'open' | 'close' | 'invert'

/** Words in the name of a struct that state what the message does. other: something that no order does. */
const deeds: Readonly<Record<Deed | 'other', readonly string[]>> = {
  open: ['open', 'opening', 'increase'],
  close: ['close', 'closing', 'closure', 'reduce', 'decrease', 'exit'],
  invert: ['invert', 'inversion', 'flip', 'reverse', 'reversal', 'turn'],
  other: [
    ...['agent', 'approve', 'approval', 'authorize', 'authorise', 'authorization', 'authorisation', 'delegate', 'delegation', 'deposit', 'grant'],
    ...['permit', 'transfer', 'withdraw', 'withdrawal'],
  ],
}
const states = (struct: string, deed: Deed | 'other'): boolean => spelledWords(struct).some((word) => deeds[deed].includes(word))

/**
 * Returns the struct whose name states another action than the requested one; null if there is none. The values alone cannot show this: an inversion
 * or a withdrawal may contain nothing that a close lacks. But the contract defines the structs' names, so the service cannot choose them.
 */
function otherAction({ primaryType, types }: TypedData, { deed, isExit }: Pick<Subject<string>, 'deed' | 'isExit'>): string | null {
  if (states(primaryType, deed)) return null
  const trades = (['open', 'close', 'invert'] as const).filter((each) => each !== deed)
  const isOther = trades.some((each) => states(primaryType, each)) || (states(primaryType, 'other') && !spelledWords(primaryType).includes('order'))
  if (isOther) return primaryType
  // The name may state nothing, as in `Intent`. Then a part of an exit that adds risk states what the message does.
  return isExit ? (Object.keys(types).find((name) => states(name, 'open') || states(name, 'invert')) ?? null) : null
}

/** Returns the format that the user accepted last for this kind of order. Messages in other formats are compared with it. */
const referenceFor = (formats: readonly TrustedFormat[], variant: string): TrustedFormat | null =>
  formats.findLast(({ format }) => format?.variants.includes(variant) === true) ?? null

/** Ids of comparison lines, keyed by the value's role in the message. Lists only roles whose line has another name. */
const lineIds: Readonly<Record<string, string>> = { trader: 'wallet' }

interface Given {
  readonly reference: TrustedFormat | null
  readonly found: ReadonlyMap<string, readonly TypedLeaf[]>
  /** The roles (such as side or price) for which this order has a value. */
  readonly needed: ReadonlySet<string>
}

/** Marks a value as different if the accepted format has it in another field, or if it is missing from this message. */
function movedLines(lines: readonly ComparisonLine[], { reference, found, needed }: Given): readonly ComparisonLine[] {
  const moved = new Set<string>()
  for (const role of needed) {
    const places = (reference?.format?.fields ?? []).filter((field) => field.role === role).map(({ path }) => path)
    if (places.length === 0) continue
    const leaves = found.get(role) ?? []
    if (leaves.length === 0 || leaves.some(({ path }) => !places.includes(path))) moved.add(lineIds[role] ?? role)
  }
  const known = lines.map((line): ComparisonLine => (moved.has(line.id) && line.verdict !== 'differ' ? { ...line, verdict: 'differ', code: 'moved' } : line))
  // A missing optional value has no comparison line so far, so add one.
  const silent = [...moved].filter((id) => !lines.some((line) => line.id === id))
  return [...known, ...silent.map((id) => lineIn('order')({ id, asked: null, signed: null, verdict: 'differ', code: 'moved' }))]
}

interface AssignRolesGiven<Role extends string> {
  readonly aliases: Aliases<Role>
  readonly values: readonly AskedValue<Role>[]
  /** What each field of this signing format means; null if the user never accepted the format, or accepted it before the app stored meanings. */
  readonly format: PinnedFormat | null
}

/**
 * Decides which requested value each value of a message corresponds to: by the accepted signing format, otherwise by the field's name, otherwise by
 * the value itself. In an accepted format, a field keeps its meaning. If it later contains a different value, the app reports a difference, and not
 * an unknown field.
 */
function assignRoles<Role extends string>(leaves: readonly TypedLeaf[], { aliases, values, format }: AssignRolesGiven<Role>): Recognised<Role> {
  const isRole = (name: string): name is Role => Object.hasOwn(aliases, name)
  const agreed = (leaf: TypedLeaf): Role | null => {
    const role = fieldAt(format, leaf)?.role ?? null
    return role !== null && isRole(role) ? role : null
  }
  const named = recognise<Role>(
    leaves.filter((leaf) => agreed(leaf) === null),
    aliases,
  )
  const found = new Map<Role, TypedLeaf[]>()
  const take = (role: Role, leaf: TypedLeaf): void => void found.set(role, [...(found.get(role) ?? []), leaf])
  for (const leaf of leaves) {
    const role = agreed(leaf)
    if (role !== null) take(role, leaf)
  }
  for (const [role, some] of named.found) for (const leaf of some) take(role, leaf)
  // When the user accepted this format, the app did not know the meaning of some of its numbers. Such a number must not get a meaning later just
  // because its value matches: it could match by chance at another scale. So the app recognises no numbers in these fields.
  const open = values.filter(({ kind }) => kind !== 'number' && kind !== 'slippage')
  const isKnown = (leaf: TypedLeaf) => (fieldAt(format, leaf)?.rule ?? 'empty') !== 'empty'
  const byValue = recogniseByValue(
    values,
    (role) => found.has(role),
    named.rest.filter((leaf) => !isKnown(leaf)),
  )
  const again = recogniseByValue(open, (role) => found.has(role) || byValue.has(role), named.rest.filter(isKnown))
  for (const [role, leaf] of [...byValue, ...again]) take(role, leaf)
  const recognised = new Set([...byValue.values(), ...again.values()])
  return { found, rest: named.rest.filter((leaf) => !recognised.has(leaf)) }
}

/**
 * How to recognise a requested value in a field with an unknown name.
 * number, id, address: equal to the requested value; null if none was requested.
 * words: any known word of this kind, so that a different word is reported as a difference.
 * slippage: equal to the requested value, and the field's name contains "slippage".
 * after: a time up to a day after `atMs` (Unix ms). Without this limit, a price could be mistaken for a later time.
 */
export type AskedValue<Role extends string> = { readonly role: Role } & (
  | { readonly kind: 'number' | 'id' | 'address'; readonly asked: string | null }
  | { readonly kind: 'slippage'; readonly asked: number | null }
  | { readonly kind: 'words'; readonly of: WordClass<string> }
  | { readonly kind: 'after'; readonly atMs: number }
)

/**
 * The app recognises an integer in an unknown field by its value only from this number on. A smaller integer could be a market, a leverage or a
 * permille.
 */
const distinctive = 1_000_000n

const isWithinADay = (atMs: number | null, fromMs: number): boolean => atMs !== null && atMs > fromMs && atMs <= fromMs + day

const noWords: ReadonlySet<string> = new Set()

function says<Role extends string>(leaf: TypedLeaf, it: AskedValue<Role>): boolean {
  const { type, value } = leaf
  switch (it.kind) {
    case 'words':
      return typeof value === 'string' && it.of(writtenWord(value)) !== undefined
    case 'slippage':
      return it.asked !== null && wordsOf(leaf.names.at(-1) ?? '', noWords).includes('slippage') && isSlippage(leaf, it.asked)
    case 'after':
      return typeof value === 'bigint' && isWithinADay(messageTime(value), it.atMs)
    case 'address':
      return type === 'address' && sameAddress(String(value), it.asked)
    // An address is never an id here: the service chooses the ids, so it could choose the address of an agent as one.
    case 'id':
      return it.asked !== null && type !== 'address' && sameId(value, it.asked)
    case 'number':
      return it.asked !== null && typeof value === 'bigint' && value >= distinctive && matchingScale({ units: value, asked: it.asked }) !== null
  }
}

/**
 * Recognises requested values in fields with unknown names. Skips ambiguous cases: several values match one requested value, or one value matches
 * several.
 */
function recogniseByValue<Role extends string>(
  values: readonly AskedValue<Role>[],
  isNamed: (role: Role) => boolean,
  rest: readonly TypedLeaf[],
): ReadonlyMap<Role, TypedLeaf> {
  const found = new Map<Role, TypedLeaf>()
  for (let isNew = true; isNew; ) {
    isNew = false
    const open = values.filter(({ role }) => !isNamed(role) && !found.has(role))
    const left = rest.filter((leaf) => ![...found.values()].includes(leaf))
    for (const value of open) {
      const [leaf, ...others] = left.filter((each) => says(each, value))
      if (leaf !== undefined && others.length === 0 && open.filter((other) => says(leaf, other)).length === 1) {
        found.set(value.role, leaf)
        isNew = true
      }
    }
  }
  return found
}
