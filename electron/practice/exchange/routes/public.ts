import { type Address, getAddress, isAddress } from 'viem'
import { type Ask, invalid, type Reply } from '../http/reply.ts'
import { open, type Route } from '../http/router.ts'
import type { Relay } from '../trading/relay-intent.ts'
import type { AccountViews } from './account-views.ts'
import type { MarketViews } from './market-views.ts'

/** Public routes outside the versioned API, relative to `{host_url}`. They need no key, and their format may change. */
export function publicRoutes({ market, account, relay }: { market: MarketViews; account: AccountViews; relay: Relay }): Route[] {
  const ofWallet = (handle: (wallet: Address, ask: Ask) => Promise<Reply>) => (ask: Ask) => {
    const wallet = ask.query.get('wallet') ?? ''
    return isAddress(wallet) ? handle(getAddress(wallet), ask) : invalid('wallet', 'must be an address')
  }
  return [
    open('GET /api/dex/config', market.config),
    open('GET /api/dex/markets', market.markets),
    open('GET /api/dex/summaries', market.summaries),
    open('GET /api/dex/summary', market.summary),
    open('GET /api/dex/candles', market.candles),
    open('GET /api/dex/candles/history', market.history),
    open('GET /api/dex/marks', market.marks),
    open('GET /api/dex/orderbook', market.orderbook),
    open('GET /api/dex/vault', market.vault),
    open('GET /api/dex/liquidations', account.liquidations),
    open('GET /api/dex/markets/{id}/funding', market.funding),
    open('GET /api/dex/markets/{id}/open-interest', market.openInterest),
    open('GET /api/dex/status', market.status),
    open('GET /api/dex/circuit-breakers', market.circuitBreakers),
    open('GET /api/dex/account', ofWallet(account.account)),
    open('GET /api/dex/positions', ofWallet(account.positions)),
    open('GET /api/dex/orders', ofWallet(account.orders)),
    open('GET /api/dex/collateral', ofWallet(account.collateral)),
    open('GET /api/dex/transactions', ofWallet(account.transactions)),
    open('GET /api/dex/trades', ofWallet(account.trades)),
    open('GET /api/dex/positions/history', ofWallet(account.history)),
    open('GET /api/public/baq-market', market.tokenMarket),
    open('GET /api/public/baq-metrics', market.tokenMetrics),
    open('POST /api/dex/actions/relay', relay.relay),
    open('POST /api/dex/actions/receipt', relay.receipt),
  ]
}
