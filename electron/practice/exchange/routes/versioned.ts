import type { Ask, Reply } from '../http/reply.ts'
import { keyed, type Route } from '../http/router.ts'
import type { KeyRow } from '../state/state.ts'
import type { Stream } from '../stream/stream.ts'
import type { Delegated } from '../trading/delegated.ts'
import type { Prepare } from '../trading/prepare-action.ts'
import type { AccountViews } from './account-views.ts'
import type { MarketViews } from './market-views.ts'

/** Routes of the versioned API, relative to `{base_url}`. Each needs a key with the scope that is listed here. */
export const versionedRoutes = ({
  market,
  account,
  prepare,
  delegated,
  preview,
  stream,
}: {
  market: MarketViews
  account: AccountViews
  prepare: Prepare
  delegated: Delegated
  preview(ask: Ask, key: KeyRow): Promise<Reply>
  readonly stream: Stream
}): Route[] => [
  keyed('market:read', 'GET /api/dex/v1/status', market.status),
  keyed('market:read', 'GET /api/dex/v1/meta', market.meta),
  keyed('market:read', 'GET /api/dex/v1/markets', market.markets),
  keyed('market:read', 'GET /api/dex/v1/candles', market.candles),
  keyed('market:read', 'GET /api/dex/v1/snapshot', (_, { wallet }) => market.snapshot(stream.sequenceOf(wallet))),
  keyed('market:read', 'GET /api/dex/v1/summary', market.summary),
  keyed('market:read', 'GET /api/dex/v1/summaries', market.summaries),
  keyed('market:read', 'GET /api/dex/v1/markets/{pair_id}/funding', market.funding),
  keyed('market:read', 'GET /api/dex/v1/markets/{pair_id}/open-interest', market.openInterest),
  keyed('market:read', 'GET /api/dex/v1/orderbook', market.orderbook),
  keyed('market:read', 'GET /api/dex/v1/vault', market.vault),

  keyed('account:read', 'GET /api/dex/v1/account', (_, { wallet }) => account.account(wallet)),
  keyed('account:read', 'GET /api/dex/v1/positions', (_, { wallet }) => account.positions(wallet)),
  keyed('account:read', 'GET /api/dex/v1/orders', (ask, { wallet }) => account.orders(wallet, ask)),
  keyed('account:read', 'GET /api/dex/v1/orders/by-client-id', (ask, { wallet }) => account.byClientId(wallet, ask)),
  keyed('account:read', 'GET /api/dex/v1/collateral', (_, { wallet }) => account.collateral(wallet)),
  keyed('account:read', 'POST /api/dex/v1/risk/preview', preview),
  keyed('account:read', 'GET /api/dex/v1/transactions', (ask, { wallet }) => account.transactions(wallet, ask)),
  keyed('account:read', 'GET /api/dex/v1/trades', (ask, { wallet }) => account.trades(wallet, ask)),
  keyed('account:read', 'GET /api/dex/v1/positions/history', (ask, { wallet }) => account.history(wallet, ask)),
  keyed('account:read', 'GET /api/dex/v1/native/executions/{tx_hash}', (ask, { wallet }) => account.finality(wallet, ask)),
  keyed('account:read', 'GET /api/dex/v1/executions/{command_id}', delegated.status),
  keyed('account:read', 'GET /api/dex/v1/stream', stream.handle),

  keyed(null, 'POST /api/dex/v1/orders/prepare', prepare.handle),
  keyed('trade:execute', 'POST /api/dex/v1/orders/execute', delegated.execute),
]
