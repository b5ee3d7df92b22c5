import type { Endpoint } from '../../../shared/api/endpoint.ts'

/** Relative to `{host_url}`: the root of the versioned API (Versioning 1). */
const versionedPrefix = '/api/dex/v1'

export interface Address {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query as they are sent, encoded. */
  readonly path: string
  /** The path without its query, for the log: a query may hold more than a log should. */
  readonly shownPath: string
}

const isMethod = (text: string): text is Address['method'] => text === 'GET' || text === 'POST' || text === 'PUT' || text === 'DELETE'

/** Puts `params` into the route and `query` behind it. Throws for a parameter that the route has no value for: a bug. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): Address {
  const space = endpoint.route.indexOf(' ')
  const method = endpoint.route.slice(0, space)
  const template = endpoint.route.slice(space + 1)
  if (!isMethod(method)) throw new Error(`No such method: ${endpoint.route}`)

  const values = entriesOf(params)
  const filled = template.replace(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = values.get(name)
    // `.` and `..` survive percent-encoding and would be taken for steps through the path.
    if (value === undefined || value === '' || value === '.' || value === '..') throw new Error(`No usable value for {${name}} of ${endpoint.route}`)
    return encodeURIComponent(value)
  })
  const shownPath = endpoint.root === 'base' ? `${versionedPrefix}${filled}` : filled

  const asked = entriesOf(query)
  return { method, path: asked.size === 0 ? shownPath : `${shownPath}?${new URLSearchParams([...asked])}`, shownPath }
}

/** Scalars by name; what is null or undefined is left out. */
function entriesOf(source: unknown): Map<string, string> {
  const entries = new Map<string, string>()
  if (typeof source !== 'object' || source === null) return entries
  for (const [name, value] of Object.entries(source)) {
    if (value === null || value === undefined) continue
    if (typeof value === 'object') entries.set(name, Array.isArray(value) ? value.join(',') : JSON.stringify(value))
    else entries.set(name, String(value))
  }
  return entries
}
