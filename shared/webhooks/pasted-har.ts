import { fail, ok, type Result } from '../result.ts'
import type { PastedDelivery } from './pasted.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function bytesOf({ text, encoding }: Record<string, unknown>): Uint8Array | null {
  if (typeof text !== 'string') return null
  if (encoding !== 'base64') return new TextEncoder().encode(text)
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** One entry's request; null: no POST, or without its body. */
function readEntry(entry: unknown): PastedDelivery | null {
  if (!isRecord(entry) || !isRecord(entry.request)) return null
  const { method, url, headers, postData } = entry.request
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST' || !isRecord(postData)) return null
  const bytes = bytesOf(postData)
  if (bytes === null) return null
  const named = Array.isArray(headers) ? headers.filter(isRecord) : []
  return {
    title: `POST ${typeof url === 'string' ? url : ''}`.trim(),
    headers: named.flatMap(({ name, value }) => (typeof name === 'string' && typeof value === 'string' && !name.startsWith(':') ? [{ name, value }] : [])),
    bodies: [{ bytes, reading: 'pasted' }],
  }
}

/** The POST requests of a HAR, in its order; one entry by itself is taken too. null: this is no HAR. */
export function readPastedHar(text: string): Result<readonly PastedDelivery[], string> | null {
  let value: unknown
  try {
    // A byte order mark counts as a space here.
    value = JSON.parse(text.trim())
  } catch {
    return /"entries"\s*:\s*\[/.test(text) ? fail('This looks like a HAR, but it is not whole: it cannot be read as JSON.') : null
  }
  if (!isRecord(value)) return null
  const entries = isRecord(value.log) && Array.isArray(value.log.entries) ? value.log.entries : isRecord(value.request) ? [value] : null
  if (entries === null) return null
  const found = entries.flatMap((entry) => readEntry(entry) ?? [])
  return found.length === 0 ? fail(`None of the ${entries.length} requests of this HAR is a POST with its body.`) : ok(found)
}
