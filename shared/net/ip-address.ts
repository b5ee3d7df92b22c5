/** An IPv4 or IPv6 address as a number, so that ranges can be calculated. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

const octet = /^(0|[1-9]\d{0,2})$/

function parseV4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0n
  for (const part of parts) {
    // Refuse a leading zero, because some parsers would read the number as octal and others as decimal.
    if (!octet.test(part) || Number(part) > 255) return null
    value = (value << 8n) | BigInt(part)
  }
  return value
}

/** Parses the groups on one side of `::`. A dotted IPv4 part at the end of the address counts as two groups. `null` if a group is invalid. */
function groups(side: string, isLast: boolean): bigint[] | null {
  if (side === '') return []
  const out: bigint[] = []
  const parts = side.split(':')
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const tail = isLast && index === parts.length - 1 ? parseV4(part) : null
      if (tail === null) return null
      out.push(tail >> 16n, tail & 0xffffn)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      out.push(BigInt(`0x${part}`))
    } else {
      return null
    }
  }
  return out
}

function parseV6(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = groups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? groups(halves[1] ?? '', true) : []
  if (head === null || tail === null) return null
  const known = head.length + tail.length
  if (halves.length === 2 ? known > 7 : known !== 8) return null
  const all = [...head, ...Array.from({ length: 8 - known }, () => 0n), ...tail]
  return all.reduce((value, group) => (value << 16n) | group, 0n)
}

/** Parses a dotted IPv4 address or an IPv6 address (RFC 4291 text, without a zone). `null` for anything else. */
export function parseIpAddress(text: string): IpAddress | null {
  if (text.includes(':')) {
    const value = parseV6(text)
    return value === null ? null : { family: 6, value }
  }
  const value = parseV4(text)
  return value === null ? null : { family: 4, value }
}

function formatV6(value: bigint): string {
  const parts = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - index * 16)) & 0xffffn)
  let best = { start: -1, length: 1 }
  let start = -1
  for (let index = 0; index <= 8; index++) {
    if (index < 8 && parts[index] === 0n) {
      if (start < 0) start = index
    } else if (start >= 0) {
      if (index - start > best.length) best = { start, length: index - start }
      start = -1
    }
  }
  const hex = (from: number, to: number) =>
    parts
      .slice(from, to)
      .map((part) => part.toString(16))
      .join(':')
  return best.start < 0 ? hex(0, 8) : `${hex(0, best.start)}::${hex(best.start + best.length, 8)}`
}

/** Formats an address in its canonical form: dotted for IPv4, RFC 5952 for IPv6. */
export function formatIpAddress(address: IpAddress): string {
  if (address.family === 6) return formatV6(address.value)
  return [24n, 16n, 8n, 0n].map((shift) => (address.value >> shift) & 0xffn).join('.')
}

export const addressBits = (family: 4 | 6): number => (family === 4 ? 32 : 128)

/** Returns the first address of the CIDR range that contains `address` and has the prefix length `prefix`. */
export function networkOf(address: IpAddress, prefix: number): IpAddress {
  const free = BigInt(addressBits(address.family) - prefix)
  return { family: address.family, value: (address.value >> free) << free }
}

export interface IpRange {
  readonly address: IpAddress
  /** The prefix length: the number of leading bits that all addresses of the range share. */
  readonly prefix: number
}

/** Parses a CIDR range that is written in the source code. Throws if the address is invalid. */
export function ipRange(text: string): IpRange {
  const [address = '', prefix = ''] = text.split('/')
  const parsed = parseIpAddress(address)
  if (parsed === null) throw new Error(`not a range: ${text}`)
  return { address: parsed, prefix: Number(prefix) }
}

export const rangeHolds = (outer: IpRange, inner: IpRange): boolean =>
  outer.address.family === inner.address.family &&
  outer.prefix <= inner.prefix &&
  networkOf(inner.address, outer.prefix).value === networkOf(outer.address, outer.prefix).value
