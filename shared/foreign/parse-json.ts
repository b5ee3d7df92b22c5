import { bare } from './bare.ts'
import { endBefore, endOfText, type Foreign } from './foreign.ts'

export interface JsonBounds {
  /** Maximum depth of lists and objects. Values nested deeper are replaced by the text `deeper`. */
  readonly deepest: number
  readonly deeper: string
  /** The maximum number of lists, objects and members in the JSON, counted together. */
  readonly mostValues: number
}

const unbounded: JsonBounds = { deepest: Number.POSITIVE_INFINITY, deeper: '', mostValues: Number.POSITIVE_INFINITY }

/**
 * Parses JSON and keeps every digit of its numbers: integers beyond 2^53 and decimals with more than 15 digits become text. `undefined` if the text
 * is not JSON or exceeds a limit. For a long text, one pass over it checks the limits before `JSON.parse`, without recursion. It takes linear time,
 * about 7 ms for a million characters.
 */
export function parseJson(text: string, bounds = unbounded): unknown {
  if (!begins.test(text)) return undefined
  // A text of `n` characters has fewer than `n` values.
  if (text.length <= Math.min(shortText, bounds.mostValues) && !longNumber.test(text)) {
    const value = parsed(text)
    if (value !== undefined && !isDeeper(value, bounds.deepest)) return value
  }
  const prepared = prepare(text, bounds)
  return prepared === null ? undefined : parsed(prepared)
}

/** Most answers are shorter. For them, looking at the parsed value is faster than looking at each character. */
const shortText = 65_536

/**
 * Matches every number with more digits than a JavaScript number preserves, and some other texts. Written out 16 times, because the search then skips
 * most characters.
 */
const longNumber = new RegExp(`\\d${'[\\d.eE+-]'.repeat(15)}`)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether lists and objects are nested deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (levels === Number.POSITIVE_INFINITY) return false
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (typeof item === 'object' && isDeeper(item, levels - 1)) return true
    return false
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const name in fields) {
    const inner = fields[name]
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
  }
  return false
}

/** Matches the beginning of JSON text. Text with any other first character is not JSON. */
const begins = /^\s*["[{\-\dtfn]/
const [quote, comma, colon, minus, zero, nine] = [0x22, 0x2c, 0x3a, 0x2d, 0x30, 0x39]
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d]

const codesOf = (signs: string): ReadonlySet<number> => new Set([...signs].map((sign) => sign.charCodeAt(0)))
const letters = codesOf('truefalsn')
const [space, newLine, carriageReturn, tab] = [0x20, 0x0a, 0x0d, 0x09]
const isSpace = (code: number): boolean => code === space || code === newLine || code === carriageReturn || code === tab

const isDigit = (code: number): boolean => code >= zero && code <= nine

/** Returns the same JSON with long numbers in quotes, cut at the maximum depth. null if it has too many values, or is not complete JSON. */
function prepare(text: string, { deepest, deeper, mostValues }: JsonBounds): string | null {
  let [depth, values, keptFrom, cutFrom] = [0, 0, 0, 0]
  const kept = createPieces()
  const put = (from: number, to: number, before: string, inside: string, after: string) => {
    kept.add(text.slice(keptFrom, from), before, inside, after)
    keptFrom = to
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    switch (code) {
      case quote:
        at = endOfText(text, at + 1)
        break
      case openList:
      case openObject:
        depth += 1
        if (depth <= deepest) values += 1
        if (depth === deepest + 1) cutFrom = at
        // The rest of the text is too short to close all lists and objects.
        if (depth >= text.length - at) return null
        break
      case closeList:
      case closeObject:
        if (depth === deepest + 1) put(cutFrom, at + 1, '"', deeper, '"')
        depth -= 1
        break
      case comma:
        if (depth <= deepest) values += 1
        break
      case colon:
        break
      case space:
      case newLine:
      case carriageReturn:
      case tab:
        at = endOfSpaces(text, at) - 1
        break
      default: {
        if (code === minus && !isDigit(text.charCodeAt(at + 1))) return null
        if (code !== minus && !isDigit(code)) {
          // JSON does not allow this character outside strings. So the text is not JSON, and the parser stops here.
          if (!letters.has(code)) return null
          break
        }
        const { end, isInexact } = numberAt(text, at)
        if (isInexact && depth <= deepest && !isName(text, end)) put(at, end, '"', text.slice(at, end), '"')
        if (letters.has(text.charCodeAt(end))) return null
        at = end - 1
      }
    }
    if (values > mostValues) return null
  }
  if (depth > deepest) return null
  return keptFrom === 0 ? text : kept.whole(text.slice(keptFrom))
}

