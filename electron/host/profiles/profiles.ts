import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PracticeStatus, Profile } from '../../../shared/ipc/host/profiles.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { type ProfileStore, practiceId, practiceName } from '../../store/records/profile-store.ts'
import type { StoredProfile } from '../../store/records/registry.ts'
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts'
import { createSecondHosts, type RpcAddresses, readRpcUrl } from './exchange-hosts.ts'
import type { PracticeProcess } from './practice-process.ts'

export interface ProfilesParts {
  readonly store: ProfileStore
  readonly rpcAddresses: RpcAddresses
  readonly practice: PracticeProcess
  readonly workspace: WorkspaceSwitch
  readonly probe: (hostUrl: string) => Promise<Result<Output<'profiles.probe'>, Failure>>
  readonly clock: Clock
  readonly pinnedRouter: (profileId: string) => string | null
  /**
   * Called when the user changes or removes the second host of a profile. `hostUrl`: the new second host, through which the app reads; null if
   * removed.
   */
  readonly secondHostChanged: (profileId: string, hostUrl: string | null) => void
  /** Removes the files and keychain entries of a live profile that is not active. */
  readonly eraseData: (profileId: string) => Promise<Result<void, Failure>>
  /** Reloads the window when the profile changes, so that data of two profiles never appears together. */
  readonly reload: () => void
  readonly showPhone: () => void
  readonly closePhone: () => void
  readonly pair: (uri: string) => Promise<Result<Record<string, never>, Failure>>
}

export interface Profiles {
  readonly handlers: HandlersOf<'profiles' | 'practice'>
  /** Opens the profile that was last open. If this fails, that profile stays the active one. */
  resume(): Promise<Result<void, Failure>>
  /** Restarts practice mode after it ended unexpectedly, and creates its services again. */
  recoverPractice(): Promise<void>
}

const mostRecoveriesAMinute = 3

