import { z } from 'zod'

/** Authentication 4. */
export const scopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/** What a key gets when `scopes` is omitted. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'collateral:manage')