/**
 * The number of collected text pieces at which the parser joins them into one string. Otherwise, hundreds of thousands of pieces would slow down
 * garbage collection.
 */
const joinedAtOnce = 4_096

function createPieces() {
  let [pieces, joined]: [string[], string[]] = [[], []]
  return {
    add: (...more: readonly string[]) => {
      pieces.push(...more)
      if (pieces.length < joinedAtOnce) return
      joined.push(pieces.join(''))
      pieces = []
    },
    whole: (last: string) => [...joined, ...pieces, last].join(''),
  }
}

/**
 * Whether a colon follows the text that ends at `end`, so that the text is a member name. The parser must not put quotes around a number in this
 * place, because quotes would turn invalid JSON into valid JSON.
 */
function isName(text: string, end: number): boolean {
  return text.charCodeAt(endOfSpaces(text, end)) === colon
}

const [point, plus, upperE, lowerE] = [0x2e, 0x2b, 0x45, 0x65]

/** Almost every number and every indentation is shorter. For them, a loop is faster than a search. */
const shortRun = 32

const noDigit = /\D/g
function endOfDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) {
    at += 1
    if (at - from === shortRun) return endBefore(noDigit, text, at)
  }
  return at
}

const noSpace = /[^ \n\r\t]/g
function endOfSpaces(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) {
    at += 1
    if (at - from === shortRun) return endBefore(noSpace, text, at)
  }
  return at
}

interface ReadNumber {
  readonly end: number
  /** Whether a JavaScript number might lose some digits of the number in the text. */
  readonly isInexact: boolean
}

/** Reads the JSON number at this position. Leaves an invalid number unchanged, so that `JSON.parse` refuses it. */
function numberAt(text: string, from: number): ReadNumber {
  const first = text.charCodeAt(from) === minus ? from + 1 : from
  const whole = endOfDigits(text, first)
  const part = text.charCodeAt(whole) === point ? endOfDigits(text, whole + 1) : whole
  let end = part
  let power = part
  const letter = text.charCodeAt(part)
  if (letter === lowerE || letter === upperE) {
    const sign = text.charCodeAt(part + 1)
    power = sign === plus || sign === minus ? part + 2 : part + 1
    end = endOfDigits(text, power)
  }
  const digits = whole - first + Math.max(0, part - whole - 1) + (end - power)
  if (digits <= exactDigits) return { end: Math.max(end, from + 1), isInexact: false }
  const isNumber = whole > first && (text.charCodeAt(first) !== zero || whole === first + 1) && part !== whole + 1 && (end === part || end > power)
  const isWhole = end === whole
  return { end, isInexact: isNumber && !(isWhole && digits === exactDigits + 1 && Number.isSafeInteger(Number(text.slice(from, end)))) }
}

/** A JavaScript number preserves at least this many digits. */
const exactDigits = 15

/** Maximum depth of lists and objects. Values nested deeper are replaced by the text `deeper`. */
export const deepest = 64
export const deeper = '[deeper]'
/**
 * The maximum number of lists, objects and members in the JSON, counted together. The longest documented list, 50,000 candles, contains about 400,000
 * (Public routes).
 */
export const mostValues = 500_000

/**
 * Parses JSON from another party. Keeps every digit of numbers, like `parseJson`. Never throws, and the result is never nested deeper than
 * `deepest`. `undefined` if the text is not JSON, or has more than `mostValues`. Takes linear time, without recursion.
 */
export const readJson = (text: Foreign<string>): unknown => parseJson(bare(text), { deepest, deeper, mostValues })
