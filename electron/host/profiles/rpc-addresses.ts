import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Vault } from '../../store/journal/journal.ts'

/** The RPCs that the user set, one a profile. Sealed: such an address often carries a key. */
export interface RpcAddresses {
  /** null: the default. */
  of(profileId: string): Promise<string | null>
  set(profileId: string, url: URL | null): Promise<void>
}

export function createRpcAddresses({ rpcUrls }: Vault): RpcAddresses {
  return {
    of: async (profileId) => (await rpcUrls.read({ profile: profileId }))?.reveal() ?? null,
    set: (profileId, url) => (url === null ? rpcUrls.delete({ profile: profileId }) : rpcUrls.write({ profile: profileId }, new Secret(url.href))),
  }
}

/** As the user wrote it; `https`, or on this computer. */
export function readRpcUrl(written: string): Result<URL, Failure> {
  const url = URL.parse(written.trim())
  if (url === null) return fail({ kind: 'bad_input', field: 'rpcUrl', issue: 'not_a_url' })
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) return fail({ kind: 'bad_input', field: 'rpcUrl', issue: 'rpc_https' })
  return ok(url)
}
