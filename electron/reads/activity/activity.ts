import type { Health } from '../../../shared/ipc/host/app.ts'
import { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { fail, ok } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { LiveStream } from '../../service/stream/live-stream.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WatchedKeychain } from '../../store/keychain/keychain-process.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'

export interface ActivityDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly wallet: Pick<WalletReport, 'shown'>
}

export function createActivity({ profile, journal, wallet }: ActivityDeps): { readonly handlers: HandlersOf<'activity'> } {
  return {
    handlers: {
      'activity.secrets': async ({ limit }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        if (whose.value === null) return ok([])
        return ok(journal.secretOperations.list(profile.id, limit, { wallet: whose.value }).map((row) => SecretOperation.parse(row)))
      },
    },
  }
}

interface RequestConsoleDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'requests'>
  readonly wallet: Pick<WalletReport, 'shown'>
}

/** Serves the stored requests and responses of the shown wallet, without secrets (API document: Authentication 3, Service 9). */
export function createRequestConsole({ profile, journal: { requests }, wallet }: RequestConsoleDeps): {
  readonly handlers: HandlersOf<'requests'>
} {
  return {
    handlers: {
      'requests.list': async ({ upTo, offset, limit, ...filter }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        return ok({ ...requests.page(profile.id, { ...filter, text: filter.text.trim() }, { upTo, offset, limit }, { wallet: whose.value }), offset })
      },
      'requests.get': async ({ id }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        const found = requests.find(profile.id, id, { wallet: whose.value })
        return found === null ? fail({ kind: 'not_found', what: 'request' }) : ok({ ...found, hostUrl: profile.hostUrl })
      },
    },
  }
}

interface HealthDeps {
  /** The client for the service's API; `null` while no profile is open. */
  readonly api: ApiClient | null
  /** The account's event stream; absent while no profile is open. */
  readonly stream?: Pick<LiveStream, 'state'>
  readonly secrets: Pick<WatchedKeychain, 'probe' | 'evidence'>
  readonly journal: Pick<Journal, 'state'>
  readonly clock: Clock
}

export interface HealthWatch {
  read(): Promise<Health>
  /** Returns only the service's current outage, or `null`. Does not test the keychain. */
  outage(): Health['outage']
}

/**
 * How often to test the keychain. A test writes to the keychain, and may make the system ask for a password. The app therefore tests the
 * keychain rarely while the keychain works, and more often while it fails.
 */
const probeEveryMs = { ready: 5 * minute, troubled: minute / 2 }

/** The app does not report an outage that is shorter than this, because it retries a failed request without bothering the user. */
const outageFromMs = 5 * second

/** Creates the reader of the state of service, keychain and journal, which the window's footer shows. */
export function createHealth({ api, stream, secrets, journal, clock }: HealthDeps): HealthWatch {
  let probing: Promise<unknown> | null = null
  const outageOf = (of: { readonly how: 'no_response' | 'errors'; readonly forMs: number } | null): Health['outage'] =>
    of === null || of.forMs < outageFromMs ? null : { how: of.how, sinceMs: clock.now() - of.forMs }

  return {
    outage: () => outageOf(api?.health().outage ?? null),
    read: async () => {
      const seen = secrets.evidence()
      const age = seen === null ? null : clock.monotonic() - seen.at
      if (age === null || age > (seen?.state === 'ready' ? probeEveryMs.ready : probeEveryMs.troubled)) {
        probing ??= secrets.probe().finally(() => {
          probing = null
        })
        // Only the first call waits for a test of the keychain. Later calls return the result of the previous test.
        if (age === null) await probing
      }
      const service = api?.health() ?? { state: 'unknown' as const, lastAnswerAgeMs: null, outage: null }
      const outage = outageOf(service.outage)
      return {
        // The light must agree with the banner and the attention list, which report an outage only after some seconds.
        service: service.state === 'down' && outage === null ? 'failing' : service.state,
        serviceAgeMs: service.lastAnswerAgeMs,
        outage,
        hosts: api?.hosts().map((host) => ({ ...host })) ?? [],
        stream: stream?.state() ?? null,
        keychain: secrets.evidence()?.state ?? 'unknown',
        journal: journal.state(),
      }
    },
  }
}
