import type { Comparison, ComparisonLine } from '../ipc/signing.ts'
import type { LayoutPin } from './pins.ts'
import type { TypedData, TypedLeaf } from './typed-data.ts'
import { visibleText } from './visible-text.ts'
import { integerText, readableName } from './wording.ts'

export interface Compared {
  readonly comparison: Comparison
  /** To be remembered once the user let this message go to the wallet. */
  readonly pin: LayoutPin
}

const canonical = (name: string): string => name.replace(/[_\-\s]/g, '').toLowerCase()

/**
 * Gives each value of a message at most one role, by the last name on its path, or by the whole path (`order.value` is
 * `orderValue`). Values without a role are left over.
 */
export function recognise<Role extends string>(
  leaves: readonly TypedLeaf[],
  aliases: Readonly<Record<Role, readonly string[]>>,
): { readonly found: ReadonlyMap<Role, readonly TypedLeaf[]>; readonly rest: readonly TypedLeaf[] } {
  // `Object.keys` forgets the type of the keys.
  const roles = Object.keys(aliases) as Role[]
  const found = new Map<Role, TypedLeaf[]>()
  const rest: TypedLeaf[] = []
  for (const leaf of leaves) {
    const names = [canonical(leaf.names.at(-1) ?? ''), canonical(leaf.names.join(''))]
    const role = roles.find((candidate) => [candidate, ...aliases[candidate]].some((alias) => names.includes(canonical(alias))))
    if (role === undefined) rest.push(leaf)
    else found.set(role, [...(found.get(role) ?? []), leaf])
  }
  return { found, rest }
}

const zeroAddress = `0x${'0'.repeat(40)}`

/** Says nothing: 0, false, no text, the zero address, zero bytes. */
export const isEmptyValue = (value: TypedLeaf['value']): boolean =>
  value === 0n || value === false || value === '' || value === zeroAddress || (typeof value === 'string' && /^0x0*$/.test(value))

export const leafText = (leaf: TypedLeaf): string => {
  if (typeof leaf.value === 'bigint') return integerText(leaf.value)
  if (typeof leaf.value === 'boolean') return leaf.value ? 'Yes' : 'No'
  return leaf.value === '' ? 'Empty' : visibleText(leaf.value)
}

const emptyRemark = 'Empty, and nobody asked for it'

/** Begins the remark of a value that is what was asked for at one scale, and something else at another. */
export const alsoReadable = 'Could also be read as '

/** Something that nobody asked for. */
export const leftOver = (leaf: TypedLeaf): ComparisonLine => ({
  id: `message.${leaf.path}`,
  label: readableName(leaf.path),
  asked: null,
  signed: leafText(leaf),
  unit: null,
  field: leaf.path,
  verdict: 'unmatched',
  remark: isEmptyValue(leaf.value) ? emptyRemark : 'Nobody asked for this',
  group: 'order',
})

/** What is signed or sent, as far as it is shown and remembered. */
export type Signable = Pick<TypedData, 'layoutHash' | 'primaryType' | 'domain' | 'digest' | 'raw'>

interface Parts {
  readonly title: string
  readonly typedData: Signable
  /** For sentences. Default: prepared message. */
  readonly noun?: string
  readonly lines: readonly ComparisonLine[]
  /** Layouts that were accepted before for this kind of message, in this profile. */
  readonly pins: readonly LayoutPin[]
  readonly scales: Omit<LayoutPin, 'hash'>
  /** The sentence for a line that differs. */
  readonly sentence: (line: ComparisonLine) => string
  /** Blocks whatever the lines say. */
  readonly block: string | null
}

