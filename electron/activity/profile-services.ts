import { ok } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import { createAccount } from '../account/account.ts'
import type { ApiClient } from '../api/api-client.ts'
import { createChain } from '../chain/chain.ts'
import type { PostJson } from '../chain/rpc.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Journal, Vault } from '../journal/journal.ts'
import { createCredentials } from '../keys/credentials.ts'
import { createKeys } from '../keys/keys.ts'
import { createMarkets } from '../markets/markets.ts'
import { createOrders } from '../orders/orders.ts'
import { createPins } from '../pins/pins.ts'
import { createPublishedRouter } from '../pins/published-router.ts'
import type { Secret } from '../secrets/secret.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { Emit, Every } from '../session/events.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import { createServiceClock } from '../session/service-clock.ts'
import { createSession } from '../session/session.ts'
import { createWallet } from '../session/wallet.ts'
import { createActivity } from './activity.ts'
import { createAttention } from './attention.ts'
import { createHealth, type HealthWatch } from './health.ts'

export interface ProfileServicesDeps {
  readonly profile: ProfileFacts
  /** The profile's own client. */
  readonly api: ApiClient
  readonly journal: Journal
  readonly vault: Vault
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly post: PostJson
  readonly rpcUrl: () => Promise<string>
  readonly connection: () => { readonly relayUrl: string; readonly projectId: string; readonly appUrl: string }
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly emit: Emit
  readonly every: Every
  readonly sleep: (ms: number) => Promise<void>
  readonly newId: () => string
}

type ServiceName = keyof ReturnType<typeof compose>['handlers']

export interface ProfileServices {
  readonly handlers: Handlers<ServiceName>
  readonly health: HealthWatch
  /** Settles what the last run left half done, then follows what is open. Before any handler is called. */
  start(): Promise<void>
  stop(): void
  /** Resolves when nothing is being done to any intent: after `stop`, and after the client was closed, the journal may be closed. */
  settled(): Promise<void>
}

/** Everything that one profile does, put together. A change of profile stops one set and makes another. */
export function createProfileServices(deps: ProfileServicesDeps): ProfileServices {
  const { handlers, health, keys, orders } = compose(deps)
  return {
    handlers,
    health,
    start: async () => {
      await keys.recover()
      await orders.recover()
      orders.tracker.start()
    },
    stop: () => orders.tracker.stop(),
    settled: orders.settled,
  }
}

function compose(deps: ProfileServicesDeps) {
  const { profile, api, journal, vault, secrets, post, rpcUrl, connection, copySecret, emit, every, sleep, newId } = deps
  const clock = createServiceClock(deps.clock, api)
  const wallet = createWallet({ profile, vault, connection })
  const credentials = createCredentials({ profile, journal, secrets, clock })
  const chain = createChain({ rpcUrl, post })
  const published = createPublishedRouter({
    api,
    key: async () => {
      const address = wallet.current()?.address
      const credential = address === undefined ? null : await credentials.forScope(address, 'market:read')
      return credential?.ok === true ? credential.value : null
    },
  })
  const pins = createPins({ profile, values: journal.values, published, hasCode: chain.hasCode })
  const session = createSession({ profile, api, vault, secrets, pins, wallet, chain, clock, newId })
  const markets = createMarkets({ api, credentials, wallet, clock })
  const account = createAccount({ api, credentials, wallet })
  const keys = createKeys({ profile, api, journal, vault, secrets, credentials, wallet, signIn: session.signIn, pins, chain, clock, emit, newId, copySecret })
  const orders = createOrders({ profile, api, journal, vault, credentials, wallet, chain, pins, markets, clock, emit, every, sleep, newId })
  const activity = createActivity({ profile, journal })
  const health = createHealth({ api, secrets, journal, clock: deps.clock })
  const attention = createAttention({ profile, journal, credentials, api, session, health, shownWallet: orders.shownWallet, draftOf: keys.draftOf, clock })
  const own: Handlers<'app.health' | 'app.attention' | 'app.acceptRebuiltJournal'> = {
    'app.health': async () => ok(await health.read()),
    'app.attention': async () => ok(await attention()),
    'app.acceptRebuiltJournal': async () => {
      journal.acceptRebuilt()
      return ok<Record<never, never>>({})
    },
  }
  return {
    handlers: {
      ...wallet.handlers,
      ...chain.handlers,
      ...session.handlers,
      ...keys.handlers,
      ...markets.handlers,
      ...account.handlers,
      ...orders.handlers,
      ...activity.handlers,
      ...own,
    },
    health,
    keys,
    orders,
  }
}
