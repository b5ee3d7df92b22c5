import { lookup } from 'node:dns/promises'
import type { InputIssue } from '../../../shared/text/input-issue-text.ts'
import { second } from '../../../shared/time.ts'
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts'

/** All addresses of a name. Rejects with a `code` as `node:dns` does. */
export type LookUp = (host: string) => Promise<readonly string[]>

const patienceMs = 5 * second

/** The system's own resolver, given up after 5 s. */
export const systemLookUp: LookUp = async (host) => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${host} was not resolved in time`)), patienceMs)
  try {
    const found = await Promise.race([lookup(host, { all: true }), late])
    return found.map(({ address }) => address)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Whether the service can reach a name (HOOK-01: every address of it is public). null: nothing speaks against it. A resolver that does not answer
 * says nothing, and the service decides.
 */
export async function hostIssue(host: string, lookUp: LookUp): Promise<InputIssue | null> {
  try {
    const addresses = await lookUp(host)
    const inner = addresses.find((address) => !isPublicAddress(address))
    return inner === undefined ? null : `inner_address ${host} ${inner}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code === 'ENOTFOUND' || code === 'ENODATA' ? `no_address ${host}` : null
  }
}
