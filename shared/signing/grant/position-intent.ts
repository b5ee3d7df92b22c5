import { assumed } from '../../api/assumptions.ts'
import { orderTypes, sides, timesInForce, type WordClass } from '../../api/names/name-words.ts'
import { compare, decimalsOf, equals, formatDecimal, fromUnits, isDecimal, multiply, parseDecimal, roundTo, toUnits } from '../../decimal.ts'
import type { LineValue } from '../../ipc/intents/comparison-lines.ts'
import type { ActionTicketOf, CloseTicket, SeenPosition } from '../../ipc/intents/tickets.ts'
import { type Answer, match, Scaled, writtenWord } from '../answers.ts'
import { type AskedValue, compareMessage, type Leaves, type MessageExpectation, type Subject } from '../compare-message.ts'
import { type Compared, despiteFormat, leafValue, pinFor } from '../comparison.ts'
import { isNear, nearQuestion } from '../message/payload.ts'
import { isEmptyValue, type WordsOf, wordsOf } from '../message/signing-format.ts'
import type { TypedData, TypedLeaf } from '../message/typed-data.ts'
import {
  forceQuestion,
  idQuestion,
  marketQuestion,
  orEmpty,
  postOnlyQuestion,
  priceQuestion,
  type Question,
  sideQuestion,
  slippageQuestion,
  typeQuestion,
} from '../question-kinds.ts'
import { candidateScales, matchingScale, otherReading, priceScale, sizeScale, usdcScale } from '../scales.ts'
import type { TrustedFormat } from '../trust.ts'

export interface PositionExpectation<Ticket> extends MessageExpectation {
  readonly ticket: Ticket
  readonly clientOrderId: string
  /** Decimal places of prices in this market; null if the service did not state them. `sizeDecimals`: the same for sizes. */
  readonly priceDecimals: number | null
  readonly sizeDecimals: number | null
  /** The base asset, for example `BTC`, for display. */
  readonly base: string | null
  /**
   * Signing formats that the user accepted for the other kind of close (market or limit). In such a format, sizes have the same scale in both kinds.
   * Absent if none.
   */
  readonly siblings?: readonly TrustedFormat[]
}

const aliases = assumed.positionTypedData.fields
type Role = keyof typeof aliases

const whole: LineValue = { code: 'whole_position' }

/**
 * Returns the size in a message that closes a whole position: the size on screen, or this size with more decimals. null if the number means another
 * size at every scale.
 */
function wholeSize({ value }: TypedLeaf, shown: string, sizeDecimals: number | null, pinned: number | null): string | null {
  if (typeof value !== 'bigint') return null
  const decimals = sizeDecimals ?? decimalsOf(shown)
  const scales = pinned === null ? candidateScales : [pinned]
  return scales.map((scale) => fromUnits(value, scale)).find((reading) => equals(roundTo(reading, decimals, 'down'), shown)) ?? null
}

/** Words for the whole position. `saysAll` also accepts 0 and the largest number of the field's type. */
const allWords = /^(?:all|max|full|whole|everything|100 ?%)$/i
const saysAll = ({ value }: TypedLeaf): boolean =>
  typeof value === 'bigint'
    ? value === 0n || (value >= 2n ** 63n - 1n && (value & (value + 1n)) === 0n)
    : typeof value === 'string' && allWords.test(writtenWord(value))

/**
 * Finds the scale of a size in the message by comparing it with a position size of unknown unit. The position size is tried in base units (`rawSize`)
 * and as USDC converted to base units (`sizeIfUsdc`). Returns `null` if neither matches. `pinned`: the scale that the user confirmed earlier, if any.
 */
