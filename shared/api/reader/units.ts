/** The unit of an amount: USDC or the base asset. Where a denomination is null, the amount may be in units of a token. */
export type Denomination = 'usdc' | 'base'
export type RatioUnit = 'percent' | 'fraction' | 'bps' | 'ppm'

/** The unit of a number, as far as its name or a neighbouring field states it. null: not stated. */
export interface Unit {
  readonly denomination: Denomination | null
  readonly ratio: RatioUnit | null
  /** Number of decimals by which an integer is scaled: 6 for `_e6`. */
  readonly scale: number | null
  /** The hours of a rate's period: 8 for a rate per 8 hours. */
  readonly hours: number | null
  /** true if the number is in cents (hundredths of USDC), with or without a decimal point. */
  readonly cents: boolean
}

export const noUnit: Unit = { denomination: null, ratio: null, scale: null, hours: null, cents: false }

/**
 * The kind of value that a name describes. It decides which words are a unit: a final `s` means seconds in the name of a time, but not in the name
 * of a size.
 */
export type Family = 'plain' | 'time' | 'amount' | 'ratio'

const denominations: Readonly<Record<string, Denomination>> = {
  usdc: 'usdc',
  usd: 'usdc',
  usdt: 'usdc',
  dollar: 'usdc',
  quote: 'usdc',
  base: 'base',
  coin: 'base',
}
const ratios: Readonly<Record<string, RatioUnit>> = {
  pct: 'percent',
  percent: 'percent',
  percentage: 'percent',
  perc: 'percent',
  bps: 'bps',
  bp: 'bps',
  bip: 'bps',
  fraction: 'fraction',
  frac: 'fraction',
  ppm: 'ppm',
}
/** Words for amounts that are always in USDC. */
const inUsdc: ReadonlySet<string> = new Set(['notional', 'turnover'])
const scales: Readonly<Record<string, number>> = { milli: 3, micro: 6, nano: 9, gwei: 9, wei: 18, atto: 18 }
const periods: Readonly<Record<string, number>> = {
  '1h': 1,
  hourly: 1,
  hour: 1,
  '4h': 4,
  '8h': 8,
  '24h': 24,
  '1d': 24,
  daily: 24,
  day: 24,
  yearly: 8_760,
  year: 8_760,
  '1y': 8_760,
}
export const timeWords: ReadonlySet<string> = new Set([
  'at',
  'on',
  'time',
  'date',
  'unix',
  'epoch',
  'utc',
  'iso',
  's',
  'sec',
  'second',
  'ms',
  'milli',
  'millis',
  'millisecond',
  'msec',
  'us',
  'usec',
  'micro',
  'microsecond',
  'ns',
  'nsec',
  'nano',
  'nanosecond',
]) // prettier-ignore
/** Words for units in which the app reads no numbers. */
const otherUnits: ReadonlySet<string> = new Set(['minute', 'week', 'month', 'raw'])
/** Words that add no meaning to the name of an amount. */
const amountFillers: ReadonlySet<string> = new Set(['amount', 'in'])

/** Length of the longest word such as `1e18`. */
const longestScale = 4

const scaleIn = (word: string): number | null => {
  const written = word.length > longestScale ? null : /^1?[ex](\d{1,2})$/.exec(word)
  const digits = written === null ? (Object.hasOwn(scales, word) ? scales[word] : undefined) : Number(written[1])
  return digits === undefined || digits > 30 ? null : digits
}

/**
 * Whether a word is a period, such as `1h` or `hour`. In the name of a rate, the period is part of the unit; in "24h change", it is part of the
 * field's meaning.
 */
const isPeriod = (word: string): boolean => Object.hasOwn(periods, word)

/** Whether a word in a field's name states the unit of the value. The name of a coin counts as a unit. */
export const saysUnit = (word: string): boolean =>
  word !== 'coin' &&
  (scaleIn(word) !== null || Object.hasOwn(denominations, word) || Object.hasOwn(ratios, word) || isPeriod(word) || timeWords.has(word) || otherUnits.has(word))

/** Splits the words of a name into its unit and its other words (`rest`). If all words mean a unit, `rest` contains all words. */
export function unitIn(words: readonly string[], family: Family, rate = false): { readonly unit: Unit; readonly rest: readonly string[] } {
  if (family === 'plain') return { unit: noUnit, rest: words }
  let { denomination, ratio, scale, hours, cents } = noUnit
  const rest: string[] = []
  const fillers: string[] = []
  for (const word of words) {
    if (family === 'time') {
      if (!timeWords.has(word)) rest.push(word)
      continue
    }
    const digits = scaleIn(word)
    if (digits !== null) scale = digits
    else if (family === 'amount' && word === 'cent') cents = true
    else if (family === 'amount' && Object.hasOwn(denominations, word)) denomination = denominations[word] ?? null
    else if (family === 'ratio' && Object.hasOwn(ratios, word)) ratio = ratios[word] ?? null
    else if (rate && isPeriod(word)) hours = periods[word] ?? null
    else (family === 'amount' && amountFillers.has(word) ? fillers : rest).push(word)
  }
  if (rest.length === 0) rest.push(...fillers)
  if (family === 'amount' && (cents || rest.some((word) => inUsdc.has(word)))) denomination ??= 'usdc'
  if (rest.length > 0) return { unit: { denomination, ratio, scale, hours, cents }, rest }
  // The name consists only of a unit. A name such as `ms` means that the value is a time.
  return { unit: noUnit, rest: family === 'time' ? ['time'] : words }
}