/** Draws the verdict from the lines: a difference blocks, always; what is unmatched, or a layout never seen, needs the user's word. */
export function conclude(parts: Parts): Compared {
  const { typedData, pins, scales } = parts
  const pinned = pins.find((pin) => pin.hash === typedData.layoutHash)
  const newScale =
    pinned !== undefined && (['usdcScale', 'priceScale', 'leverageScale', 'sizeScale'] as const).some((kind) => pinned[kind] === null && scales[kind] !== null)
  const layoutKnown = pinned !== undefined && !newScale
  // What a known layout does not say, or leaves empty, was accepted with it; a value that nobody asked for never is.
  const accepted = (line: ComparisonLine): boolean => layoutKnown && line.verdict === 'unmatched' && (line.signed === null || line.remark === emptyRemark)
  const lines = parts.lines.map((line): ComparisonLine => (accepted(line) ? { ...line, verdict: 'absent' } : line))
  const differing = lines.find((line) => line.verdict === 'differ')
  const unmatched = lines.filter((line) => line.verdict === 'unmatched')
  const block = differing === undefined ? parts.block : parts.sentence(differing)
  const verdict = block !== null ? 'block' : layoutKnown && unmatched.length === 0 ? 'pass' : 'confirm'
  const changed =
    !layoutKnown && pins.length > 0 ? [...pins.map((pin) => `Layout used before: ${pin.hash}`), `Layout of this message: ${typedData.layoutHash}`] : []
  const names = unmatched.map((line) => {
    if (line.signed === null) return `Not in the message: ${line.label}`
    return isAmbiguous(line) ? `${line.label}: c${line.remark?.slice(1)}` : `Not in what you asked for: ${line.field ?? line.label}`
  })
  return {
    comparison: {
      title: parts.title,
      primaryType: [typedData.primaryType, [typedData.domain.name, typedData.domain.version].filter((part) => part !== undefined).join(' ')]
        .filter((part) => part !== '')
        .join(', '),
      lines,
      matched: lines.filter((line) => line.verdict === 'match').length,
      total: lines.length,
      verdict,
      sentence: block ?? (verdict === 'confirm' ? confirmSentence(unmatched, layoutKnown, pins.length > 0, parts.noun ?? 'prepared message') : null),
      layoutHash: typedData.layoutHash,
      layoutKnown,
      unmatched: [...names, ...changed],
      digest: typedData.digest,
      raw: typedData.raw,
    },
    pin: {
      hash: typedData.layoutHash,
      usdcScale: pinned?.usdcScale ?? scales.usdcScale,
      priceScale: pinned?.priceScale ?? scales.priceScale,
      leverageScale: pinned?.leverageScale ?? scales.leverageScale,
      sizeScale: pinned?.sizeScale ?? scales.sizeScale,
    },
  }
}

const isAmbiguous = (line: ComparisonLine): boolean => line.remark?.startsWith(alsoReadable) === true

function confirmSentence(unmatched: readonly ComparisonLine[], layoutKnown: boolean, hadLayout: boolean, noun: string): string {
  const asked = unmatched.filter((line) => line.id !== 'contract')
  const thing = noun.split(' ').at(-1) ?? noun
  const extra = asked.find((line) => line.signed !== null && !isAmbiguous(line))
  if (extra !== undefined) return `The ${noun} holds ${extra.field ?? extra.label} (${extra.signed}), which you did not ask for.`
  const missing = asked.find((line) => !isAmbiguous(line))
  const ambiguous = unmatched.find(isAmbiguous)
  if (ambiguous !== undefined && missing === undefined)
    return `The ${ambiguous.label.toLowerCase()} in this ${thing} is ${ambiguous.signed}${ambiguous.unit === null ? '' : ` ${ambiguous.unit}`} as you asked for, and c${ambiguous.remark?.slice(1)}. Confirm it once.`
  if (missing !== undefined) return `The ${noun} does not say ${missing.label.toLowerCase()}.`
  if (unmatched.length > 0 && layoutKnown) return `The router of this ${thing} is not pinned yet. Confirm it once.`
  if (layoutKnown) return `The ${noun} needs your word.`
  return hadLayout
    ? `The service changed the layout of this ${thing} since you last confirmed it.`
    : `This is the first ${thing} of this layout. Confirm it once.`
}

/** The pin whose scales apply to a message, if its layout is known. */
export const pinFor = (typedData: TypedData, pins: readonly LayoutPin[]): LayoutPin | null => pins.find((pin) => pin.hash === typedData.layoutHash) ?? null

/** Makes lines of one group, without unit, place and remark where none are given. */
export const lineIn =
  (group: ComparisonLine['group']) =>
  (part: Pick<ComparisonLine, 'id' | 'label' | 'asked' | 'signed' | 'verdict'> & Partial<ComparisonLine>): ComparisonLine => ({
    unit: null,
    field: null,
    remark: null,
    group,
    ...part,
  })
