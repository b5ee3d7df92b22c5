import type { Failure } from '../ipc/failure.ts'
import { fail, ok, type Result } from '../result.ts'

/** The base URLs of one service, derived from the URL that the user typed (GEN-01). They have no trailing slash. */
export interface ServiceRoots {
  /** `{host_url}`, for example `https://dex.example`. */
  readonly hostUrl: string
  /** `{base_url}`: the versioned API root. */
  readonly baseUrl: string
  /** Host name, followed by the port unless it is the default port of the scheme. A sign-in challenge names the host in this form. */
  readonly host: string
  readonly loopback: boolean
}

export type HostRefused = Extract<Failure, { kind: 'host_refused' }>

export const versionedPath = '/api/dex/v1'

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname)

const refuse = (issue: HostRefused['issue'], detail: string | null): Result<never, HostRefused> => fail({ kind: 'host_refused', issue, detail })

/**
 * Parses a `{host_url}`. Accepts only `https:`, or `http:` for a loopback host; refuses a user name, password, path, query and fragment. Without a
 * scheme it assumes `https:`, or `http:` on loopback. Returns host names in lower case and punycode, so that look-alike letters become visible.
 */
export function parseHostUrl(written: string): Result<ServiceRoots, HostRefused> {
  const trimmed = written.trim()
  if (trimmed === '' || /[\s\\]/.test(trimmed)) return refuse('not_a_url', null)
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  const url = URL.parse(withScheme)
  if (url === null || url.hostname === '') return refuse('not_a_url', null)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('needs_https', url.protocol)
  if (url.username !== '' || url.password !== '') return refuse('has_credentials', null)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || /[?#]$/.test(trimmed))
    return refuse('has_path', `${url.pathname}${url.search === '' ? '' : '?…'}`)
  const loopback = isLoopback(url.hostname)
  if (url.protocol === 'http:' && !loopback) return refuse('needs_https', null)
  const plain = loopback && withScheme !== trimmed ? `http://${url.host}` : url.origin
  return ok({ hostUrl: plain, baseUrl: `${plain}${versionedPath}`, host: URL.parse(plain)?.host ?? url.host, loopback })
}
