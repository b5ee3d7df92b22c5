import type { Health } from '../../../shared/ipc/host/app.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { LiveStream } from '../../service/stream/live-stream.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WatchedKeychain } from '../../store/keychain/keychain-process.ts'

export interface HealthDeps {
  /** null while no profile is chosen. */
  readonly api: ApiClient | null
  /** The account's stream; absent while no profile is chosen. */
  readonly stream?: Pick<LiveStream, 'state'>
  readonly secrets: Pick<WatchedKeychain, 'probe' | 'evidence'>
  readonly journal: Pick<Journal, 'state'>
  readonly clock: Clock
}

export interface HealthWatch {
  read(): Promise<Health>
}

/** A probe writes to the keychain and may ask for its password: seldom while it works, sooner while it does not. */
const probeEveryMs = { ready: 5 * minute, troubled: minute / 2 }

/** What the footer shows of the service, the keychain and the journal. */
export function createHealth({ api, stream, secrets, journal, clock }: HealthDeps): HealthWatch {
  let probing: Promise<unknown> | null = null

  return {
    read: async () => {
      const seen = secrets.evidence()
      const age = seen === null ? null : clock.monotonic() - seen.at
      if (age === null || age > (seen?.state === 'ready' ? probeEveryMs.ready : probeEveryMs.troubled)) {
        probing ??= secrets.probe().finally(() => {
          probing = null
        })
        // The first answer is waited for; later ones come with the next reading.
        if (age === null) await probing
      }
      const service = api?.health() ?? { state: 'unknown' as const, lastAnswerAgeMs: null }
      return {
        service: service.state,
        serviceAgeMs: service.lastAnswerAgeMs,
        hosts: api?.hosts().map((host) => ({ ...host })) ?? [],
        stream: stream?.state() ?? null,
        keychain: secrets.evidence()?.state ?? 'unknown',
        journal: journal.state(),
      }
    },
  }
}
