import type { Health } from '../../shared/ipc/app.ts'
import { type Clock, minute } from '../../shared/time.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { Journal } from '../journal/journal.ts'
import type { SecretStore } from '../secrets/secret-store.ts'

export interface HealthDeps {
  /** null while no profile is chosen. */
  readonly api: ApiClient | null
  readonly secrets: Pick<SecretStore, 'probe'>
  readonly journal: Pick<Journal, 'state'>
  readonly clock: Clock
}

export interface HealthWatch {
  read(): Promise<Health>
}

/** A probe writes to the keychain and may ask for its password: seldom while it works, sooner while it does not. */
const probeEveryMs = { ready: 5 * minute, troubled: minute / 2 }

/** What the footer shows of the service, the keychain and the journal. */
export function createHealth({ api, secrets, journal, clock }: HealthDeps): HealthWatch {
  let keychain: Health['keychain'] = 'unknown'
  let probedAt: number | null = null
  let probing: Promise<void> | null = null

  const probe = async (): Promise<void> => {
    const answer = await secrets.probe()
    keychain = answer.ok ? 'ready' : answer.failure.code === 'locked' ? 'locked' : 'unavailable'
    probedAt = clock.monotonic()
  }

  return {
    read: async () => {
      const age = probedAt === null ? null : clock.monotonic() - probedAt
      if (age === null || age > (keychain === 'ready' ? probeEveryMs.ready : probeEveryMs.troubled)) {
        probing ??= probe().finally(() => {
          probing = null
        })
        // The first answer is waited for; later ones come with the next reading.
        if (age === null) await probing
      }
      const service = api?.health() ?? { state: 'unknown' as const, lastAnswerAtMs: null }
      return {
        service: service.state,
        serviceAgeMs: service.lastAnswerAtMs === null ? null : Math.max(0, clock.now() - service.lastAnswerAtMs),
        keychain,
        journal: journal.state(),
        clockOffsetMs: api?.clockOffsetMs() ?? null,
      }
    },
  }
}