function bareSize({ value }: TypedLeaf, { rawSize, sizeIfUsdc }: SeenPosition, pinned: number | null) {
  if (rawSize === undefined) return null
  const isIt = (reading: string): boolean => equals(reading, rawSize) || (sizeIfUsdc !== undefined && isNear(reading, sizeIfUsdc))
  const written = typeof value === 'string' ? parseDecimal(value) : null
  if (written !== null) return isIt(written) ? { reading: written, scale: null } : null
  if (typeof value !== 'bigint') return null
  // The message contains the same integer as the service's data. The service's integer may already be scaled, so its scale remains unknown.
  if (value === toUnits(rawSize, 0)) return { reading: rawSize, scale: null }
  const scales = pinned === null ? candidateScales : [pinned]
  const scale = scales.find((each) => toUnits(rawSize, each) === value) ?? scales.find((each) => isIt(fromUnits(value, each)))
  return scale === undefined ? null : { reading: fromUnits(value, scale), scale }
}

/** Returns which sizes the service may fill in for a close of the whole position. Used by `comparePayload` (ORD-17). */
export function closeFills({ size, position }: CloseTicket, sizeDecimals: number | null): Readonly<Record<string, (value: unknown) => boolean>> {
  const { size: shown, sizeAbout, rawSize, sizeIfUsdc } = position
  if (size !== null) return {}
  const about = sizeAbout ?? sizeIfUsdc
  const isWhole = (written: string): boolean =>
    shown === null
      ? about === undefined || isNear(written, about) || (rawSize !== undefined && equals(written, rawSize))
      : equals(roundTo(written, sizeDecimals ?? decimalsOf(shown), 'down'), shown)
  return { size: (value) => typeof value === 'string' && isDecimal(value) && isWhole(value) }
}

function sizeQuestion(
  { ticket, sizeDecimals, base }: PositionExpectation<CloseTicket>,
  leaves: readonly TypedLeaf[],
  pinned: number | null,
  isWorthSaid: boolean,
): { readonly question: Question<Role>; readonly scale: number | null } {
  const { size, position } = ticket
  const show = (value: string): string => formatDecimal(value)
  const part = { role: 'size', unit: base, unused: false } as const
  if (size !== null) {
    const decimals = sizeDecimals ?? decimalsOf(position.size ?? size)
    const scaled = new Scaled(
      sizeScale,
      pinned,
      leaves.map((leaf) => ({ leaf, asked: size })),
    )
    const asAsked = scaled.said(size, 'size', show)
    const said: Answer = (leaf) => {
      const answer = asAsked(leaf)
      if (pinned !== null || answer.verdict !== 'match' || typeof leaf.value !== 'bigint') return answer
      // In a new format, the number's scale is unknown. So look for another size that the number may mean, within the market's decimals and the
      // position's size.
      const other = otherReading({ units: leaf.value, asked: size }, { largest: position.size, decimals })
      // If the number could also mean a smaller size, the message passes, because a question would delay the close. If it could also mean a larger
      // size, the user must confirm it. The user sees both sizes in either case.
      return other === null
        ? answer
        : {
            ...answer,
            verdict: 'unmatched',
            remark: { code: 'also', value: show(other), unit: base },
            code: compare(other, size) > 0 ? 'ambiguous_more' : 'ambiguous',
          }
    }
    // A message without a size could close the whole position, so the user must confirm it.
    return { question: { ...part, asked: show(size), said, needed: !isWorthSaid }, scale: scaled.scale }
  }
  const { size: shown } = position
  if (shown === null) {
    const about = nearQuestion<Role>({
      ...{ role: 'size', unit: base, asked: position.sizeAbout ?? null, noun: 'position', kind: sizeScale },
      ...{ pinned, leaves: leaves.filter((leaf) => !saysAll(leaf)), isBacked: false },
    })
    const said: Answer = (leaf) => {
      if (saysAll(leaf)) return match(whole)
      const bare = bareSize(leaf, position, pinned)
      return bare === null ? about.question.said(leaf) : match(show(bare.reading))
    }
    const [first] = leaves
    const bareScale = first === undefined ? null : (bareSize(first, position, pinned)?.scale ?? null)
    return { question: { ...part, unit: null, asked: whole, said }, scale: about.scale ?? bareScale }
  }
  const asked = (leaf: TypedLeaf): string => wholeSize(leaf, shown, sizeDecimals, pinned) ?? shown
  const scaled = new Scaled(
    sizeScale,
    pinned,
    leaves.filter((leaf) => !saysAll(leaf)).map((leaf) => ({ leaf, asked: asked(leaf) })),
  )
  const said: Answer = (leaf) => (saysAll(leaf) ? match(whole) : scaled.said(asked(leaf), 'position', show)(leaf))
  // The message may contain a larger size than the screen showed and still close the whole position. Only an exactly equal size reveals the scale
  // for later messages.
  const exact = leaves.flatMap(({ value }) => (typeof value === 'bigint' ? (matchingScale({ units: value, asked: shown }) ?? []) : []))
  return { question: { ...part, asked: show(shown), said }, scale: pinned ?? exact[0] ?? null }
}

