import { absolute, compare, divide, formatDecimal, fromUnits, isZero, multiply, parseDecimal, subtract } from '../../decimal.ts'
import type { Against } from '../../ipc/intents/line-remark.ts'
import { differ, match, ratioRemark, type Said } from '../answers.ts'
import type { AskedOrder } from '../asked-order.ts'
import { leafText } from '../comparison.ts'
import type { Question } from '../question-kinds.ts'
import { candidateScales, type ScaleKind } from '../scales.ts'
import type { TypedLeaf } from './typed-data.ts'

/** How far a value that the service worked out may be from ours: it has its own price, and rounds in its own way. */
const tolerance = '0.05'

export const isNear = (value: string, asked: string): boolean => compare(absolute(subtract(value, asked)), absolute(multiply(asked, tolerance))) <= 0

/** The first scale at which an integer is near what is expected; null: none. */
const nearScale = (units: bigint, asked: string, scales: readonly number[] = candidateScales): number | null =>
  isZero(asked) ? null : (scales.find((scale) => isNear(fromUnits(units, scale), asked)) ?? null)

interface Near<Role extends string> {
  readonly role: Role
  readonly label: string
  readonly unit: string | null
  /** As our own numbers have it, for example size × price; null: nobody knows, and a value here needs the user. */
  readonly asked: string | null
  readonly noun: Against
  readonly kind: ScaleKind
  /** The scale that was agreed to; null: none yet. */
  readonly pinned: number | null
  readonly leaves: readonly TypedLeaf[]
  /** Another value of the message says the same and is as asked, so that another scale is no other amount. */
  readonly isBacked: boolean
}

/** A value that follows from what was asked for, such as the notional of a close. It need not be said; where it is, it must be near. */
export function nearQuestion<Role extends string>(given: Near<Role>): { readonly question: Question<Role>; readonly scale: number | null } {
  const { role, label, unit, asked, noun, kind, pinned, leaves, isBacked } = given
  const show = (value: string): string => formatDecimal(value, { minDecimals: unit === 'USDC' ? 2 : 0 })
  const native = pinned ?? kind.native
  const scaleOf = (leaf: TypedLeaf | undefined): number | null => {
    if (asked === null || typeof leaf?.value !== 'bigint') return null
    return pinned === null
      ? nearScale(leaf.value, asked, native === null ? candidateScales : [native, ...candidateScales])
      : nearScale(leaf.value, asked, [pinned])
  }
  const said = (leaf: TypedLeaf): Said => {
    if (asked === null) return { text: leafText(leaf), verdict: 'unmatched', remark: { code: 'nothing_known' } }
    const written = typeof leaf.value === 'string' ? parseDecimal(leaf.value) : null
    if (written !== null) return isNear(written, asked) ? match(show(written)) : differ(show(written), ratioRemark(asked, written, noun))
    if (typeof leaf.value !== 'bigint') return differ(leafText(leaf))
    const scale = scaleOf(leaf)
    const reading = fromUnits(leaf.value, native ?? kind.fallback)
    if (scale === null) return differ(show(reading), ratioRemark(asked, reading, noun))
    const isPossible = native !== null && pinned === null && scale !== native && compare(reading, kind.largest) <= 0
    if (isPossible && !isBacked) return { ...differ(show(reading), { code: 'two_scales' }), code: 'two_scales' }
    return match(show(fromUnits(leaf.value, scale)))
  }
  return {
    question: { role, label, asked: asked === null ? 'As it is' : `About ${show(asked)}`, unit, unused: false, optional: true, said },
    scale: pinned ?? scaleOf(leaves[0]),
  }
}

/** The size in base units that an order comes to, at its own price; null: it names none. */
export function sizeOf({ orderValueUsdc, referencePrice, limitPrice, triggerPrice }: AskedOrder): string | null {
  const price = limitPrice ?? triggerPrice ?? referencePrice
  return price === null || isZero(price) ? null : divide(orderValueUsdc, price, 18)
}
