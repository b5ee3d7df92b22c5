import { BlockList, isIP } from 'node:net'
import { fail, ok, type Result } from '../../../shared/result.ts'

/** Maximum number of entries. The API document gives no maximum; this one keeps a key's record readable. */
const entriesAllowed = 64

/**
 * Parses the API key field `ip_allowlist`: an array of strings or one comma-separated string of IPv4 or IPv6 addresses or CIDR ranges.
 * Returns each entry once, in the form of `normalEntry`. A failure names the invalid entry.
 */
export function allowlistFrom(value: unknown): Result<readonly string[], string> {
  if (value === undefined) return ok([])
  const given: readonly unknown[] | null = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : null
  if (given === null) return fail('must be an array of strings or a comma-separated string')
  const entries = new Set<string>()
  for (const each of given) {
    if (typeof each !== 'string') return fail('must hold strings')
    const written = each.trim()
    if (written === '' && typeof value === 'string') continue
    const entry = normalEntry(written)
    if (entry === null) return fail(`"${written}" is neither an IP address nor a CIDR range`)
    entries.add(entry)
  }
  return entries.size > entriesAllowed ? fail(`must hold at most ${entriesAllowed} entries`) : ok([...entries])
}

/**
 * Returns an allowlist entry in its normal form; null if the entry is invalid. An IPv6 address becomes short and lower-case. A range loses its host
 * bits. A range of one address becomes that address.
 */
function normalEntry(written: string): string | null {
  const [text = '', bits, ...rest] = written.split('/')
  const address = normalAddress(text)
  if (address === null || rest.length > 0) return null
  const longest = isIP(address) === 4 ? 32 : 128
  if (bits === undefined) return address
  // In an IPv4-mapped IPv6 address, 96 bits come before the IPv4 address. Subtract them from the prefix length.
  const length = /^(0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) - (isIP(text) === 6 && longest === 32 ? 96 : 0) : -1
  if (length < 0 || length > longest) return null
  return length === longest ? address : `${withoutHostBits(address, length)}/${length}`
}

/**
 * Returns an IP address in its normal form; null if the text is not an IP address. Rejects zones (`fe80::1%eth0`), because a zone has a meaning on
 * one machine only.
 */
function normalAddress(text: string): string | null {
  if (isIP(text) === 4) return text
  if (isIP(text) === 0 || text.includes('%')) return null
  const words = wordsOf(text)
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  return isMapped
    ? words
        .slice(6)
        .flatMap((word) => [word >> 8, word & 0xff])
        .join('.')
    : shortIPv6(words)
}

const shortIPv6 = (words: readonly number[]): string => new URL(`http://[${words.map((word) => word.toString(16)).join(':')}]`).hostname.slice(1, -1)

/** Splits an IPv6 address into its eight words. The URL parser already removed any dotted part and left at most one `::`. */
function wordsOf(text: string): number[] {
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const parsed = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)))
  const [start, end] = [parsed(head), parsed(tail ?? '')]
  return [...start, ...Array<number>(8 - start.length - end.length).fill(0), ...end]
}

function withoutHostBits(address: string, length: number): string {
  const isShort = isIP(address) === 4
  const size = isShort ? 8 : 16
  const parts = isShort ? address.split('.').map(Number) : wordsOf(address)
  const kept = parts.map((part, index) => {
    const bits = Math.min(size, Math.max(0, length - index * size))
    return part & ~((1 << (size - bits)) - 1)
  })
  return isShort ? kept.join('.') : shortIPv6(kept)
}

/**
 * True if the list permits the address (Authentication 5). An empty list permits every address. A range contains only addresses of its own
 * family. `ip` must be in the form of `plainAddress`.
 */
export function isAllowed(entries: readonly string[], ip: string): boolean {
  if (entries.length === 0) return true
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    // Skip an entry of the other address family. Node would match an IPv4 address against `::/0`, because it converts the address to an IPv4-mapped
    // IPv6 address.
    if (isIP(address) !== isIP(ip)) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list.check(ip, family)
}

/** Returns an IP address in its short form. An IPv4-mapped IPv6 address becomes a plain IPv4 address. */
export const plainAddress = (ip: string): string => normalAddress(ip) ?? ip