/**
 * Returns a copy of a `Question` for a word that asks the user about an unknown word, such as the type `close`, instead of blocking the close. The
 * app then remembers what the word means.
 */
const orUnknown = (question: Question<Role>, of: WordClass<string>, learnt: (role: string) => WordsOf): Question<Role> => ({
  ...question,
  said: (leaf) => {
    const isUnknown = typeof leaf.value === 'string' && !isEmptyValue(leaf.value) && of(writtenWord(leaf.value)) === undefined
    if (!isUnknown) return question.said(leaf)
    const meant = learnt(question.role)(leaf)[String(leaf.value)]
    if (meant === question.word) return match(question.asked)
    return meant === undefined ? { value: leafValue(leaf), verdict: 'unmatched', remark: { code: 'unasked' }, code: 'unasked' } : question.said(leaf)
  },
})

const positionQuestion = ({ positionId }: SeenPosition): Question<'positionId'> => idQuestion('positionId', positionId)

interface AtPrice {
  readonly referencePrice: string | null
  readonly limitPrice: string | null
}

/** The USDC value of the part to close, at the ticket's price; null if the size is unknown. */
function notionalOf(ticket: CloseTicket): string | null {
  const size = ticket.size ?? ticket.position.size
  return size === null ? null : multiply(size, ticket.action === 'close_position_limit' ? ticket.limitPrice : ticket.referencePrice)
}

const priceLeaves = (found: Leaves<Role>, prices: AtPrice) =>
  (['referencePrice', 'limitPrice'] as const).flatMap((role) => {
    const asked = prices[role]
    return asked === null ? [] : (found.get(role) ?? []).map((leaf) => ({ leaf, asked }))
  })

const values = (positionId: string, clientOrderId: string, prices: AtPrice, slippageBps: number | null, size: string | null): readonly AskedValue<Role>[] => [
  { role: 'positionId', asked: positionId, kind: 'id' },
  { role: 'size', asked: size, kind: 'number' },
  { role: 'referencePrice', asked: prices.referencePrice, kind: 'number' },
  { role: 'limitPrice', asked: prices.limitPrice, kind: 'number' },
  { role: 'maxSlippageBps', asked: slippageBps, kind: 'slippage' },
  { role: 'clientOrderId', asked: clientOrderId, kind: 'id' },
  { role: 'side', kind: 'words', of: sides },
  { role: 'orderType', kind: 'words', of: orderTypes },
  { role: 'timeInForce', kind: 'words', of: timesInForce },
]

const positionCore = {
  core: ['positionId', 'pairId'],
  withoutCore: 'not_the_position',
} as const satisfies Pick<Subject<Role>, 'core' | 'withoutCore'>

/** Compares the message to sign for a `close_position_market` or `close_position_limit` with the request (FLOW-02). */
export function compareClose(typedData: TypedData, expectation: PositionExpectation<CloseTicket>): Compared {
  const compared = closeIn(typedData, expectation)
  // A partial close at another scale could close a larger part, so an accepted format blocks it. The user can still close the whole position.
  if (expectation.ticket.size !== null) return compared
  return despiteFormat(compared, () => closeIn(typedData, { ...expectation, formats: [], siblings: [] }))
}

