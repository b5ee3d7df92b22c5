import { wordsOf } from '../../api/names/name-words.ts'
import { never, readTime } from '../../api/reader/units.ts'
import { minute } from '../../time.ts'
import { recognise } from '../comparison.ts'
import { fieldAt, isEmptyValue, type PinnedFormat, smallestRandom } from '../message/signing-format.ts'
import type { TypedLeaf } from '../message/typed-data.ts'
import { sameAddress } from '../trust.ts'
import { messageTime } from '../wording.ts'

export type GrantRole = 'wallet' | 'agent' | 'permissions' | 'nonce' | 'expiresAt'

/** Permissions that allow only trading. */
export const tradingWords: ReadonlySet<string> = new Set([
  ...['trade', 'trading', 'trade:prepare', 'trade:execute', 'orders', 'orders:manage', 'order', 'market:read', 'account:read', 'read'],
])
/** Permissions that belong to the scope `collateral:manage` (Authentication 4). */
export const collateralWords: ReadonlySet<string> = new Set(['collateral', 'collateral:manage', 'deposit', 'deposits', 'withdraw', 'withdrawal', 'withdrawals'])

/** Splits permissions into words, if they are text; null if they are numbers or booleans. */
export const permissionWords = (leaves: readonly TypedLeaf[]): readonly string[] | null =>
  leaves.every((leaf) => typeof leaf.value === 'string')
    ? leaves.flatMap((leaf) =>
        String(leaf.value)
          .toLowerCase()
          .split(/[\s,;|]+/)
          .filter((word) => word !== ''),
      )
    : null

/** When a grant ends, in Unix milliseconds. Reads seconds, milliseconds, finer units and RFC 3339. null: it never ends, or the value is no time. */
export function endOf({ value }: TypedLeaf): number | null {
  if (typeof value === 'boolean') return null
  const small = typeof value === 'bigint' ? messageTime(value) : null
  const found = small ?? readTime(String(value))
  return found === undefined || found === never ? null : found
}

const roleWords: Readonly<Record<Exclude<GrantRole, 'wallet' | 'agent'>, ReadonlySet<string>>> = {
  expiresAt: new Set(['expiry', 'until', 'end', 'ending', 'deadline', 'till']),
  permissions: new Set([...['permission', 'scope', 'right', 'allowed', 'capability', 'ability', 'access', 'authority', 'power', 'privilege', 'entitlement']]),
  nonce: new Set(['nonce', 'sequence', 'counter']),
}
const known: ReadonlySet<string> = new Set(Object.values(roleWords).flatMap((words) => [...words]))

/** Returns the role that a word in the field's name implies, if the value also fits this role; null otherwise. */
function byWord(leaf: TypedLeaf): GrantRole | null {
  const words = wordsOf(leaf.names.at(-1) ?? '', known)
  const isNamed = (role: keyof typeof roleWords): boolean => words.some((word) => roleWords[role].has(word))
  if (leaf.type === 'address' || leaf.type === 'bool') return null
  if (isNamed('expiresAt') && (typeof leaf.value === 'bigint' || endOf(leaf) !== null)) return 'expiresAt'
  if (isNamed('nonce') && typeof leaf.value === 'bigint') return 'nonce'
  return words.length > 0 && words.every((word) => roleWords.permissions.has(word) || word === 'agent' || word === 'trading') ? 'permissions' : null
}

/**
 * The allowed difference between the end that a grant states and the calculated end of its key, in ms. The app creates the key after the grant, so
 * the key ends slightly later than calculated.
 */
const toleranceMs = 10 * minute

interface Given {
  readonly aliases: Readonly<Record<GrantRole, readonly string[]>>
  readonly wallet: string
  /** The agent that the service named; null if none. */
  readonly agent: string | null
  /** Contracts whose addresses may appear in the message. */
  readonly trusted: readonly string[]
  /** When the key expires, in Unix ms; null if unknown. The grant ends at the same time. */
  readonly endsAtMs: number | null
  /** What each field of this signing format means; null if the user never accepted the format. */
  readonly format: PinnedFormat | null
}

/**
 * Assigns each value of a grant to a role: by the accepted signing format, otherwise by the field's name, otherwise by the value and its form. Roles
 * only decide what the app shows and compares. They do not make a value trusted.
 */
export function grantRoles(leaves: readonly TypedLeaf[], { aliases, wallet, agent, trusted, endsAtMs, format }: Given) {
  const found = new Map<GrantRole, readonly TypedLeaf[]>()
  let rest = leaves
  const take = (role: GrantRole, taken: readonly TypedLeaf[]): void => {
    if (taken.length === 0) return
    found.set(role, [...(found.get(role) ?? []), ...taken])
    rest = rest.filter((leaf) => !taken.includes(leaf))
  }
  const roles = ['wallet', 'agent', 'permissions', 'nonce', 'expiresAt'] as const
  for (const role of roles)
    take(
      role,
      rest.filter((leaf) => fieldAt(format, leaf)?.role === role),
    )
  const named = recognise<GrantRole>(rest, aliases).found
  for (const role of roles) take(role, named.get(role) ?? [])
  for (const role of roles)
    take(
      role,
      rest.filter((leaf) => byWord(leaf) === role),
    )

  const is = (address: string | null) => (leaf: TypedLeaf) => leaf.type === 'address' && sameAddress(String(leaf.value), address)
  if (!found.has('wallet')) take('wallet', rest.filter(is(wallet)).slice(0, 1))
  if (!found.has('agent')) take('agent', rest.filter(is(agent)).slice(0, 1))
  // If the grant contains exactly one other address, it belongs to the role that is still open: the agent or the wallet. Trusted contracts and the
  // known wallet do not count.
  for (const role of ['agent', 'wallet'] as const) {
    const strangers = rest.filter((leaf) => leaf.type === 'address' && ![wallet, ...trusted].some((address) => is(address)(leaf)))
    if (!found.has(role) && strangers.length === 1) take(role, strangers)
  }
  if (!found.has('permissions'))
    take(
      'permissions',
      rest.filter((leaf) => {
        const words = permissionWords([leaf]) ?? []
        return words.length > 0 && words.every((word) => tradingWords.has(word) || collateralWords.has(word))
      }),
    )
  if (!found.has('expiresAt')) {
    const isWritten = (leaf: TypedLeaf): boolean => typeof leaf.value === 'string' && leaf.value.includes('-') && endOf(leaf) !== null
    const isAsked = (leaf: TypedLeaf): boolean => {
      const atMs = endOf(leaf)
      return atMs !== null && endsAtMs !== null && atMs >= endsAtMs - toleranceMs && atMs <= endsAtMs + toleranceMs
    }
    const ends = rest.filter((leaf) => isAsked(leaf) || isWritten(leaf))
    if (ends.length === 1) take('expiresAt', ends)
  }
  if (!found.has('nonce')) {
    const random = rest.filter(
      ({ type, value }) => !isEmptyValue(value) && (type === 'bytes32' || type === 'uint256') && BigInt(value as string | bigint) >= smallestRandom,
    ) // The cast is safe: a `bytes32` value is text, and a `uint256` value is a bigint.
    if (random.length === 1) take('nonce', random)
  }
  return { found, rest }
}