/** Parses the unit from a property beside a number, for example `"unit": "usdc_e6"` or `"currency": "USDC"`. */
export function unitOfText(words: readonly string[]): Unit {
  let { denomination, ratio, scale, hours, cents } = noUnit
  for (const word of words) {
    cents ||= word === 'cent'
    scale = scaleIn(word) ?? scale
    if (Object.hasOwn(denominations, word)) denomination = denominations[word] ?? null
    if (Object.hasOwn(ratios, word)) ratio = ratios[word] ?? null
    if (isPeriod(word)) hours = periods[word] ?? null
  }
  return { denomination: cents ? (denomination ?? 'usdc') : denomination, ratio, scale, hours, cents }
}

/** Combines two statements about the same unit. null if they contradict each other. */
export function joinUnits(known: Unit, more: Unit): Unit | null {
  const joined = {
    denomination: known.denomination ?? more.denomination,
    ratio: known.ratio ?? more.ratio,
    scale: known.scale ?? more.scale,
    hours: known.hours ?? more.hours,
    cents: known.cents || more.cents,
  }
  const differs = (one: unknown, other: unknown): boolean => one !== null && other !== null && one !== other
  const clash =
    differs(known.denomination, more.denomination) || differs(known.ratio, more.ratio) || differs(known.scale, more.scale) || differs(known.hours, more.hours)
  return clash ? null : joined
}

/** Words in the names of properties that state the unit of other properties. */
export const unitWord: ReadonlySet<string> = new Set(['unit', 'denomination', 'currency', 'ccy'])

/** Times from 2001-01-01 to 2262-01-01. In this range, a number's size shows whether it is seconds, milliseconds, microseconds or nanoseconds. */
const earliestMs = 978_307_200_000
const latestMs = 9_214_646_400_000

/** The value for "no end", for example the expiry of a key that never expires. */
export const never = Symbol('never')

const neverWords: ReadonlySet<string> = new Set(['never', 'none', 'no', 'unlimited', 'infinite', 'infinity', 'forever', 'null', 'n/a', '-', ''])
/** The largest int64 value, the time in 2262 that it means in nanoseconds, and the year 9999, all approximate. Services use them for "no end". */
const int64Digits = 9_223_372_036_854_775_000
const int64Ms = int64Digits / 1_000_000
const year9999Ms = 253_370_764_800_000

const within = (ms: number): number | undefined => (ms >= earliestMs && ms < latestMs ? Math.round(ms) : undefined)

function fromNumber(value: number): number | typeof never | undefined {
  if (value === 0 || value === -1) return never
  if (!Number.isFinite(value) || value < 0) return undefined
  for (const ms of [value * 1_000, value, value / 1_000, value / 1_000_000]) {
    const found = within(ms)
    if (found !== undefined) return found
  }
  const isEnd = (ms: number) => (ms >= latestMs && ms <= int64Ms) || Math.abs(ms - year9999Ms) < 32_000_000_000
  return value >= int64Digits || [1_000, 1, 0.001, 0.000_001].some((factor) => isEnd(value * factor)) ? never : undefined
}

/** Matches the form in which most services write times. A year that may mean "no end" is not among them. */
const usual = /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

/**
 * Parses RFC 3339, and the date format of HTTP headers. Without an offset it assumes UTC, because `Date.parse` would use the computer's time zone.
 */
function fromText(text: string): number | typeof never | undefined {
  if (text.length > 40) return undefined
  if (usual.test(text)) return within(Date.parse(text))
  if (neverWords.has(text.toLowerCase())) return never
  if (/^-?\d+(\.\d+)?$/.test(text)) return fromNumber(Number(text))
  if (/^(0000|0001|9999)-/.test(text)) return never
  const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/.test(text)
    ? `${text.replace(' ', 'T').replace(',', '.')}Z`
    : text.replace(
        /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})$/i,
        (_, day, clock, zone) => `${day}T${clock}${/utc/i.test(zone) ? 'Z' : zone}`,
      )
  const isTime = /^\d{4}-\d{2}-\d{2}/.test(zoned) || /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(zoned)
  return isTime ? within(Date.parse(zoned)) : undefined
}

/**
 * Parses a time in any unit to Unix milliseconds. Returns `never` for "no end" in any spelling. `undefined` if the value is not a time, or lies
 * outside 2001 to 2262.
 */
export function readTime(value: unknown): number | typeof never | undefined {
  if (typeof value === 'string') return fromText(value.trim())
  return typeof value === 'number' ? fromNumber(value) : undefined
}
