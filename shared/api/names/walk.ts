import { isRecord } from '../reader/kinds.ts'
import { wordsOf } from './name-words.ts'

/** What of one record is looked at. Deeper or more is left unread, never followed. */
export const bounds = { depth: 64, nodes: 20_000 } as const
/** A deep place, or one of long names, costs as much as several. */
const costOf = (path: readonly string[], characters: number): number => 1 + Math.floor(path.length / 4) + Math.floor(characters / 256)

/** One place in a record. */
export interface Node {
  /** Names from the record inwards. */
  readonly path: readonly string[]
  /** The words of each name. */
  readonly segments: readonly (readonly string[])[]
  readonly isRecord: boolean
  /** Of an amount that is an object of its own (`{value, currency, decimals}`): the path of that object. */
  readonly amountOf: readonly string[] | null
}

const amountNames: ReadonlySet<string> = new Set(['value', 'amount', 'raw', 'val', 'v'])
const besideAmount: ReadonlySet<string> = new Set([
  'unit',
  'units',
  'currency',
  'ccy',
  'denomination',
  'asset',
  'symbol',
  'decimals',
  'scale',
  'exponent',
  'precision',
  'formatted',
  'display',
  'text',
]) // prettier-ignore

/** The name under which `{value: "1.5", currency: "USDC"}` holds its number; null: the object is no amount. */
function amountIn(value: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(value)
  if (names.length === 0 || names.length > 6) return null
  const held = names.filter((name) => amountNames.has(name.toLowerCase()))
  const [first] = held
  const fits = held.length === 1 && names.every((name) => amountNames.has(name.toLowerCase()) || besideAmount.has(name.toLowerCase()))
  return fits && first !== undefined && !isRecord(value[first]) ? first : null
}

/**
 * Visits what a record holds, parents first, in the record's own order, without recursion. `enter` says whether to go
 * into an object.
 */
export function walk(source: Readonly<Record<string, unknown>>, known: ReadonlySet<string>, visit: (node: Node, value: unknown) => boolean): void {
  const waiting: { readonly node: Node; readonly value: unknown; readonly characters: number }[] = []
  let spent = 0
  const push = (inner: Readonly<Record<string, unknown>>, above: Node | null, charactersAbove: number): void => {
    const names = Object.keys(inner)
    // Those behind are never reached.
    for (let index = Math.min(names.length, bounds.nodes - spent) - 1; index >= 0; index -= 1) {
      const name = names[index] as string // below the length
      const value = inner[name]
      const characters = charactersAbove + name.length
      const path = above === null ? [name] : [...above.path, name]
      const segments = above === null ? [wordsOf(name, known)] : [...above.segments, wordsOf(name, known)]
      const amount = isRecord(value) ? amountIn(value) : null
      if (amount !== null)
        // An amount is an object.
        waiting.push({
          node: { path: [...path, amount], segments, isRecord: false, amountOf: path },
          value: (value as Record<string, unknown>)[amount],
          characters,
        })
      else waiting.push({ node: { path, segments, isRecord: isRecord(value), amountOf: null }, value, characters })
    }
  }
  push(source, null, 0)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    spent += costOf(next.node.path, next.characters)
    if (spent > bounds.nodes) return
    const enters = visit(next.node, next.value)
    if (enters && isRecord(next.value) && next.node.path.length < bounds.depth) push(next.value, next.node, next.characters)
  }
}

/** What stands at a path; undefined where it leads nowhere. */
export function valueAt(source: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let current: unknown = source
  for (const name of path) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}
