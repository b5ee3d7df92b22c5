import { assumed } from '../assumptions.ts'
import {
  decimal,
  either,
  fieldsReader,
  isRecord,
  list,
  listUnder,
  may,
  must,
  objectReader,
  type Reader,
  readField,
  schemaOf,
  text,
  time,
  wholeNumber,
  word,
} from '../loose.ts'

const { fundingState, openInterest, vaultState, liquidationRecord } = assumed
const summary = assumed.marketSummary.fields

/** The object under one of the names, else the value itself. */
export const inside =
  <T>(names: readonly string[], read: Reader<T>): Reader<T> =>
  (value, complain) => {
    const inner = isRecord(value) ? readField(value, names) : undefined
    return read(isRecord(inner) ? inner : value, complain)
  }

/** A list that may stand in the record or beside it; empty where there is none. */
const historyIn = <T>(value: unknown, names: readonly string[], record: readonly string[], point: Reader<T>): T[] => {
  const read = listUnder(names, point)
  return inside(record, read)(value, () => {}) ?? read(value, () => {}) ?? []
}

const byTime = <T extends { readonly atMs: number }>(points: readonly T[]): T[] => [...points].sort((a, b) => a.atMs - b.atMs)

const funding = objectReader({
  rate: may([...summary.fundingRate, ...fundingState.fields.rate], decimal),
  nextAtMs: may(summary.nextFunding, time),
  updatedAtMs: may(summary.updatedAt, time),
  pairId: may(summary.pairId, wholeNumber),
  symbol: may(summary.symbol, text),
  // Read apart, since it may stand beside the record; named here so that it is not shown as unknown.
  history: may(
    fundingState.fields.history,
    list((value) => value),
  ),
})

const rateObject = fieldsReader({ atMs: must(fundingState.fields.at, time), rate: must([...summary.fundingRate, ...fundingState.fields.rate], decimal) })
const rateArray: Reader<{ readonly atMs: number; readonly rate: string }> = (value, complain) =>
  Array.isArray(value) ? rateObject({ at: value[0], rate: value[1] }, complain) : undefined

/** `history`: earlier rates, oldest first. */
export const FundingAnswer = schemaOf((value, complain) => {
  const found = inside(fundingState.fields.funding, funding)(value, complain)
  if (found === undefined) return undefined
  const history = historyIn(value, fundingState.fields.history, fundingState.fields.funding, either(rateArray, rateObject))
  return { rate: found.rate, nextAtMs: found.nextAtMs, updatedAtMs: found.updatedAtMs, history: byTime(history), unknownFields: found.unknownFields }
})

const longNames = [...summary.interestLong, ...openInterest.fields.long]
const shortNames = [...summary.interestShort, ...openInterest.fields.short]

const interest = objectReader({
  long: may(longNames, decimal),
  short: may(shortNames, decimal),
  updatedAtMs: may(summary.updatedAt, time),
  pairId: may(summary.pairId, wholeNumber),
  symbol: may(summary.symbol, text),
  history: may(
    openInterest.fields.history,
    list((value) => value),
  ),
})

const interestObject = fieldsReader({ atMs: must(fundingState.fields.at, time), long: must(longNames, decimal), short: must(shortNames, decimal) })
const interestArray: Reader<{ readonly atMs: number; readonly long: string; readonly short: string }> = (value, complain) =>
  Array.isArray(value) ? interestObject({ at: value[0], long: value[1], short: value[2] }, complain) : undefined

/** `history`: earlier values, oldest first. */
export const OpenInterestAnswer = schemaOf((value, complain) => {
  const found = inside(openInterest.fields.interest, interest)(value, complain)
  if (found === undefined) return undefined
  const history = historyIn(value, openInterest.fields.history, openInterest.fields.interest, either(interestArray, interestObject))
  return { long: found.long, short: found.short, updatedAtMs: found.updatedAtMs, history: byTime(history), unknownFields: found.unknownFields }
})

const vaultPoint = fieldsReader({ atMs: must(fundingState.fields.at, time), sharePriceUsdc: must(vaultState.fields.sharePrice, decimal) })

const vault = objectReader({
  assetsUsdc: may(vaultState.fields.assets, decimal),
  shares: may(vaultState.fields.shares, decimal),
  sharePriceUsdc: may(vaultState.fields.sharePrice, decimal),
  utilisationPercent: may(vaultState.fields.utilisation, decimal),
  yearlyPercent: may(vaultState.fields.yearly, decimal),
  history: may(vaultState.fields.history, list(vaultPoint)),
  updatedAtMs: may(summary.updatedAt, time),
})

export const VaultAnswer = schemaOf(inside(vaultState.fields.vault, vault))

const record = liquidationRecord.fields

const liquidation = objectReader({
  id: may(record.id, text),
  pairId: may(['pair_id', 'market_id'], wholeNumber),
  symbol: may(summary.symbol, text),
  // Of the position that was closed.
  side: may(['side', 'direction'], word<'long' | 'short'>(['long', 'short'], { buy: 'long', sell: 'short' })),
  size: may(record.size, decimal),
  price: may(record.price, decimal),
  valueUsdc: may(record.value, decimal),
  wallet: may(record.wallet, text),
  txHash: may(['tx_hash', 'transaction_hash', 'hash'], text),
  atMs: may(record.at, time),
})

/** Newest first; those without a time at the end. */
export const LiquidationList = schemaOf((value, complain) => {
  const found = listUnder(record.liquidations, liquidation)(value, complain)
  return found && { liquidations: found.sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0)) }
})
