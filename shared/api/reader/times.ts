/** 2001-01-01 up to 2262-01-01: within it, seconds, milliseconds, microseconds and nanoseconds cannot be taken for each other. */
const earliestMs = 978_307_200_000
const latestMs = 9_214_646_400_000

/** The time never comes. */
export const never = Symbol('never')

const neverWords: ReadonlySet<string> = new Set(['never', 'none', 'no', 'unlimited', 'infinite', 'infinity', 'forever', 'null', 'n/a', '-', ''])
/** int64, uint64, and the year 9999 in all units. */
const int64Digits = 9_223_372_036_854_775_000
const year9999Ms = 253_370_764_800_000

const within = (ms: number): number | undefined => (ms >= earliestMs && ms < latestMs ? Math.round(ms) : undefined)

function fromNumber(value: number): number | typeof never | undefined {
  if (value === 0 || value === -1) return never
  if (!Number.isFinite(value) || value < 0) return undefined
  for (const ms of [value * 1_000, value, value / 1_000, value / 1_000_000]) {
    const found = within(ms)
    if (found !== undefined) return found
  }
  // The year 9999 and the largest number that fits are what services write for "no end".
  const isEnd = value >= int64Digits || [1_000, 1, 0.001, 0.000_001].some((factor) => Math.abs(value * factor - year9999Ms) < 32_000_000_000)
  return isEnd ? never : undefined
}

/** RFC 3339, with an offset or without: then it is UTC, since `Date.parse` would take the computer's own zone. Also the form of HTTP headers. */
function fromText(text: string): number | typeof never | undefined {
  if (text.length > 40) return undefined
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

/** A time as Unix milliseconds, whatever its unit; `never` for what services write where there is none. undefined: not a time, or outside 2001 to 2262. */
export function readTime(value: unknown): number | typeof never | undefined {
  if (typeof value === 'string') return fromText(value.trim())
  return typeof value === 'number' ? fromNumber(value) : undefined
}
