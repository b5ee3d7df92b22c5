import { z } from 'zod'

/** All scopes of a key (Authentication 4). */
export const scopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/** The scopes of a key that is created without the field `scopes`. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'collateral:manage')
