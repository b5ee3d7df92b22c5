import { BlockList, isIP } from 'node:net'
import { fail, ok, type Result } from '../../../../shared/result.ts'

/** API key, `ip_allowlist`: an array of strings or one comma-separated string of addresses or CIDR ranges, IPv4 or IPv6. The failure names the entry. */
export function allowlistFrom(value: unknown): Result<readonly string[], string> {
  if (value === undefined) return ok([])
  const given: readonly unknown[] | null = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : null
  if (given === null) return fail('ip_allowlist must be an array of strings or a comma-separated string')
  const entries: string[] = []
  for (const each of given) {
    if (typeof each !== 'string') return fail('ip_allowlist must hold strings')
    const entry = each.trim()
    if (entry === '' && typeof value === 'string') continue
    if (!isEntry(entry)) return fail(`"${entry}" is neither an IP address nor a CIDR range`)
    entries.push(entry)
  }
  return ok(entries)
}

function isEntry(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Authentication 5. An empty list accepts every address. `ip` is the address of the connection. */
export function isAllowed(entries: readonly string[], ip: string): boolean {
  if (entries.length === 0) return true
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  const plainAddress = withoutMapping(ip)
  return list.check(plainAddress, isIP(plainAddress) === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv4 address that reached a dual-stack socket, written as IPv4. */
export const withoutMapping = (ip: string): string => (ip.startsWith('::ffff:') && isIP(ip.slice(7)) === 4 ? ip.slice(7) : ip)
