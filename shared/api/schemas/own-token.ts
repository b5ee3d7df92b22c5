import { assumed } from '../assumptions.ts'
import { decimal, either, fieldsReader, list, may, must, objectReader, type Reader, schemaOf, text, time, wholeNumber } from '../loose.ts'
import { inside } from './market-state.ts'

const fields = assumed.ownToken.fields
const { updatedAt, symbol } = assumed.marketSummary.fields

const priceObject = fieldsReader({ atMs: must(assumed.fundingState.fields.at, time), price: must([...fields.price, 'p', 'c', 'close'], decimal) })
const priceArray: Reader<{ readonly atMs: number; readonly price: string }> = (value, complain) =>
  Array.isArray(value) ? priceObject({ at: value[0], price: value[1] }, complain) : undefined

const market = objectReader({
  symbol: may(symbol, text),
  price: may(fields.price, decimal),
  change24h: may(fields.change24h, decimal),
  volume24h: may(fields.volume24h, decimal),
  high24h: may(fields.high24h, decimal),
  low24h: may(fields.low24h, decimal),
  marketCap: may(fields.marketCap, decimal),
  fullyDiluted: may(fields.fullyDiluted, decimal),
  liquidity: may(fields.liquidity, decimal),
  supply: may(fields.supply, decimal),
  maxSupply: may(fields.maxSupply, decimal),
  circulating: may(fields.circulating, decimal),
  history: may(fields.history, list(either(priceArray, priceObject))),
  updatedAtMs: may(updatedAt, time),
})

/** Prices in USD, supplies in units of the token. */
export const OwnTokenMarket = schemaOf(inside(fields.market, market))

const holdersPoint = fieldsReader({ atMs: must(assumed.fundingState.fields.at, time), holders: must(fields.holders, wholeNumber) })

const metrics = objectReader({
  symbol: may(symbol, text),
  supply: may(fields.supply, decimal),
  maxSupply: may(fields.maxSupply, decimal),
  circulating: may(fields.circulating, decimal),
  staked: may(fields.staked, decimal),
  stakedPercent: may(fields.stakedPercent, decimal),
  yearlyPercent: may(fields.yearly, decimal),
  burned: may(fields.burned, decimal),
  burned24h: may(fields.burned24h, decimal),
  marketCap: may(fields.marketCap, decimal),
  holders: may(fields.holders, wholeNumber),
  history: may(fields.metricsHistory, list(holdersPoint)),
  updatedAtMs: may(updatedAt, time),
})

/** Amounts in units of the token. */
export const OwnTokenMetrics = schemaOf(inside(fields.metrics, metrics))
