import { canonical, keyOf, wordsOf } from '../api/names/name-words.ts'
import { ruleOf } from './message/signing-format.ts'
import type { TypedLeaf } from './message/typed-data.ts'

export type Aliases<Role extends string> = Readonly<Record<Role, readonly string[]>>

export interface Recognised<Role extends string> {
  readonly found: ReadonlyMap<Role, readonly TypedLeaf[]>
  /** Values without a role. */
  readonly rest: readonly TypedLeaf[]
}

const noWords: ReadonlySet<string> = new Set()
/** At the end of a name: how a number is scaled, and not what it is. */
const scaleWord = /^(?:1?[ex]\d{1,2}|x|wei|bps|bp|ms|millis|sec|s|unix)$/
const marketWords: ReadonlySet<string> = new Set(['market', 'perp', 'product', 'contract', 'asset', 'symbol', 'coin', 'underlying'])
const idWords: ReadonlySet<string> = new Set(['id', 'index', 'key', 'code', 'no', 'number'])

/** What is compared of a name: its words in any order, without its scale; of a market, that it is its id. */
function keyOfName(name: string): string {
  const words = wordsOf(name, noWords)
  const bare = words.filter((word, place) => place === 0 || !scaleWord.test(word))
  const [what = '', ...rest] = bare
  const isMarket = marketWords.has(what) && rest.length === 1 && rest.every((word) => idWords.has(word))
  return isMarket ? 'market id' : keyOf(bare)
}

/** A salt that is the same each time makes nothing unique. */
const isOnce = (leaf: TypedLeaf): boolean =>
  canonical(leaf.names.at(-1) ?? '') !== 'salt' || ruleOf(leaf, 0) === 'random' || (typeof leaf.value === 'bigint' && leaf.value >= 2n ** 64n)

/**
 * Gives each value of a message at most one role, by the last name on its path, or by the whole path (`order.value` is `orderValue`): as it is written, else
 * by its words.
 */
export function recognise<Role extends string>(leaves: readonly TypedLeaf[], aliases: Aliases<Role>): Recognised<Role> {
  // `Object.keys` forgets the type of the keys.
  const roles = Object.keys(aliases) as Role[]
  const spellings = roles.map((role) => ({ role, names: [role, ...aliases[role]] }))
  const written = new Map(spellings.toReversed().flatMap(({ role, names }) => names.map((name) => [canonical(name), role] as const)))
  const worded = new Map(spellings.toReversed().flatMap(({ role, names }) => names.map((name) => [keyOfName(name), role] as const)))
  const found = new Map<Role, TypedLeaf[]>()
  const rest: TypedLeaf[] = []
  for (const leaf of leaves) {
    const names = [leaf.names.at(-1) ?? '', leaf.names.join('_')]
    const byName = names.map((name) => written.get(canonical(name))).find((role) => role !== undefined)
    const role = byName ?? names.map((name) => worded.get(keyOfName(name))).find((role) => role !== undefined)
    if (role === undefined || (role === 'nonce' && !isOnce(leaf))) rest.push(leaf)
    else found.set(role, [...(found.get(role) ?? []), leaf])
  }
  return { found, rest }
}
