import { compare, signOf } from '../../../decimal.ts'
import { isList } from '../../names/walk.ts'
import { oneOf } from '../../reader/answer.ts'
import { type Fields, type Kind, may, must } from '../../reader/field.ts'
import { count, custom, namedUsdc, percent, price, supply, symbol, time, totalUsdc } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import { type Resource, resource } from '../../reader/resource.ts'
import { rowsIn } from '../../reader/unwrap.ts'
import { each, names } from '../name-lists.ts'

const words = ['market', 'metric', 'token', 'baq', 'baq_market', 'baq_metrics']
const source = 'Unversioned public routes: content of /api/public/baq-market and /api/public/baq-metrics not shown'

const supplies = {
  supply: may(['total_supply', 'supply', 'supply_total', ...each(['token', 'supply', 'total'], ['issued', 'minted', 'issuance'])], supply),
  maxSupply: may(['max_supply', 'supply_cap', 'supply_max', 'hard_cap'], supply),
  circulating: may(['circulating_supply', 'circulating', 'supply_circulating', 'in_circulation', 'float', 'floating_supply'], supply),
} as const
const marketCap = may(['market_cap_usd', 'market_cap_usdc', 'market_cap', 'capitalisation', 'capitalization'], totalUsdc)
const priceNames = ['price_usd', 'price_usdc', 'price', 'last_price', 'last', 'price_value', 'rate'] as const

/** Reads history points, as objects or as arrays in a fixed order. If one point is unreadable, the whole list is unreadable. */
const points = <F extends Fields, T>(of: Resource<F, T>): Kind<T[]> => ({
  ...custom<T[]>('list', (value, _, context) => {
    const rows = rowsIn(value, ['history'], of.matcher.known, 'values')
    if (rows === null) return undefined
    const order = of.tuples?.[0] ?? []
    const named = rows.rows.map((row) =>
      Array.isArray(row) ? Object.fromEntries(order.map((name, index) => [of.list[of.fieldNames.indexOf(name)]?.aliases[0] ?? name, row[index]])) : row,
    )
    const { items } = readRecords(of, named, context, () => {})
    return items.every((item) => item !== undefined) ? items : undefined
  }),
  says: isList,
})

const pastNames = ['history', 'points', 'past', 'series'] as const
const pricePoint = resource({
  name: 'token_price_point',
  words: ['point'],
  sentence: null,
  source: '',
  fields: { atMs: must(names.pointAt, time), price: must([...priceNames, 'p', 'c', 'close'], price) },
  tuples: [['atMs', 'price']],
  finish: ({ atMs, price: then }) => ({ atMs, price: then }),
})

export const tokenMarket = resource({
  name: 'token_market',
  words,
  sentence:
    'The market of the protocol’s own token tells its price and change, its metrics tell how many there are and where; every number may be missing, and unknown ones are shown under their own names.',
  source,
  fields: {
    symbol: may(names.symbol, symbol),
    price: may(priceNames, price),
    change24h: may(['change_24h_pct', 'price_change_24h_pct', 'change_24h', 'change_pct', 'daily_change_pct', 'change_1d_pct'], percent),
    volume24h: may(['volume_24h_usd', 'volume_24h_usdc', 'volume_24h', 'daily_volume_usd', 'turnover_24h', 'traded_24h'], namedUsdc),
    high24h: may(['high_24h_usd', 'high_24h_usdc', 'high_24h', 'daily_high', 'high'], price),
    low24h: may(['low_24h_usd', 'low_24h_usdc', 'low_24h', 'daily_low', 'low'], price),
    marketCap,
    fullyDiluted: may(
      [
        'fully_diluted_value_usd',
        'fully_diluted_value_usdc',
        'fdv_usd',
        'fdv_usdc',
        'fully_diluted_value',
        'fdv',
        'fully_diluted_valuation',
        'diluted_market_cap',
      ],
      totalUsdc,
    ),
    liquidity: may(['liquidity_usd', 'liquidity_usdc', 'liquidity', 'pool_liquidity_usd'], totalUsdc),
    ...supplies,
    history: may([...pastNames, 'price_history', 'price_points', 'price_series'], points(pricePoint)),
    updatedAtMs: may(names.updatedAt, time),
  },
})

/** Market data of the protocol's own token. Prices in USD, supplies in units of the token. */
export const OwnTokenMarket = oneOf(tokenMarket)

const holders = ['holders', 'holder_count', 'wallets', ...each(['owner', 'wallet', 'holder', 'address'], ['count', 'holding', 'total']), 'owners'] as const
const holdersPoint = resource({
  name: 'token_holders_point',
  words: ['point'],
  sentence: null,
  source: '',
  fields: { atMs: must(names.pointAt, time), holders: must(holders, count) },
  tuples: [['atMs', 'holders']],
  finish: ({ atMs, holders: then }) => ({ atMs, holders: then }),
})

/**
 * Whether a value is a fraction, a percentage or basis points rather than an amount of tokens. If the supply is above one million, a value of at most
 * ten thousand cannot be an amount.
 */
const isShare = (amount: string | null, whole: string | null): boolean =>
  amount !== null && signOf(amount) !== 0 && compare(amount, '10000') <= 0 && whole !== null && compare(whole, '1000000') > 0

export const tokenMetrics = resource({
  name: 'token_metrics',
  words,
  sentence: null,
  source,
  fields: {
    symbol: may(names.symbol, symbol),
    ...supplies,
    staked: may(['staked_supply', 'total_staked', 'staked_amount', 'staking_total', 'staked', 'bonded'], supply),
    stakedPercent: may(
      [
        'staked_pct',
        'staked_percent',
        'staking_ratio_pct',
        'staked_share_pct',
        'staking_share',
        'staked_ratio',
        ...each(['total_staked', 'staked_amount', 'staked_supply', 'bonded'], ['pct']),
      ],
      percent,
    ),
    yearlyPercent: may(['staking_apr_pct', 'staking_apy_pct', 'apr_pct', 'staking_apr', 'staking_yield_pct', 'staking_rewards_yearly_pct'], percent),
    burned: may(['burned', 'burned_supply', 'total_burned', 'burned_total', 'burnt'], supply),
    burned24h: may(['burned_24h', 'burned_1d', 'daily_burned'], supply),
    marketCap,
    holders: may(holders, count),
    history: may([...pastNames, 'holders_history'], points(holdersPoint)),
    updatedAtMs: may(names.updatedAt, time),
  },
  // A field named `staked` may be a fraction of the supply instead of an amount.
  doubts: (found) => (isShare(found.staked, found.supply ?? found.circulating ?? found.maxSupply) ? ['staked'] : []),
})

/** Metrics of the protocol's own token. Amounts in units of the token. */
export const OwnTokenMetrics = oneOf(tokenMetrics)
