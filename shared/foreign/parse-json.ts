/** A number that `JSON.parse` may round: 16 digits or more in a row. Anything shorter is exact as a double. */
const longDigits = /\d{16}|\d\.\d{13}/

/** Of V8's reviver; the library's types do not know it yet. */
interface SourceContext {
  readonly source?: string
}

/** Numbers whose text a double cannot give back keep their text; the readers take either. */
function exact(_name: string, value: unknown, context?: SourceContext): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : source
  return source.replace(/[^\d]/g, '').length > 15 ? source : value
}

/**
 * JSON, with every digit of its numbers: integers beyond 2^53 and decimals of more than 15 digits come as text.
 * undefined: not JSON. Nesting that the reviver cannot follow counts as not JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return longDigits.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    return undefined
  }
}
