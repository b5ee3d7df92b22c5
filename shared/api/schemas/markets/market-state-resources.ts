import { agreeOnSize } from '../../names/match.ts'
import { records } from '../../names/walk.ts'
import { type AnswerReader, answerReader, listIn, listOf } from '../../reader/answer.ts'
import { type Fields, may, must, type ReadContext } from '../../reader/field.ts'
import { inspectRecords } from '../../reader/inspect.ts'
import { base, count, hourly, id, namedUsdc, percent, price, supply, symbol, text, time, totalUsdc, usdc } from '../../reader/kinds.ts'
import { readRecords } from '../../reader/read-records.ts'
import { type Resource, resource } from '../../reader/resource.ts'
import { unwrap } from '../../reader/unwrap.ts'
import { each, names } from '../name-lists.ts'
import { missingOf } from '../page.ts'
import { side, sideBy, sideFlags } from '../words.ts'
import { fundingNames, interestNames, nextFundingNames } from './market-resources.ts'
import { sizeFrom } from './order-book.ts'

const notShown = 'Resources: bodies of market read resources not shown'

/** Reads a record and its history. The history may be inside or beside the record. It is empty if no point is readable. */
function withHistory<F extends Fields, T extends { readonly history: unknown }, G extends Fields, P extends { readonly atMs: number }, A>(
  of: Resource<F, T>,
  point: Resource<G, P>,
  lists: readonly string[],
  make: (found: T, history: P[]) => A,
): AnswerReader<A> {
  const history = (source: unknown, context: ReadContext): P[] | undefined => listIn(point, lists, source, () => {}, context)?.items
  return answerReader(
    (json, complain, context) => {
      const { inner, outer } = unwrap(json, of.words, of.matcher)
      const around = Object.assign({}, ...outer) as Readonly<Record<string, unknown>> // the cast is safe: `outer` contains only objects
      const [found] = readRecords(of, [inner], { ...context, around }, ([, ...path], issue) => complain(path, issue)).items
      if (found === undefined) return undefined
      const points =
        (found.history === null ? undefined : history({ [lists[0] ?? 'history']: found.history }, { ...context, around })) ?? history(around, context) ?? []
      return make(
        found,
        [...points].sort((a, b) => a.atMs - b.atMs),
      )
    },
    (json, fieldMap) => [inspectRecords(of, [unwrap(json, of.words, of.matcher).inner], fieldMap)],
  )
}

// `rate` and `borrow_rate` mean the funding rate only in answers about funding. Elsewhere they may mean something else.
const rateNames = [...fundingNames, 'rate_1h_pct', 'rate_pct', 'rate', 'borrow_rate'] as const
const ratePoint = resource({
  name: 'funding_point',
  words: ['point', 'funding'],
  sentence: null,
  source: '',
  fields: { atMs: must(names.pointAt, time), rate: must(rateNames, hourly) },
  tuples: [['atMs', 'rate']],
})

const historyNames = ['history', 'funding_history', 'rates', 'points', 'past', 'series'] as const
export const funding = resource({
  name: 'funding',
  words: ['funding'],
  sentence:
    'The funding of a market carries its rate, shown as percent per hour where its unit and period are said, and the time of the next payment, and may carry earlier rates under `history`; what it does not carry is drawn from the answers that this app has read.',
  source: notShown,
  fields: {
    rate: may(rateNames, hourly),
    nextAtMs: may([...nextFundingNames, 'next_at', 'next_time', 'next'], time),
    updatedAtMs: may(names.updatedAt, time),
    pairId: may([...names.pairId, 'id', 'pair', 'market'], count),
    symbol: may(names.symbol, symbol),
    history: may(historyNames, records),
  },
})

/** Reads funding rates. `history`: earlier rates, oldest first. */
export const FundingAnswer = withHistory(funding, ratePoint, historyNames, ({ rate, nextAtMs, updatedAtMs, unknownFields }, history) => ({
  rate,
  nextAtMs,
  updatedAtMs,
  history: history.map(({ atMs, rate: then }) => ({ atMs, rate: then })),
  unknownFields,
}))

const longNames = [...interestNames.long, 'long_usdc', 'long'] as const
const shortNames = [...interestNames.short, 'short_usdc', 'short'] as const
const interestPoint = resource({
  name: 'open_interest_point',
  words: ['point', 'open', 'interest'],
  sentence: null,
  source: '',
  fields: { atMs: must(names.pointAt, time), long: must(longNames, namedUsdc), short: must(shortNames, namedUsdc) },
  tuples: [['atMs', 'long', 'short']],
})
const interestHistory = ['history', 'open_interest_history', 'points', 'past', 'series'] as const

export const openInterest = resource({
  name: 'open_interest',
  words: ['open', 'interest'],
  sentence:
    'Open interest is what is long and what is short, shown where it is said to be in USDC, and may carry earlier values under `history`; what it does not carry is drawn from the answers that this app has read.',
  source: notShown,
  fields: {
    long: may(longNames, namedUsdc),
    short: may(shortNames, namedUsdc),
    updatedAtMs: may(names.updatedAt, time),
    pairId: may([...names.pairId, 'id', 'pair', 'market'], count),
    symbol: may(names.symbol, symbol),
    history: may(interestHistory, records),
  },
})

