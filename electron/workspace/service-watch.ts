import { endpoints } from '../../shared/api/endpoints/all.ts'
import { minute, second } from '../../shared/time.ts'
import { createDiscovery, type Discovery } from '../service/capabilities/discovery.ts'
import { createLiveStream, type LiveStream } from '../service/stream/live-stream.ts'
import type { ProfileParts } from './profile-parts.ts'

export interface ServiceWatch {
  readonly stream: Pick<LiveStream, 'state'>
  readonly discovery: Discovery
  /** Asks for its time, and from now on for the account's stream and for what it offers; returns the way to stop. Waits for no answer. */
  follow(): () => void
  /** After the computer slept or its clock was set: takes the stream that was open for dead, and asks for the time. */
  wake(): Promise<void>
}

/** The service's time is worth no longer wait than what is asked for by the user. */
const clockDeadlineMs = 5 * second
/** The events of the stream wait for it. */
const snapshotDeadlineMs = 5 * second
/** What the service publishes of itself changes seldom; that its answers carry other versions is seen in each of them. */
const discoverEveryMs = 5 * minute
const watchEveryMs = 2 * second

const nothing = { params: {}, query: {}, body: undefined } as const

/** What the service says by itself: of the account, of what it offers, of its time. */
export function createServiceWatch(parts: ProfileParts): ServiceWatch {
  const { api, credentials, wallet, marketKey, outlets, emit, every, clock, log } = parts
  const discovery = createDiscovery({ ...parts, key: marketKey, log: (drifts) => log('drift', { drifts }) })
  const stream = createLiveStream({
    open: api.openStream,
    // An open stream keeps its key in memory. Beneath the lock nobody looks, and orders are followed by asking.
    wallet: () => (outlets.unlocked() ? (wallet.current()?.address ?? null) : null),
    credential: (address) => credentials.forScope(address, 'account:read'),
    sequence: async (address) => {
      const key = await credentials.forScope(address, 'market:read')
      if (!key.ok) return null
      const answer = await api.call(endpoints.getSnapshot, { ...nothing, credential: key.value, deadlineMs: snapshotDeadlineMs })
      return answer.ok ? answer.value.value.sequence : null
    },
    market: async (address) => {
      const key = await credentials.forScope(address, 'market:read')
      if (!key.ok) return null
      const answer = await api.call(endpoints.getMarkets, { ...nothing, credential: key.value, deadlineMs: snapshotDeadlineMs })
      return answer.ok ? (answer.value.value.markets[0]?.id ?? null) : null
    },
    onOld: (queries) => emit({ type: 'invalidate', queries }),
    clock,
  })
  /** Whatever it answers carries a `Date`; until then, this computer's clock counts. */
  const recheckClock = async () => {
    await api.call(endpoints.getPublicStatus, { ...nothing, credential: null, deadlineMs: clockDeadlineMs })
  }
  /** Its turn comes again, whatever became of this one. */
  const begin = (work: () => Promise<void>) => void work().catch((error: unknown) => log('watch', { error: String(error) }))
  return {
    stream,
    discovery,
    follow: () => {
      begin(recheckClock)
      const ends = [every(second, stream.tick), every(discoverEveryMs, discovery.read), every(watchEveryMs, discovery.watch)]
      begin(discovery.read)
      return () => {
        for (const end of ends) end()
        stream.stop()
      }
    },
    wake: async () => {
      stream.again()
      await recheckClock()
    },
  }
}
