import { formatUnits } from 'viem'

export interface MarketName {
  readonly symbol: string
  readonly priceDecimals: number
}

export const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/**
 * Formats an integer with `decimals` implied decimals for people: with 6, `25000000000` becomes `25,000.00`.
 * Shows at least `shown` decimals, and all further decimals that are not zero, so the value is never rounded.
 */
export function amountText(units: bigint, decimals: number, shown: number): string {
  const [whole = '0', fraction = ''] = formatUnits(units, decimals).split('.')
  const padded = fraction.padEnd(shown, '0')
  return padded === '' ? grouped(whole) : `${grouped(whole)}.${padded}`
}

/** Formats a time as local time. Includes the date unless the time is less than a day away. */
export function momentText(unixSeconds: bigint, nowMs: number): string {
  const ms = Number(unixSeconds) * 1_000
  const moment = new Date(ms)
  if (Number.isNaN(moment.getTime())) return String(unixSeconds)
  const time = moment.toLocaleTimeString('en-GB')
  if (Math.abs(ms - nowMs) < 86_400_000) return time
  return `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })}, ${time}`
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Formats a value of typed data of which only the Solidity type is known. An address stays whole, because the user compares it with the app's. */
export function plainText(value: unknown, type: string): string {
  if (type === 'bool') return value === true || value === 'true' ? 'Yes' : 'No'
  if (/^u?int\d*$/.test(type) && /^\d+$/.test(String(value))) return grouped(String(value))
  return rawText(value)
}

export const rawText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))
