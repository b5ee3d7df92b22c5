import type { ComparisonLine } from '../../ipc/intents/signing.ts'
import { lineIn } from '../comparison.ts'
import type { LayoutPin } from '../pins.ts'
import { readableName } from '../wording.ts'
import type { TypedLeaf } from './typed-data.ts'

/** The newest signing format that was agreed to for this kind of order, by which a message of another layout is judged. */
export const referenceFor = (pins: readonly LayoutPin[], variant: string): LayoutPin | null =>
  pins.findLast(({ format }) => format?.variants.includes(variant) === true) ?? null

/** The ids of lines that are about the envelope, by the field that they are about. */
const lineIds: Readonly<Record<string, string>> = { trader: 'wallet' }

interface Given {
  readonly reference: LayoutPin | null
  readonly found: ReadonlyMap<string, readonly TypedLeaf[]>
  /** Ticket fields that this order uses. */
  readonly needed: ReadonlySet<string>
}

/** Makes a difference of every value that the agreed format says, and that this message of another layout says elsewhere or not at all. */
export function movedLines(lines: readonly ComparisonLine[], { reference, found, needed }: Given): readonly ComparisonLine[] {
  const moved = new Set<string>()
  for (const role of needed) {
    const places = (reference?.format?.fields ?? []).filter((field) => field.role === role).map(({ path }) => path)
    if (places.length === 0) continue
    const leaves = found.get(role) ?? []
    if (leaves.length === 0 || leaves.some(({ path }) => !places.includes(path))) moved.add(lineIds[role] ?? role)
  }
  const known = lines.map((line): ComparisonLine => (moved.has(line.id) && line.verdict !== 'differ' ? { ...line, verdict: 'differ', code: 'moved' } : line))
  // What need not be said has no line where it is not.
  const silent = [...moved].filter((id) => !lines.some((line) => line.id === id))
  return [...known, ...silent.map((id) => lineIn('order')({ id, label: readableName(id), asked: null, signed: null, verdict: 'differ', code: 'moved' }))]
}
