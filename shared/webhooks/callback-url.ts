import { limits } from '../api/limits.ts'
import { parseIpAddress } from '../net/ip-address.ts'
import { fail, ok, type Result } from '../result.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

export interface CallbackUrl {
  /** As typed, trimmed: what is sent. */
  readonly url: string
  /** The name that still has to be looked up; null where the URL names an address, or this computer. */
  readonly lookUp: string | null
  /** On this computer: practice alone takes it. */
  readonly loopback: boolean
}

const { urlLength, ports } = limits.webhooks
/** What stands between the slashes and the path. A browser forgives `https:host` and `https:///host`; nobody knows what a service makes of them. */
const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i

/**
 * Judges the URL of a webhook (HOOK-01): HTTPS, port 443 or 8443, no credentials, at most 512 characters, a public address. Practice takes
 * this computer's own addresses besides, with any port. The failure is a sentence for the field.
 */
export function readCallbackUrl(typed: string, { practice }: { readonly practice: boolean }): Result<CallbackUrl, string> {
  const url = typed.trim()
  if (url === '') return fail('Type the address that events are sent to.')
  if (url.length > urlLength) return fail(`At most ${urlLength} characters; these are ${url.length}.`)
  const parsed = /[\s\\]/.test(url) ? null : URL.parse(url)
  const written = authority.exec(url)?.[1] ?? null
  if (parsed === null || written === null || parsed.hostname === '') return fail('This is not a URL. It begins with https://')
  if (written.includes('@')) return fail('Leave the user name and password out. Deliveries are signed instead.')
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || isLoopbackAddress(host)) {
    if (!practice) return fail('This is an address of this computer. The service reaches public addresses only.')
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? ok({ url, lookUp: null, loopback: true }) : fail('It begins with http:// or https://')
  }
  if (parsed.protocol !== 'https:') return fail('It has to begin with https://')
  if (parsed.port !== '' && !ports.some((port) => String(port) === parsed.port))
    return fail(`Only the ports ${ports.join(' and ')} are reached, not ${parsed.port}.`)
  if (parseIpAddress(host) === null) return ok({ url, lookUp: host, loopback: false })
  return isPublicAddress(host) ? ok({ url, lookUp: null, loopback: false }) : fail(`${host} is not a public address. The service cannot reach it.`)
}
