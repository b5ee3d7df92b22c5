import { type WordClass, wordsOf } from '../api/names/name-words.ts'
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
  /** The router that the message should name; null: the user trusts none, and the service publishes none. */
  readonly router: ExpectedRouter | null
  /** Contracts that the user trusts, besides the router. Absent: none. */
  readonly trusted?: readonly string[]
  /** Signing formats accepted before for this action in this profile. */
  readonly formats: readonly TrustedFormat[]
  /** The service's time: the computer's plus the measured offset. */
  readonly nowMs: number
  /** Whether this wallet has already signed a message with the nonce. */
  readonly nonceUsed?: (nonce: string) => boolean
  /** Differences between the order payload that the app sent and the payload in the service's response, from `comparePayload`. */
  readonly payload?: readonly PayloadDifference[]
}

type EnvelopeRole = 'trader' | 'nonce' | 'deadline'
const envelopeRoles = ['trader', 'nonce', 'deadline'] as const satisfies readonly EnvelopeRole[]
const isEnvelope = (role: string): boolean => envelopeRoles.some((each) => each === role)
export type Leaves<Role extends string> = ReadonlyMap<Role | EnvelopeRole, readonly TypedLeaf[]>

/** What a message for one kind of order must contain. */
export interface Subject<Role extends string> {
  /** The kind of order, for example `market`. Messages of each kind contain different fields. */
  readonly variant: string
  /** true: the order only ends risk. Then a missing value does not block the message, but an extra value needs confirmation (FLOW-02). */
  readonly isExit: boolean
  readonly aliases: Readonly<Record<Role | EnvelopeRole, readonly string[]>>
  /** All requested values, in display order. */
  readonly ask: (found: Leaves<Role>, pin: TrustedFormat | null) => { readonly list: readonly Question<Role>[]; readonly scales: PinnedScales }
  /** Values that the app can recognise even in a field with an unknown name. */
  readonly values: readonly AskedValue<Role>[]
  /** A message for this request must contain at least one of these fields. Otherwise it is about something else. */
  readonly core: readonly Role[]
  readonly withoutCore: Extract<BlockReason['code'], 'not_the_order' | 'not_the_position'>
}

/**
 * Compares the message to sign with the user's request (FLOW-01, FLOW-02). Every recognised value must equal the requested one. The app always blocks
 * a message with a different value, or with a number that fits the request only with one of two possible scales (numbers of decimals).
 * The app remembers what each field of an agreed signing format means. It blocks a message that adds risk if a value moved to another field, is
 * missing or has another scale; a new field needs confirmation by name. If a message only ends risk, only extra values need confirmation.
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
  // Values that the app recognises, but that this order does not request.
  const unasked = [...found].filter(([role]) => !isEnvelope(role) && !list.some((question) => question.role === role)).flatMap(([, leaves]) => leaves)
  const again = (['nonce', 'deadline'] as const).flatMap((role) => leavesOf(role).slice(1))
  const left = [...unasked, ...rest, ...again]
  const known = { wallet, trusted: [...(router === null ? [] : [router.address]), ...(expectation.trusted ?? [])], nowMs, isExit, variant, reference }
  const lines: readonly ComparisonLine[] = [
    ...foldUnused(list.flatMap((question) => linesOf(question, leavesOf(question.role)).map((line) => ({ line, unused: question.unused })))),
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
  const compared = conclude({
    compares: 'message',
    typedData,
    lines: isExit || exact !== null ? lines : movedLines(lines, { reference, found, needed }),
    formats,
    scales,
    isExit,
    // Without any core value, the message is something other than the request. So block it.
    block: subject.core.some((role) => found.has(role)) ? null : { code: subject.withoutCore },
  })
  const format = learnFormat({ leaves: typedData.leaves, found, questions: list, scales, before: exact?.format ?? null, variant, nowMs })
  return { ...compared, pin: { ...compared.pin, format } }
}

/** Returns the most recent format that the user trusted for this kind of order. A message in another format is compared with it. */
const referenceFor = (formats: readonly TrustedFormat[], variant: string): TrustedFormat | null =>
  formats.findLast(({ format }) => format?.variants.includes(variant) === true) ?? null

/** Maps a role in the message to the id of its comparison line, if the two names differ. */
const lineIds: Readonly<Record<string, string>> = { trader: 'wallet' }

interface Given {
  readonly reference: TrustedFormat | null
  readonly found: ReadonlyMap<string, readonly TypedLeaf[]>
  /** The roles (ticket fields) that this order uses. */
  readonly needed: ReadonlySet<string>
}

/** Marks a value as different if the agreed format contains it, but this message contains it in another field or not at all. */
function movedLines(lines: readonly ComparisonLine[], { reference, found, needed }: Given): readonly ComparisonLine[] {
  const moved = new Set<string>()
  for (const role of needed) {
    const places = (reference?.format?.fields ?? []).filter((field) => field.role === role).map(({ path }) => path)
    if (places.length === 0) continue
    const leaves = found.get(role) ?? []
    if (leaves.length === 0 || leaves.some(({ path }) => !places.includes(path))) moved.add(lineIds[role] ?? role)
  }
  const known = lines.map((line): ComparisonLine => (moved.has(line.id) && line.verdict !== 'differ' ? { ...line, verdict: 'differ', code: 'moved' } : line))
  // A missing optional value has no line yet, so add one.
  const silent = [...moved].filter((id) => !lines.some((line) => line.id === id))
  return [...known, ...silent.map((id) => lineIn('order')({ id, asked: null, signed: null, verdict: 'differ', code: 'moved' }))]
}

interface AssignRolesGiven<Role extends string> {
  readonly aliases: Aliases<Role>
  readonly values: readonly AskedValue<Role>[]
  /** What each field means in this exact signing format; null: never agreed to, or agreed to before the app stored meanings. */
  readonly format: PinnedFormat | null
}

/**
 * Decides which requested item each value of a message belongs to: by the agreed signing format, else by the field's name, else by the value itself.
 * Once agreed, a field keeps its meaning. If it later contains a different value, the app reports a difference and not an unknown field.
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
  // The user agreed to this format while the app could not tell what a number in it meant. The number's value must not define a meaning later,
  // because a value could fit by chance at another scale. So exclude numbers for such fields.
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
 * How to recognise a value whose field has an unknown name.
 * number, id, address: it equals the requested value; null: none was requested.
 * words: it is any word of the class, so that a different word is reported as a difference.
 * slippage: it equals the requested value, and the field's name contains "slippage".
 * after: it is a time up to a day after `atMs` (Unix ms). The limit is needed because a price may look like a later time.
 */
export type AskedValue<Role extends string> = { readonly role: Role } & (
  | { readonly kind: 'number' | 'id' | 'address'; readonly asked: string | null }
  | { readonly kind: 'slippage'; readonly asked: number | null }
  | { readonly kind: 'words'; readonly of: WordClass<string> }
  | { readonly kind: 'after'; readonly atMs: number }
)

/** Smaller numbers (a market, a leverage, a permille) can mean too many things to be recognised by value. */
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
    case 'id':
      return it.asked !== null && sameId(value, it.asked)
    case 'number':
      return it.asked !== null && typeof value === 'bigint' && value >= distinctive && matchingScale({ units: value, asked: it.asked }) !== null
  }
}

/**
 * Recognises values in fields with unknown names, for requested items that no name matched. Skips ambiguous cases: several values that fit one item,
 * or one value that fits several items.
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
