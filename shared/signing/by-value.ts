import { wordsOf } from '../api/names/name-words.ts'
import type { WordClass } from '../api/names/word-class.ts'
import { sameId } from '../same-id.ts'
import { day } from '../time.ts'
import { writtenWord } from './answers.ts'
import type { TypedLeaf } from './message/typed-data.ts'
import { sameAddress } from './pins.ts'
import { matchingScale } from './scales.ts'
import { isSlippage } from './slippage.ts'
import { messageTime } from './wording.ts'

/**
 * What a value must say to be the one of a role. Numbers, ids and addresses: what was asked for; null: nothing was asked for there. words: any word of the
 * class, so that another one is a difference. slippage: what was asked for, under a name with that word. after: a time within a day after this one, in Unix milliseconds: a price may look like a later one.
 */
export type AskedValue<Role extends string> = { readonly role: Role } & (
  | { readonly kind: 'number' | 'id' | 'address'; readonly asked: string | null }
  | { readonly kind: 'slippage'; readonly asked: number | null }
  | { readonly kind: 'words'; readonly of: WordClass<string> }
  | { readonly kind: 'after'; readonly atMs: number }
)

/** Smaller numbers (a market, a leverage, a permille) stand for too many things to be known by their value. */
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
 * What is left over under unknown names, and says what a role that no name claimed must say. Where two values could be meant, or one could mean two things,
 * nothing is recognised.
 */
export function recogniseByValue<Role extends string>(
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