/** Reads the open interest. `history`: earlier values, oldest first. */
export const OpenInterestAnswer = withHistory(openInterest, interestPoint, interestHistory, ({ long, short, updatedAtMs, unknownFields }, history) => ({
  long,
  short,
  updatedAtMs,
  history: history.map(({ atMs, long: longThen, short: shortThen }) => ({ atMs, long: longThen, short: shortThen })),
  unknownFields,
}))

const shareNames = [
  'share_price_usdc',
  'share_price',
  'price_per_share',
  'price_of_share',
  'nav_per_share',
  'share_value',
  'nav',
  ...each(['lp', 'lp_token', 'unit'], ['price', 'value']),
] as const
const vaultPoint = resource({
  name: 'vault_point',
  words: ['point', 'vault'],
  sentence: null,
  source: '',
  fields: { atMs: must(names.pointAt, time), sharePriceUsdc: must([...shareNames, 'price'], price) },
  tuples: [['atMs', 'sharePriceUsdc']],
})
const vaultHistory = ['history', 'share_price_history', 'points', 'past', 'series'] as const

export const vault = resource({
  name: 'vault',
  words: ['vault', 'pool'],
  sentence:
    'The vault tells what it holds in USDC, its shares and their price, how much of it is in use and what it earns in a year, shown as percent where their unit is said, and perhaps the price of a share before under `history`.',
  source: notShown,
  fields: {
    assetsUsdc: may(
      [
        'assets_usdc',
        'total_assets_usdc',
        'tvl_usdc',
        'balance_usdc',
        'assets',
        'tvl',
        'total_assets',
        'total_value_usdc',
        'total_value_locked',
        'balance',
        'liquidity_usdc',
        'pool_value',
        'aum',
        'vault_value',
      ],
      totalUsdc,
    ),
    shares: may(
      [
        'shares',
        'total_shares',
        'share_supply',
        'total_supply',
        'shares_outstanding',
        'supply',
        'share_count',
        ...each(['units', 'lp', 'lp_token', 'lp_share', 'pool_share'], ['outstanding', 'supply', 'total', 'issued']),
      ],
      supply,
    ),
    sharePriceUsdc: may(shareNames, price),
    utilisationPercent: may(
      [
        'utilisation_pct',
        'utilisation',
        'used_pct',
        'usage_pct',
        'in_use_pct',
        'utilisation_rate',
        'utilisation_ratio',
        'usage',
        'lent_out',
        'borrowed',
        'lent',
      ],
      percent,
    ),
    yearlyPercent: may(
      [
        'yearly_pct',
        'apr_30d_pct',
        'yearly',
        'yield_pct',
        'yearly_yield_pct',
        'yearly_return_pct',
        ...each(['yield', 'return', 'yearly'], ['30d', '7d', '90d']),
      ],
      percent,
    ),
    history: may(vaultHistory, records),
    updatedAtMs: may(names.updatedAt, time),
  },
})

export const VaultAnswer = withHistory(vault, vaultPoint, vaultHistory, (found, history) => ({
  ...found,
  history: found.history === null && history.length === 0 ? null : history.map(({ atMs, sharePriceUsdc }) => ({ atMs, sharePriceUsdc })),
}))

export const liquidation = resource({
  name: 'liquidation',
  words: ['liquidation', 'liquidated'],
  sentence: 'A liquidation names its market, side, size, price and time; value, wallet and transaction may be beside them. Any of them may be missing.',
  source: 'Unversioned public routes: content of /api/dex/liquidations not shown',
  fields: {
    id: may(['id', 'liquidation_id', 'event_id'], id),
    pairId: may([...names.pairId, 'pair_index', 'pair', 'market', 'product', 'instrument'], count),
    symbol: may(names.symbol, symbol),
    // The side of the liquidated position.
    side: may(names.side, side),
    ...sideFlags,
    size: may(['size', 'size_base', 'quantity', 'amount', 'liquidated_size', 'position_size', 'base_size'], base),
    price: may(['price', 'liquidation_price', 'exit_price', 'mark_price', 'fill_price', 'price_value', 'rate'], price),
    valueUsdc: may(['value_usdc', 'notional_usdc', 'size_usdc', 'notional', 'value', 'notional_value', 'position_value', 'position_size_usdc'], usdc),
    wallet: may(['wallet', 'wallet_address', 'account', 'trader', 'owner', 'address', 'user', 'liquidated_wallet'], text),
    txHash: may(names.txHash, text),
    atMs: may(['at_ms', 'liquidated_at_ms', 'liquidated_at', ...names.createdAt], time),
  },
  agree: { size: agreeOnSize },
  inUsdc: { size: 'valueUsdc' },
  keyed: { key: 'id' },
  finish: ({ isLong, isShort, sideSign, ...found }) => ({
    ...found,
    size: found.size ?? sizeFrom(found.valueUsdc, found.price),
    side: sideBy(found.side, { isLong, isShort, sideSign }) ?? null,
  }),
})

/** Reads liquidations, newest first. Liquidations without a time come last. */
export const LiquidationList = listOf(liquidation, ['liquidations', 'events'], (list) => ({
  liquidations: list.items.sort((a, b) => (b.atMs ?? Number.NEGATIVE_INFINITY) - (a.atMs ?? Number.NEGATIVE_INFINITY)),
  missing: missingOf(list),
}))
