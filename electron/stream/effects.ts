/** What every event of the account may have changed. */
const account = ['account.summary', 'account.positions', 'account.orders', 'account.collateral', 'account.riskPreview', 'guards.today'] as const
const rows = ['account.transactions', 'account.trades', 'account.history', 'account.tradeRows', 'account.positionHistory'] as const
const intents = ['orders.list', 'orders.get', 'orders.prepared', 'execution.get'] as const
const prices = ['markets.summaries', 'markets.summary'] as const

/** All that a stream may make old: read again when one begins, ends or has a gap. */
export const streamed: readonly string[] = [...account, ...rows, ...intents, ...prices]

/**
 * The reads that an event makes old, by its name. The document names the events of webhooks and not those of the stream, so the first
 * word decides, and whatever is not known makes everything of the account old.
 */
export function effectsOf(type: string): readonly string[] {
  const word = /^[a-z]+/i.exec(type)?.[0].toLowerCase() ?? ''
  switch (word) {
    case 'heartbeat':
    case 'ping':
    case 'hello':
    case 'ready':
      return []
    case 'mark':
    case 'marks':
    case 'price':
    case 'prices':
    case 'market':
    case 'summary':
    case 'ticker':
      return prices
    case 'candle':
    case 'candles':
      return ['markets.candles']
    case 'collateral':
      return [...account, 'account.transactions']
    default:
      return [...account, ...rows, ...intents]
  }
}
