import { multiply, normalise, roundTo } from '../../../shared/decimal.ts'
import { type Json, NumberText } from './json.ts'

/**
 * How a dialect writes a decimal number. The scaled forms write a whole number and its scale. scaled_name: the scale is in the field's name.
 * scaled_sibling: the scale is in a second field. scaled_object: an object contains the number and the scale.
 */
export type NumberForm = 'text' | 'number' | 'zeros' | 'exponent' | 'scaled_name' | 'scaled_sibling' | 'scaled_object'
export const isScaled = (form: NumberForm): boolean => form.startsWith('scaled')

/** How a dialect writes a time that never comes. For example, the expiry of a key that never expires may be null, zero or a far date. */
export type Never = 'null' | 'zero' | 'minus_one' | 'largest' | 'year_1' | 'year_9999'
export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'utc' | 'offset'

const zeros = 8

function withExponent(value: string): string {
  const isNegative = value.startsWith('-')
  const [whole = '0', fraction = ''] = (isNegative ? value.slice(1) : value).split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return '0e0'
  const leading = whole === '0' ? -(fraction.length - fraction.replace(/^0+/, '').length) - 1 : whole.length - 1
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`
  return `${isNegative ? '-' : ''}${mantissa}e${leading}`
}

const padded = (value: string): string => {
  const [whole = '0', fraction = ''] = value.split('.')
  return `${whole}.${fraction.padEnd(zeros, '0')}`
}

/** Converts a decimal to a whole number with this many implied decimals. Rounds further digits. */
export const scaled = (value: string, decimals: number): string => roundTo(multiply(value, `1${'0'.repeat(decimals)}`), 0)

export function writeDecimal(value: string, form: NumberForm, decimals: number): Json {
  const plain = normalise(value)
  switch (form) {
    case 'text':
      return value
    case 'number':
      return new NumberText(plain)
    case 'zeros':
      return padded(plain)
    case 'exponent':
      return withExponent(plain)
    case 'scaled_name':
    case 'scaled_sibling':
      return scaled(plain, decimals)
    case 'scaled_object':
      return { value: scaled(plain, decimals), decimals }
  }
}

const offsetMs = 2 * 3_600_000

export function writeMoment(atMs: number, unit: TimeUnit, asText: boolean): Json {
  const number = (text: string) => (asText ? text : new NumberText(text))
  switch (unit) {
    case 's':
      // The time becomes a number of seconds, which has a fraction unless the time is a whole second.
      return number(normalise(multiply(atMs.toString(), '0.001')))
    case 'ms':
      return number(atMs.toString())
    case 'us':
      return number(`${atMs}000`)
    case 'ns':
      return number(`${atMs}000000`)
    case 'utc':
      return new Date(atMs).toISOString()
    case 'offset':
      return new Date(atMs + offsetMs).toISOString().replace('Z', '+02:00')
  }
}

export function writeNever(never: Never, asText: boolean): Json {
  const number = (text: string) => (asText ? text : new NumberText(text))
  switch (never) {
    case 'null':
      return null
    case 'zero':
      return number('0')
    case 'minus_one':
      return number('-1')
    case 'largest':
      return number('9223372036854775807')
    case 'year_1':
      return '0001-01-01T00:00:00Z'
    case 'year_9999':
      return '9999-12-31T23:59:59Z'
  }
}

export type CaseStyle = 'snake' | 'camel' | 'pascal' | 'kebab'

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** Joins the words of a name (in lower case) in the given case style. */
export function spelled(words: readonly string[], style: CaseStyle): string {
  switch (style) {
    case 'snake':
      return words.join('_')
    case 'kebab':
      return words.join('-')
    case 'camel':
      return words.map((word, index) => (index === 0 ? word : capital(word))).join('')
    case 'pascal':
      return words.map(capital).join('')
  }
}
