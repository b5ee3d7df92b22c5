import { limits } from '../api/limits.ts'
import type { FormIssue } from '../ipc/form-issue.ts'
import { addressBits, type IpAddress, type IpRange, ipRange, parseIpAddress, rangeHolds } from '../net/ip-address.ts'
import { fail, ok, type Result } from '../result.ts'

/** Address ranges without hosts on the public internet: IANA's special-purpose registries, multicast and reserved ranges. */
const closed: readonly IpRange[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(ipRange)

/** The only IPv6 range from which public hosts get their addresses. */
const globalUnicast = ipRange('2000::/3')
const mapped = ipRange('::ffff:0.0.0.0/96')
const loopback = ipRange('127.0.0.0/8')

const one = (address: IpAddress): IpRange => ({ address, prefix: addressBits(address.family) })

/** Converts a range of IPv4-mapped addresses (`::ffff:1.2.3.4`) to the same range in IPv4. Returns any other range unchanged. */
export function unmapped(range: IpRange): IpRange {
  if (!rangeHolds(mapped, range)) return range
  return { address: { family: 4, value: range.address.value & 0xffff_ffffn }, prefix: range.prefix - mapped.prefix }
}

const read = (text: string): IpAddress | null => {
  const address = parseIpAddress(text)
  return address === null ? null : unmapped(one(address)).address
}

/** Whether a range contains no public internet address at all. */
export function isClosedRange(range: IpRange): boolean {
  const plain = unmapped(range)
  return (
    closed.some((known) => rangeHolds(known, plain)) ||
    (plain.address.family === 6 && plain.prefix >= globalUnicast.prefix && !rangeHolds(globalUnicast, plain))
  )
}

/** Whether an address can belong to a host on the public internet. false for text that is not an IP address. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  return address !== null && !isClosedRange(one(address))
}

export function isLoopbackAddress(text: string): boolean {
  const address = read(text)
  if (address === null) return false
  return address.family === 4 ? rangeHolds(loopback, one(address)) : address.value === 1n
}

interface CallbackUrl {
  /** The URL as the user typed it, without surrounding spaces. */
  readonly url: string
  /**
   * The host name that must still be resolved through DNS before the URL is used; null if the URL contains an IP address, or points to this
   * computer.
   */
  readonly lookUp: string | null
  /** true: the URL points to this computer, which is only allowed in practice mode. */
  readonly loopback: boolean
}

const { urlLength, ports } = limits.webhooks
/**
 * Matches a URL up to its path, with the host after `//`. URLs without `//` and a host are refused, because browsers and other programs read
 * `https:host` and `https:///host` differently.
 */
const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i

/**
 * Checks the URL of a webhook (HOOK-01): HTTPS, port 443 or 8443, no credentials, at most 512 characters, and only public addresses. Practice mode
 * also allows addresses of this computer, with any port.
 */
export function readCallbackUrl(typed: string, { practice }: { readonly practice: boolean }): Result<CallbackUrl, FormIssue> {
  const url = typed.trim()
  if (url === '') return fail(['typeUrl'])
  if (url.length > urlLength) return fail(['urlTooLong', urlLength, url.length])
  const parsed = /[\s\\]/.test(url) ? null : URL.parse(url)
  const written = authority.exec(url)?.[1] ?? null
  if (parsed === null || written === null || parsed.hostname === '') return fail(['notAUrl'])
  if (written.includes('@')) return fail(['urlWithPassword'])
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || isLoopbackAddress(host)) {
    if (!practice) return fail(['urlOfThisComputer'])
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? ok({ url, lookUp: null, loopback: true }) : fail(['urlHttpOrHttps'])
  }
  if (parsed.protocol !== 'https:') return fail(['urlHttps'])
  if (parsed.port !== '' && !ports.some((port) => String(port) === parsed.port)) return fail(['urlPort', ports.join(', '), parsed.port])
  if (parseIpAddress(host) === null) return ok({ url, lookUp: host, loopback: false })
  return isPublicAddress(host) ? ok({ url, lookUp: null, loopback: false }) : fail(['urlNotPublic', host])
}
