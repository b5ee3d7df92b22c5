import { parseHostUrl } from '../../../shared/api/host-url.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Profile } from '../../../shared/ipc/host/profiles.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Vault } from '../../store/journal/journal.ts'
import { type ProfileStore, practiceId } from '../../store/records/profile-store.ts'
import type { PracticeState } from './practice-process.ts'

export interface SecondHostParts {
  readonly store: ProfileStore
  readonly practice: { state(): PracticeState }
  readonly probe: (hostUrl: string) => Promise<Result<Output<'profiles.probe'>, Failure>>
  /** Returns a profile in the form that windows receive; null if no profile has this id. */
  readonly shown: (id: string) => Profile | null
  /** Called when a profile changes or removes its second host, through which it reads. */
  readonly changed: (profileId: string, hostUrl: string | null) => void
}

export interface SecondHosts {
  readonly handlers: Handlers<'profiles.setSecondHost'>
  /** The address of practice mode’s second host, if the user turned it on and practice mode is running; otherwise null. */
  ofPractice(): string | null
}

/**
 * Manages the second host of each profile (GEN-02). The app sends API keys to this host too, so the user confirms twice: first the address, and then,
 * after the address has responded like the service, its host. Practice mode has its own second host and accepts no other.
 */
export function createSecondHosts({ store, practice, probe, shown, changed }: SecondHostParts): SecondHosts {
  const offered = (): string | null => {
    const state = practice.state()
    return state.state === 'running' ? state.descriptor.secondHostUrl : null
  }
  const ofPractice = () => (store.practiceUsesSecondHost() ? offered() : null)

  const save = (id: string, hostUrl: string | null): Result<void, Failure> => {
    if (id === practiceId) store.setPracticeUsesSecondHost(hostUrl !== null)
    else {
      const stored = store.get(id)
      if (stored === null) return fail({ kind: 'not_found', what: 'profile' })
      store.save({ ...stored, secondHostUrl: hostUrl })
    }
    changed(id, hostUrl)
    return ok(undefined)
  }

  return {
    ofPractice,
    handlers: {
      async 'profiles.setSecondHost'({ id, hostUrl, confirmHost }) {
        const profile = shown(id)
        if (profile === null) return fail({ kind: 'not_found', what: 'profile' })
        let named: string | null = null
        if (hostUrl !== null) {
          const roots = parseHostUrl(hostUrl)
          if (!roots.ok) return roots
          if (roots.value.hostUrl === profile.hostUrl) return fail({ kind: 'host_refused', issue: 'duplicate', detail: profile.name })
          if (confirmHost !== roots.value.host) return fail({ kind: 'bad_input', field: 'confirmHost', issue: 'other_host_checked' })
          if (id === practiceId && roots.value.hostUrl !== offered()) return fail({ kind: 'bad_input', field: 'hostUrl', issue: 'practice_host_only' })
          const report = await probe(roots.value.hostUrl)
          if (!report.ok) return report
          named = report.value.hostUrl
        }
        const saved = save(id, named)
        if (!saved.ok) return saved
        const after = shown(id)
        return after === null ? fail({ kind: 'not_found', what: 'profile' }) : ok(after)
      },
    },
  }
}

/** The RPC addresses that the user set, one per profile. They are stored encrypted, because such an address often contains an access key. */
export interface RpcAddresses {
  /** The RPC address that the user set for a profile; null if the default RPC is used. */
  of(profileId: string): Promise<string | null>
  set(profileId: string, url: URL | null): Promise<void>
}

export function createRpcAddresses({ rpcUrls }: Vault): RpcAddresses {
  return {
    of: async (profileId) => (await rpcUrls.read({ profile: profileId }))?.reveal() ?? null,
    set: (profileId, url) => (url === null ? rpcUrls.delete({ profile: profileId }) : rpcUrls.write({ profile: profileId }, new Secret(url.href))),
  }
}

/** Parses an RPC address that the user typed. The address must use `https`, unless it is on this computer. */
export function readRpcUrl(written: string): Result<URL, Failure> {
  const url = URL.parse(written.trim())
  if (url === null) return fail({ kind: 'bad_input', field: 'rpcUrl', issue: 'not_a_url' })
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) return fail({ kind: 'bad_input', field: 'rpcUrl', issue: 'rpc_https' })
  return ok(url)
}
