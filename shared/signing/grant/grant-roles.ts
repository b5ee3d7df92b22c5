import { wordsOf } from '../../api/names/name-words.ts'
import { never, readTime } from '../../api/reader/units.ts'
import { minute } from '../../time.ts'
import { recognise } from '../comparison.ts'
import { fieldAt, isEmptyValue, type PinnedFormat } from '../message/signing-format.ts'
import type { TypedLeaf } from '../message/typed-data.ts'
import { sameAddress } from '../trust.ts'
import { messageTime } from '../wording.ts'

export type GrantRole = 'wallet' | 'agent' | 'permissions' | 'nonce' | 'expiresAt'

/** Permissions that allow trading and nothing else. */
export const tradingWords: ReadonlySet<string> = new Set([
  ...['trade', 'trading', 'trade:prepare', 'trade:execute', 'orders', 'orders:manage', 'order', 'market:read', 'account:read', 'read'],
])
/** Permissions that `collateral:manage` includes (Authentication 4). */
export const collateralWords: ReadonlySet<string> = new Set(['collateral', 'collateral:manage', 'deposit', 'deposits', 'withdraw', 'withdrawal', 'withdrawals'])

/** Splits text permissions into words; null: the permissions are numbers or booleans instead. */
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

/** Returns the role that a word in the field's name implies, if the field's value fits that role; null: none. */
function byWord(leaf: TypedLeaf): GrantRole | null {
  const words = wordsOf(leaf.names.at(-1) ?? '', known)
  const isNamed = (role: keyof typeof roleWords): boolean => words.some((word) => roleWords[role].has(word))
  if (leaf.type === 'address' || leaf.type === 'bool') return null
  if (isNamed('expiresAt') && (typeof leaf.value === 'bigint' || endOf(leaf) !== null)) return 'expiresAt'
  if (isNamed('nonce') && typeof leaf.value === 'bigint') return 'nonce'
  return words.length > 0 && words.every((word) => roleWords.permissions.has(word) || word === 'agent' || word === 'trading') ? 'permissions' : null
}

/** The key is created after its grant, so the key's lifetime ends a little later than the app calculates. */
const toleranceMs = 10 * minute

interface Given {
  readonly aliases: Readonly<Record<GrantRole, readonly string[]>>
  readonly wallet: string
  /** The agent that the service named; null: it named none. */
  readonly agent: string | null
  /** Contracts whose addresses may appear in the message. */
  readonly trusted: readonly string[]
  /** When the key, and therefore the grant, ends; null: unknown. */
  readonly endsAtMs: number | null
  /** What each field means in this exact signing format; null: never agreed to. */
  readonly format: PinnedFormat | null
}

/**
 * Assigns each value of a grant to its role: by the agreed signing format, else by its name, else by its form and value. The roles only
 * decide what the app shows and compares. They make no value trusted.
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
  // If exactly one address is left that is neither the wallet nor a trusted contract, it must be the missing agent or wallet.
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
      ({ type, value }) => !isEmptyValue(value) && (type === 'bytes32' || type === 'uint256') && BigInt(value as string | bigint) >= smallestNonce,
    ) // what these types hold
    if (random.length === 1) take('nonce', random)
  }
  return { found, rest }
}

/** The smallest number that counts as a nonce. Smaller numbers may be amounts. */
const smallestNonce = 2n ** 128n
