import { BlockList, isIP } from 'node:net'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { plainAddress } from '../../base/allowlist.ts'

/** Returns all addresses of a host name; an empty list if the name has no address. */
export type Resolve = (host: string) => Promise<readonly string[]>

export interface CallbackUrl {
  readonly url: string
  /** True if the URL points to this computer. Only practice allows this; the API document does not. */
  readonly loopback: boolean
}

const longest = 512
const ports = ['', '443', '8443']

/** Address ranges that contain no public hosts, according to IANA's special-purpose registries. */
const closed = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(address, bits, 'ipv6')
/** The only IPv6 range that contains public hosts. All other addresses are unallocated or reserved. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

export const isPublic = (address: string): boolean => {
  const plain = plainAddress(address)
  return isIP(plain) === 4 ? !closed.check(plain) : isIP(plain) === 6 && global.check(plain, 'ipv6') && !closed.check(plain, 'ipv6')
}

export const isLoopback = (address: string): boolean => {
  const plain = plainAddress(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/**
 * Parses the `url` of a webhook subscription. The URL must use HTTPS on port 443 or 8443, contain no credentials, have at most 512 characters and
 * point only to public IP addresses (API document: Webhook subscription).
 * Practice also accepts loopback URLs, with any port and with `http:`, because their traffic never leaves this computer. A failure says what is wrong
 * with the URL.
 */
export async function callbackUrlFrom(value: unknown, resolve: Resolve): Promise<Result<CallbackUrl, string>> {
  if (typeof value !== 'string' || value === '') return fail('must be a URL')
  if (value.length > longest) return fail(`must have at most ${longest} characters`)
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null) return fail('must be a URL')
  if (url.username !== '' || url.password !== '') return fail('must hold no credentials')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocal = host === 'localhost' || isLoopback(host)
  if (isLocal && (url.protocol === 'https:' || url.protocol === 'http:')) return ok({ url: value, loopback: true })
  if (url.protocol !== 'https:') return fail('must begin with https://')
  if (!ports.includes(url.port)) return fail('must have port 443 or 8443')
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length === 0) return fail(`${host} has no address`)
  const inner = addresses.find((address) => !isPublic(address))
  return inner === undefined ? ok({ url: value, loopback: false }) : fail(`${host} resolves to ${inner}, which is not a public address`)
}
