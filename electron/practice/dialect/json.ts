/** A number that is written to JSON with exactly these digits. A JavaScript number would be rounded. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Json = null | boolean | number | string | NumberText | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Converts a value to JSON. Values that JSON cannot represent become null, as in `JSON.stringify`. */
export function asJson(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' || value instanceof NumberText) return value
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, asJson(inner)] as const])))
  return null
}

export function jsonText(value: Json): string {
  if (value instanceof NumberText) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${jsonText(inner)}`)
    .join(',')}}`
}

/** Parses JSON. An integer that a JavaScript number cannot represent exactly becomes a `NumberText` with its digits. */
export function parseExact(text: string): unknown {
  const keep = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && context?.source !== undefined && /^-?\d+$/.test(context.source)
      ? new NumberText(context.source)
      : value
  // The cast is needed because TypeScript's type lacks the third argument of the reviver, which is newer than the type.
  return JSON.parse(text, keep as (name: string, value: unknown) => unknown)
}
