import type { Scope } from '../../base/scopes.ts'
import type { KeyRow, SessionRow } from '../state/state.ts'
import type { Ask, Reply } from './reply.ts'

type Outcome = Reply | Promise<Reply>

export type Route = { readonly method: string; readonly path: string } & (
  | { readonly access: 'open'; handle(ask: Ask): Outcome }
  | { readonly access: 'session'; handle(ask: Ask, session: SessionRow): Outcome }
  /** A route that needs an API key. If `scope` is null, the handler checks the scope, because the scope depends on the action. */
  | { readonly access: 'key'; readonly scope: Scope | null; handle(ask: Ask, key: KeyRow): Outcome }
)

const split = (route: string) => {
  const [method = '', path = ''] = route.split(' ')
  return { method, path }
}

/**
 * Defines a route without credentials. `route` is the method and the full path as in the API document, for example `PUT
 * /api/dex/developer/keys/{key_id}/expiry`.
 */
export const open = (route: string, handle: (ask: Ask) => Outcome): Route => ({ ...split(route), access: 'open', handle })
export const signedIn = (route: string, handle: (ask: Ask, session: SessionRow) => Outcome): Route => ({ ...split(route), access: 'session', handle })
export const keyed = (scope: Scope | null, route: string, handle: (ask: Ask, key: KeyRow) => Outcome): Route => ({
  ...split(route),
  access: 'key',
  scope,
  handle,
})

export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export interface Router {
  /**
   * Returns the matching route. If the path does not support the method, returns the methods that it supports; an empty list means that the path is
   * unknown.
   */
  find(method: string, path: string): Match | readonly string[]
}

export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, parts: route.path.split('/') }))
  return {
    find: (method, path) => {
      const given = path.split('/')
      const fitting = compiled.flatMap(({ route, parts }) => {
        const params = paramsOf(parts, given)
        return params === null ? [] : [{ route, params }]
      })
      // A literal part takes precedence over a parameter: `/keys/prepare` does not mean a key named `prepare`.
      fitting.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)
      return fitting.find(({ route }) => route.method === method) ?? fitting.map(({ route }) => route.method)
    },
  }
}

function paramsOf(parts: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (parts.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith('{')) {
      const decoded = decode(value)
      if (decoded === null || decoded === '') return null
      params[part.slice(1, -1)] = decoded
    } else if (part !== value) return null
  }
  return params
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
