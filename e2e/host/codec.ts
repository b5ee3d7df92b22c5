export interface Codec {
  encode(value: unknown): string
  decode(text: string): unknown
}

type Tagged = { $: string; v?: unknown; t?: string; n?: string; m?: string; k?: string | undefined; c?: unknown }

/**
 * Converts structured-clone values to JSON text and back. Node runs this function, and pages run its source text, so it must not use anything outside
 * itself. `encode` accepts only values that have passed through `structuredClone`, which turns class instances into plain objects.
 */
export function makeCodec(): Codec {
  const inNode = typeof Buffer !== 'undefined'
  const NATIVE_ERRORS = ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']
  const globals = globalThis as unknown as Record<string, new (...parameters: unknown[]) => object>

  const bytesToText = (bytes: Uint8Array): string =>
    inNode ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') : (bytes as unknown as { toBase64(): string }).toBase64()
  const bytesFromText = (text: string): Uint8Array =>
    inNode ? new Uint8Array(Buffer.from(text, 'base64')) : (Uint8Array as unknown as { fromBase64(text: string): Uint8Array }).fromBase64(text)

  function encodeNumber(value: number): unknown {
    if (Object.is(value, -0)) return { $: 'number', v: '-0' }
    return Number.isFinite(value) ? value : { $: 'number', v: String(value) }
  }

  function encode(value: unknown, seen: Map<object, number>): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number') return encodeNumber(value)
    if (typeof value === 'undefined') return { $: 'undefined' }
    if (typeof value === 'bigint') return { $: 'bigint', v: String(value) }
    if (typeof value !== 'object') throw new DOMException('An object could not be cloned.', 'DataCloneError')
    const earlier = seen.get(value)
    if (earlier !== undefined) return { $: 'seen', v: earlier }
    seen.set(value, seen.size)
    return encodeObject(value, seen)
  }

  function encodeObject(value: object, seen: Map<object, number>): unknown {
    if (Array.isArray(value)) return Array.from(value, (item) => encode(item, seen))
    if (ArrayBuffer.isView(value)) {
      const name = inNode && Buffer.isBuffer(value) ? 'Uint8Array' : value.constructor.name
      return { $: 'bytes', t: name, v: bytesToText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
    }
    if (value instanceof ArrayBuffer) return { $: 'bytes', t: 'ArrayBuffer', v: bytesToText(new Uint8Array(value)) }
    if (value instanceof Date) return { $: 'date', v: encodeNumber(value.getTime()) }
    if (value instanceof RegExp) return { $: 'regexp', v: [value.source, value.flags] }
    if (value instanceof Map) return { $: 'map', v: Array.from(value, ([key, item]) => [encode(key, seen), encode(item, seen)]) }
    if (value instanceof Set) return { $: 'set', v: Array.from(value, (item) => encode(item, seen)) }
    if (value instanceof Error)
      return { $: 'error', n: value.name, m: value.message, k: value.stack, c: 'cause' in value ? encode(value.cause, seen) : undefined }
    if (Object.prototype.toString.call(value) !== '[object Object]')
      throw new DOMException(`stand-in: ${value.constructor.name} is not implemented`, 'DataCloneError')
    const entries = Object.entries(value)
    if (entries.some(([key]) => key === '$' || key === '__proto__')) return { $: 'entries', v: entries.map(([key, item]) => [key, encode(item, seen)]) }
    return Object.fromEntries(entries.map(([key, item]) => [key, encode(item, seen)]))
  }

  function decode(value: unknown, seen: unknown[]): unknown {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) {
      const items: unknown[] = []
      seen.push(items)
      for (const item of value) items.push(decode(item, seen))
      return items
    }
    if (!('$' in value)) {
      const object: Record<string, unknown> = {}
      seen.push(object)
      for (const [key, item] of Object.entries(value)) object[key] = decode(item, seen)
      return object
    }
    return decodeTagged(value as Tagged, seen)
  }

  function decodeTagged(tagged: Tagged, seen: unknown[]): unknown {
    if (tagged.$ === 'number') return Number(tagged.v)
    if (tagged.$ === 'undefined') return undefined
    if (tagged.$ === 'bigint') return BigInt(tagged.v as string)
    if (tagged.$ === 'seen') return seen[tagged.v as number]
    const place = seen.push(null) - 1
    function put<T>(object: T): T {
      seen[place] = object
      return object
    }
    const pairs = tagged.v as [unknown, unknown][]
    switch (tagged.$) {
      case 'bytes': {
        const bytes = bytesFromText(tagged.v as string)
        const View = globals[tagged.t ?? '']
        if (tagged.t === 'Uint8Array') return put(bytes)
        return put(tagged.t === 'ArrayBuffer' || View === undefined ? bytes.buffer : new View(bytes.buffer))
      }
      case 'date':
        return put(new Date(decode(tagged.v, seen) as number))
      case 'regexp':
        return put(new RegExp(...(tagged.v as [string, string])))
      case 'map': {
        const map = put(new Map<unknown, unknown>())
        for (const [key, item] of pairs) map.set(decode(key, seen), decode(item, seen))
        return map
      }
      case 'set': {
        const set = put(new Set<unknown>())
        for (const item of tagged.v as unknown[]) set.add(decode(item, seen))
        return set
      }
      case 'error': {
        const Native = (NATIVE_ERRORS.includes(tagged.n ?? '') ? globals[tagged.n ?? ''] : undefined) ?? globals.Error
        const error = put(new (Native as ErrorConstructor)(tagged.m))
        if (tagged.k !== undefined) error.stack = tagged.k
        if (tagged.c !== undefined) error.cause = decode(tagged.c, seen)
        return error
      }
      case 'entries': {
        const object = put({})
        for (const [key, item] of pairs)
          Object.defineProperty(object, key as string, { value: decode(item, seen), writable: true, enumerable: true, configurable: true })
        return object
      }
      default:
        throw new Error(`codec: unknown tag ${tagged.$}`)
    }
  }

  return { encode: (value) => JSON.stringify(encode(value, new Map())), decode: (text) => decode(JSON.parse(text), []) }
}
