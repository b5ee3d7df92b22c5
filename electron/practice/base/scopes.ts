/** All scopes that an API key may have (API document, Authentication 4). */
export const allScopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'] as const
export type Scope = (typeof allScopes)[number]

const isScope = (value: unknown): value is Scope => allScopes.some((scope) => scope === value)

/** The scopes of a new key if the request names none: every scope except `collateral:manage`. */
export const defaultScopes: readonly Scope[] = allScopes.filter((scope) => scope !== 'collateral:manage')

export function scopesFrom(value: unknown): readonly Scope[] | null {
  if (value === undefined) return defaultScopes
  if (!Array.isArray(value)) return null
  const given: readonly unknown[] = value
  const valid = allScopes.filter((scope) => given.some((each) => isScope(each) && each === scope))
  return valid.length === 0 ? null : valid
}