function closeIn(typedData: TypedData, expectation: PositionExpectation<CloseTicket>): Compared {
  const { ticket, clientOrderId, priceDecimals } = expectation
  const isLimit = ticket.action === 'close_position_limit'
  const prices: AtPrice = { referencePrice: isLimit ? null : ticket.referencePrice, limitPrice: isLimit ? ticket.limitPrice : null }
  const slippageBps = isLimit ? null : ticket.maxSlippageBps
  return compareMessage<Role>(
    typedData,
    {
      variant: isLimit ? 'limit' : 'market',
      deed: 'close',
      isExit: true,
      aliases,
      ask: (found, pin) => {
        const price = new Scaled(priceScale, pin?.priceScale ?? null, priceLeaves(found, prices))
        const sizeScaleKnown = pin?.sizeScale ?? pinFor(typedData, expectation.siblings ?? [])?.sizeScale ?? null
        const size = sizeQuestion(expectation, found.get('size') ?? [], sizeScaleKnown, found.has('notional'))
        const learnt = (role: string) => wordsOf(pin?.format, role)
        const notional = nearQuestion<Role>({
          ...{ role: 'notional', unit: 'USDC', asked: notionalOf(ticket), noun: 'close', kind: usdcScale },
          ...{ pinned: pin?.usdcScale ?? null, leaves: found.get('notional') ?? [], isBacked: found.has('size') },
        })
        const list: Question<Role>[] = [
          // Without the position's id, the message could also open a position in the same market. So the user must confirm it.
          { ...positionQuestion(ticket.position), needed: true },
          marketQuestion(ticket.position),
          // The message may omit the side, because the position's id is enough.
          { ...orUnknown(sideQuestion(ticket.position.side, learnt), sides, learnt), optional: true },
          orUnknown(typeQuestion(isLimit ? 'limit' : 'market', learnt), orderTypes, learnt),
          size.question,
          notional.question,
          priceQuestion('referencePrice', prices.referencePrice, price, priceDecimals),
          priceQuestion('limitPrice', prices.limitPrice, price, priceDecimals),
          slippageQuestion(slippageBps, pin),
          // Market orders are always `ioc`, so the message may omit the time in force.
          orUnknown(isLimit ? forceQuestion(ticket.timeInForce, learnt) : orEmpty(forceQuestion('ioc', learnt)), timesInForce, learnt),
          postOnlyQuestion(isLimit && ticket.postOnly, !isLimit),
          idQuestion('clientOrderId', clientOrderId),
        ]
        return { list, scales: { usdcScale: notional.scale, priceScale: price.scale, leverageScale: null, sizeScale: size.scale } }
      },
      values: values(ticket.position.positionId, clientOrderId, prices, slippageBps, ticket.size ?? ticket.position.size ?? ticket.position.rawSize ?? null),
      ...positionCore,
    },
    expectation,
  )
}

/** Compares the message to sign for an `invert_position` with the request. */
export function compareInvert(typedData: TypedData, expectation: PositionExpectation<ActionTicketOf<'invert_position'>>): Compared {
  const { ticket, clientOrderId, priceDecimals } = expectation
  const prices: AtPrice = { referencePrice: ticket.referencePrice, limitPrice: null }
  return compareMessage<Role>(
    typedData,
    {
      variant: 'market',
      deed: 'invert',
      // An inversion is not an exit: it also opens a position on the other side.
      isExit: false,
      aliases,
      ask: (found, pin) => {
        const price = new Scaled(priceScale, pin?.priceScale ?? null, priceLeaves(found, prices))
        const list: Question<Role>[] = [
          positionQuestion(ticket.position),
          marketQuestion(ticket.position),
          priceQuestion('referencePrice', ticket.referencePrice, price, priceDecimals),
          priceQuestion('limitPrice', null, price, priceDecimals),
          slippageQuestion(ticket.maxSlippageBps, pin),
          idQuestion('clientOrderId', clientOrderId),
        ]
        return { list, scales: { usdcScale: null, priceScale: price.scale, leverageScale: null, sizeScale: null } }
      },
      values: values(ticket.position.positionId, clientOrderId, prices, ticket.maxSlippageBps, null),
      ...positionCore,
    },
    expectation,
  )
}
