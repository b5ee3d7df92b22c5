import type { ComparisonLine } from '../ipc/signing.ts'
import type { AskedOrder } from './asked-order.ts'
import { recogniseByValue } from './by-value.ts'
import { type Compared, conclude, leftOver, pinFor, recognise } from './comparison.ts'
import { addressLine, domainLines, endLine, envelopeSentence, intentSpan, nonceLine } from './envelope.ts'
import { type OrderLeaves, type OrderRole, orderAliases, type Question, questions } from './order-questions.ts'
import { type PayloadDifference, payloadLines, payloadSentence } from './payload.ts'
import type { ExpectedRouter, LayoutPin } from './pins.ts'
import type { TypedData, TypedLeaf } from './typed-data.ts'

export interface IntentExpectation {
  readonly order: AskedOrder
  /** Decimals of a price of this market, for display. */
  readonly priceDecimals: number | null
  readonly wallet: string
  /** null: none is pinned and none published. */
  readonly router: ExpectedRouter | null
  /** Layouts accepted before for `open_position` in this profile. */
  readonly pins: readonly LayoutPin[]
  /** The service's time: the computer's plus the measured offset. */
  readonly nowMs: number
  /** Whether a nonce of this wallet was signed before. */
  readonly nonceUsed?: (nonce: string) => boolean
  /** From `comparePayload`. */
  readonly payload?: readonly PayloadDifference[]
}

function linesOf(question: Question, leaves: readonly TypedLeaf[]): readonly ComparisonLine[] {
  const base = { label: question.label, asked: question.asked, unit: question.unit, group: 'order' } as const
  if (leaves.length === 0) return question.unused ? [] : [{ ...base, id: question.role, signed: null, field: null, verdict: 'unmatched', remark: null }]
  return leaves.map((leaf, index) => {
    const said = question.said(leaf)
    // A message that says one thing twice must say it right twice.
    return {
      ...base,
      id: index === 0 ? question.role : `${question.role}.${index + 1}`,
      signed: said.text,
      field: leaf.path,
      verdict: said.verdict,
      remark: said.remark ?? null,
    }
  })
}

/** Fields that the order does not use and that are empty share one line. */
function foldUnused(lines: readonly { readonly line: ComparisonLine; readonly unused: boolean }[]): readonly ComparisonLine[] {
  const folded = lines.filter(({ line, unused }) => unused && line.verdict === 'match').map(({ line }) => line.field)
  const kept = lines.filter(({ line, unused }) => !unused || line.verdict !== 'match').map(({ line }) => line)
  if (folded.length === 0) return kept
  return [
    ...kept,
    {
      id: 'unused',
      label: 'Not used',
      asked: 'Nothing',
      signed: 'Nothing',
      unit: null,
      field: folded.join(', '),
      verdict: 'match',
      remark: null,
      group: 'order',
    },
  ]
}

const message = 'The prepared message'

function sentence(line: ComparisonLine): string {
  if (line.id.startsWith('payload.')) return payloadSentence(line)
  if (line.group === 'envelope') return envelopeSentence(line, message)
  const unit = line.unit === null ? '' : ` ${line.unit}`
  const name = line.label.toLowerCase()
  const [asked, signed] = [line.asked, line.signed].map((text) => text?.replace(/^At most/, 'at most'))
  if (line.remark === 'Readable at two scales')
    return `${message} carries the ${name} at a scale at which it could also be ${signed}${unit}. Your ticket says ${asked}${unit}.`
  if (line.asked === 'None') return `${message} carries a ${name} of ${signed}${unit}. Your ticket has none.`
  const article = /^[aeiou]/.test(name) ? 'an' : 'a'
  return line.unit !== null || /\d/.test(line.asked ?? '')
    ? `${message} carries ${article} ${name} of ${signed}${unit}. Your ticket says ${asked}${unit}.`
    : `${message} says ${signed} for the ${name}. Your ticket says ${asked}.`
}

/**
 * Compares the typed data of a signed intent with the order that was asked for (FLOW-01, FLOW-02). Every value that is
 * recognised must be equal; a difference, or a value readable at two scales, blocks always. Values that are not recognised,
 * and a layout that was never accepted, need the user's word.
 */
export function compareIntent(typedData: TypedData, expectation: IntentExpectation): Compared {
  const { order, wallet, router, nowMs, pins } = expectation
  const named = recognise<OrderRole>(typedData.leaves, orderAliases)
  const byValue = recogniseByValue(order, (role) => named.found.has(role), named.rest)
  const found: OrderLeaves = new Map([...named.found, ...[...byValue].map(([role, leaf]) => [role, [leaf]] as const)])
  const recognised = new Set(byValue.values())
  const rest = named.rest.filter((leaf) => !recognised.has(leaf))
  const { list, scales } = questions(expectation, found, pinFor(typedData, pins))
  const asked = foldUnused(list.flatMap((question) => linesOf(question, found.get(question.role) ?? []).map((line) => ({ line, unused: question.unused }))))
  const once = (role: OrderRole): TypedLeaf | undefined => found.get(role)?.[0]
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
  const core = (['pairId', 'side', 'orderValue'] as const).some((role) => found.has(role))
  return conclude({
    title: `Open a ${order.side} on ${order.symbol ?? `market ${order.pairId}`}`,
    typedData,
    lines: [...asked, ...rest.map(leftOver), ...again, ...payloadLines(expectation.payload ?? []), ...envelope],
    pins,
    scales,
    sentence,
    // Signing it would not be signing this order.
    block: core ? null : `${message} says nothing of your order: neither its market, nor its side, nor its value.`,
  })
}