/** The profiles: practice mode, which always exists, and live profiles, each with a host URL. */
export function createProfiles(parts: ProfilesParts): Profiles {
  const { store, practice, workspace } = parts
  let recoveries: number[] = []

  const practiceProfile = (): Profile => {
    const state = practice.state()
    return {
      id: practiceId,
      name: practiceName,
      kind: 'practice',
      hostUrl: state.state === 'running' ? state.descriptor.hostUrl : null,
      secondHostUrl: secondHosts.ofPractice(),
      secondHostOffered: state.state === 'running' ? state.descriptor.secondHostUrl : null,
      rpcHost: state.state === 'running' ? new URL(state.descriptor.rpcUrl).host : null,
      pinnedRouter: parts.pinnedRouter(practiceId),
    }
  }
  const live = (stored: StoredProfile): Profile => ({
    id: stored.id,
    name: stored.name,
    kind: 'live',
    hostUrl: stored.hostUrl,
    secondHostUrl: stored.secondHostUrl,
    secondHostOffered: null,
    rpcHost: stored.rpcHost,
    pinnedRouter: parts.pinnedRouter(stored.id),
  })

  const secondHosts = createSecondHosts({
    store,
    practice,
    probe: parts.probe,
    shown: (id) => {
      const stored = store.get(id)
      return id === practiceId ? practiceProfile() : stored === null ? null : live(stored)
    },
    changed: parts.secondHostChanged,
  })

  const status = (): PracticeStatus => {
    const state = practice.state()
    const descriptor = state.state === 'running' ? state.descriptor : null
    return {
      state: state.state,
      hostUrl: descriptor?.hostUrl ?? null,
      rpcUrl: descriptor?.rpcUrl ?? null,
      walletAddress: descriptor?.walletAddress ?? null,
      detail: state.state === 'failed' ? `${state.part}: ${state.detail}` : null,
      unavailable: practice.unavailable(),
    }
  }

  const openPractice = async (): Promise<Result<void, Failure>> => {
    const started = await practice.start()
    return started.ok ? workspace.open({ kind: 'practice', id: practiceId, descriptor: started.value, secondHostUrl: secondHosts.ofPractice() }) : started
  }
  const openLive = async (stored: StoredProfile): Promise<Result<void, Failure>> => {
    parts.closePhone()
    const { id, name, hostUrl, secondHostUrl } = stored
    const opened = await workspace.open({ kind: 'live', id, name, hostUrl, secondHostUrl })
    if (opened.ok) void practice.stop()
    return opened
  }

  const startPractice = async (): Promise<Result<void, Failure>> => {
    const opened = await openPractice()
    if (!opened.ok) return opened
    store.setActive(practiceId)
    parts.reload()
    return opened
  }

  const duplicateOf = (hostUrl: string): StoredProfile | undefined => store.list().find((profile) => profile.hostUrl === hostUrl)

  const handlers: HandlersOf<'profiles' | 'practice'> = {
    ...secondHosts.handlers,
    'profiles.list': () => ok({ activeId: store.activeId(), profiles: [practiceProfile(), ...store.list().map(live)] }),
    'profiles.probe': ({ hostUrl }) => parts.probe(hostUrl),
    async 'profiles.create'({ name, hostUrl }) {
      const report = await parts.probe(hostUrl)
      if (!report.ok) return report
      const other = duplicateOf(report.value.hostUrl)
      if (other !== undefined) return fail({ kind: 'host_refused', issue: 'duplicate', detail: other.name })
      const stored: StoredProfile = {
        id: store.newId(),
        name: name.trim(),
        hostUrl: report.value.hostUrl,
        rpcHost: null,
        secondHostUrl: null,
        createdAtMs: parts.clock.now(),
      }
      store.save(stored)
      return ok(live(stored))
    },
    async 'profiles.select'({ id }) {
      if (id === practiceId) {
        const started = await startPractice()
        return started.ok ? ok(practiceProfile()) : started
      }
      const stored = store.get(id)
      if (stored === null) return fail({ kind: 'not_found', what: 'profile' })
      const opened = await openLive(stored)
      if (!opened.ok) return opened
      store.setActive(id)
      parts.reload()
      return ok(live(stored))
    },
    async 'profiles.remove'({ id, confirmName }) {
      const stored = store.get(id)
      if (stored === null) return fail({ kind: 'not_found', what: 'profile' })
      if (confirmName !== stored.name) return fail({ kind: 'bad_input', field: 'confirmName', issue: 'other_profile_name' })
      const wasActive = store.activeId() === id
      if (wasActive) {
        await workspace.close()
        store.setActive(null)
      }
      const erased = await parts.eraseData(id)
      if (erased.ok) {
        await parts.rpcAddresses.set(id, null)
        store.remove(id)
      }
      if (wasActive) parts.reload()
      return erased.ok ? ok({}) : erased
    },
    async 'profiles.setRpc'({ id, rpcUrl }) {
      const stored = store.get(id)
      if (stored === null) return fail({ kind: 'not_found', what: 'profile' })
      const url = rpcUrl === null ? null : readRpcUrl(rpcUrl)
      if (url !== null && !url.ok) return url
      await parts.rpcAddresses.set(id, url === null ? null : url.value)
      const changed = { ...stored, rpcHost: url === null ? null : url.value.host }
      store.save(changed)
      return ok(live(changed))
    },
    async 'practice.start'() {
      const started = await startPractice()
      return started.ok ? ok(status()) : started
    },
    async 'practice.leave'() {
      parts.closePhone()
      if (store.activeId() === practiceId) {
        await workspace.close()
        store.setActive(null)
      }
      // Do not make the user wait until practice mode has stopped. A later start of practice mode waits for that.
      void practice.stop()
      parts.reload()
      return ok({})
    },
    'practice.status': () => ok(status()),
    'practice.showPhone'() {
      if (practice.state().state !== 'running') return notRunning
      parts.showPhone()
      return ok({})
    },
    'practice.pair': ({ uri }) => (practice.state().state === 'running' ? parts.pair(uri) : notRunning),
  }

  return {
    handlers,
    async resume() {
      const id = store.activeId()
      if (id === null) return ok(undefined)
      if (id === practiceId) return openPractice()
      const stored = store.get(id)
      if (stored !== null) return openLive(stored)
      store.setActive(null)
      return ok(undefined)
    },
    async recoverPractice() {
      if (store.activeId() !== practiceId) return
      const now = parts.clock.monotonic()
      recoveries = [...recoveries.filter((at) => now - at < minute), now]
      // If practice mode fails repeatedly, the app stops restarting it. `practice.status` reports the reason, and the user can start practice mode
      // again.
      if (recoveries.length > mostRecoveriesAMinute) {
        await workspace.close()
        parts.reload()
        return
      }
      await workspace.close()
      await openPractice()
      parts.reload()
    },
  }
}

const notRunning = fail<Failure>({ kind: 'practice_failed', part: 'process', detail: 'not_running' })
