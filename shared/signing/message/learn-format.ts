import type { Question } from '../question-kinds.ts'
import type { PinnedScales } from '../trust.ts'
import { type FieldUnit, fieldAt, isEmptyValue, keepsRule, type PinnedField, type PinnedFormat, ruleOf, storedAsked } from './signing-format.ts'
import type { TypedLeaf } from './typed-data.ts'

const units: Readonly<Record<string, FieldUnit>> = {
  orderValue: 'usdc',
  notional: 'usdc',
  margin: 'usdc',
  amount: 'usdc',
  referencePrice: 'price',
  limitPrice: 'price',
  triggerPrice: 'price',
  takeProfit: 'price',
  stopLoss: 'price',
  leverage: 'times',
  size: 'base',
  maxSlippageBps: 'bps',
}

const scaleOf = (unit: FieldUnit | null, { usdcScale, priceScale, leverageScale, sizeScale }: PinnedScales): number | null => {
  switch (unit) {
    case 'usdc':
      return usdcScale
    case 'price':
      return priceScale
    case 'times':
      return leverageScale
    case 'base':
      return sizeScale
    case 'bps':
    case null:
      return null
  }
}

interface Given {
  readonly leaves: readonly TypedLeaf[]
  readonly found: ReadonlyMap<string, readonly TypedLeaf[]>
  readonly questions: readonly (Pick<Question<string>, 'role' | 'asked' | 'unused' | 'optional' | 'word' | 'scaleOf'> &
    Partial<Pick<Question<string>, 'said'>>)[]
  readonly scales: PinnedScales
  /** What earlier messages showed about this signing format; null if nothing. */
  readonly before: PinnedFormat | null
  readonly variant: string
  readonly nowMs: number
}

/**
 * Returns what each field of a message means: what the app already knew about the signing format, plus what this message shows. The caller stores
 * the result once the user sends the message to the wallet.
 */
export function learnFormat({ leaves, found, questions, scales, before, variant, nowMs }: Given): PinnedFormat {
  const roleOf = new Map([...found].flatMap(([role, some]) => some.map((leaf) => [leaf, role] as const)))
  const fields = leaves.map((leaf): PinnedField => {
    const { path, type } = leaf
    const known = fieldAt(before, leaf)
    const role = roleOf.get(leaf) ?? null
    if (role === null) {
      const plain = { path, type, role, unit: null, scale: null, words: null } as const
      const written = String(leaf.value)
      if (known === null || known.role !== null) return { ...plain, rule: ruleOf(leaf, nowMs), value: written }
      if (keepsRule(known, leaf, { nowMs, variant })) return known
      // An empty value does not change the rule that the user accepted for this field.
      if (isEmptyValue(leaf.value) && known.rule !== 'fixed') return known
      const rule = known.rule === 'fixed' ? 'fixed' : ruleOf(leaf, nowMs)
      const others = known.values ?? Object.fromEntries((before?.variants ?? []).map((each) => [each, known.value ?? '']))
      return { ...plain, rule, value: written, ...(rule === 'fixed' && { values: { ...others, [variant]: written } }) }
    }
    const unit = units[role] ?? null
    const question = questions.find((each) => each.role === role)
    const word = question?.word
    // A known word needs no meaning, but a number or an unknown word does.
    const isKnown = typeof leaf.value === 'string' && question?.said?.(leaf).verdict !== 'unmatched'
    const said = word === undefined || isKnown ? null : { [String(leaf.value)]: word }
    return {
      path,
      type,
      role,
      unit,
      scale: question?.scaleOf?.(leaf) ?? (typeof leaf.value === 'bigint' ? (scaleOf(unit, scales) ?? known?.scale ?? null) : null),
      words: said === null ? (known?.words ?? null) : { ...known?.words, ...said },
      rule: null,
      value: null,
    }
  })
  const unsaid = questions
    .filter(({ role, unused, optional }) => !unused && optional !== true && !found.has(role))
    .map(({ role, asked }) => [role, storedAsked(asked)] as const)
  return { variants: [...new Set([...(before?.variants ?? []), variant])], fields, unsaid: { ...before?.unsaid, ...Object.fromEntries(unsaid) } }
}
