import type { Audit } from '../keys/audit/audit.ts'
import { createSecretHandlers } from '../keys/delivery/secret-handlers.ts'
import { createKeyShelf, type KeyShelf } from '../keys/key-shelf.ts'
import type { Session } from '../keys/sign-in/session.ts'
import { type AccountPages, createAccountPages } from '../reads/account/account-pages.ts'
import { createMarketServices, type MarketServices } from '../reads/markets/market-services.ts'
import type { Discovery } from '../service/capabilities/discovery.ts'
import type { NoteSecretUse } from '../store/secrets/secret-use.ts'
import type { Chain } from '../wallet/chain/chain.ts'
import type { WalletReport } from '../wallet/connection/wallet.ts'
import type { WebhookShelf } from '../webhooks/subscriptions/webhook-shelf.ts'
import { createWebhookServices, type WebhookServices } from '../webhooks/webhook-services.ts'
import { createKeyServices, type KeyServices } from './key-services.ts'
import { createProfileParts, type ProfileServicesDeps } from './profile-parts.ts'
import type { RunCheck } from './service-check/run-check.ts'
import { createServiceWatch, type ServiceWatch } from './service-watch.ts'
import { createStanding } from './standing.ts'
import { createTradingServices, type TradingServices } from './trading-services.ts'

export interface ProfileServices {
  readonly handlers: WalletReport['handlers'] &
    Chain['handlers'] &
    Session['handlers'] &
    Audit['handlers'] &
    Discovery['handlers'] &
    MarketServices['handlers'] &
    AccountPages['handlers'] &
    KeyServices['handlers'] &
    WebhookServices['handlers'] &
    TradingServices['handlers'] &
    ReturnType<typeof createSecretHandlers> &
    ReturnType<typeof createStanding>
  /** For the terminal. */
  readonly shelf: KeyShelf
  readonly webhookShelf: WebhookShelf
  readonly noteSecretUse: NoteSecretUse
  readonly runCheck: RunCheck
  /** The router that is pinned; null: none yet. */
  pinnedRouter(): string | null
  /** Settles what the last run left half done, then follows what is open. Before any handler is called. */
  start(): Promise<void>
  readonly follow: ServiceWatch['follow']
  readonly wake: ServiceWatch['wake']
  /** Takes secrets out of memory that nothing under way needs: the app is locked. */
  rest(): void
  stop(): void
  /** Resolves when nothing is being done to any intent: after `stop`, and after the client was closed, the journal may be closed. */
  settled(): Promise<void>
}

/** Everything that one profile does, put together. A change of profile stops one set and makes another. */
export function createProfileServices(deps: ProfileServicesDeps): ProfileServices {
  const parts = createProfileParts(deps)
  const { wallet, chain, session, signInWatch, credentials, webhookSecrets, pins, audit, note } = parts
  const service = createServiceWatch(parts)
  const { discovery, stream } = service
  const { markets, handlers: marketHandlers } = createMarketServices(parts)
  const account = createAccountPages({ ...parts, markets })
  const keys = createKeyServices(parts)
  const webhooks = createWebhookServices({
    ...parts,
    held: webhookSecrets,
    markets,
    reader: account.reader,
    freshBooks: account.freshBooks,
    lookAgain: (ref) => trading.lookAgain(ref),
  })
  const trading = createTradingServices({ ...parts, markets, panic: keys.panic, discovery })
  const secretHandlers = createSecretHandlers({ ...parts, holds: { key: keys.holdKey, webhook: webhooks.holdSecret } })
  const standing = createStanding({
    ...parts,
    stream,
    draftOf: keys.draftOf,
    more: (address) => [...trading.attention(address), ...keys.attention(address), ...webhooks.attention(address)],
  })
  // Trading before the keys: a sweep may be about to revoke some.
  const ending = [webhooks, trading, keys, account]
  return {
    handlers: {
      ...wallet.handlers,
      ...chain.handlers,
      ...session.handlers,
      ...audit.handlers,
      ...discovery.handlers,
      ...marketHandlers,
      ...account.handlers,
      ...keys.handlers,
      ...webhooks.handlers,
      ...trading.handlers,
      ...secretHandlers,
      ...standing,
    },
    shelf: createKeyShelf(credentials),
    webhookShelf: webhooks.shelf,
    noteSecretUse: note,
    runCheck: trading.runCheck,
    pinnedRouter: pins.router,
    start: async () => {
      await keys.recover()
      await webhooks.recover()
      await trading.start()
      await keys.start()
      signInWatch.start()
      account.start()
    },
    follow: service.follow,
    wake: service.wake,
    rest: () => {
      keys.rest()
      webhookSecrets.rest()
    },
    stop: () => {
      for (const area of ending) area.stop()
      signInWatch.stop()
    },
    settled: async () => {
      for (const area of ending) await area.settled()
    },
  }
}
