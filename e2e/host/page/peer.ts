/** A value passed from one JavaScript world of a document to the other. Data is copied; functions and promises are replaced by numbers. */
export type Parcel =
  | { kind: 'data'; value: unknown }
  | { kind: 'function'; id: number }
  | { kind: 'promise'; id: number }
  | { kind: 'list'; items: Parcel[] }
  | { kind: 'object'; entries: [string, Parcel][] }
  /** Refers to a list or object that was already packed at position `place`. Needed because a value may contain itself. */
  | { kind: 'seen'; place: number }

export interface Peer {
  /** Registers a function under a fixed number. The other JavaScript world can then call the function before any value was passed. */
  offer(id: number, implementation: (...parameters: never[]) => unknown): void
  call(id: number, parameters: unknown[]): unknown
}

export type MakePeer = (target: EventTarget, self: string, other: string) => Peer

/**
 * Does what Electron’s contextBridge does: synchronous calls, copied values, and proxies for functions and promises. The two JavaScript worlds
 * communicate through an EventTarget that no script of the page can reach; Blink clones the events’ details. Pages run the source text of this
 * function, so it must not use anything outside itself.
 */
export function makePeer(target: EventTarget, self: string, other: string): Peer {
  const listen = EventTarget.prototype.addEventListener.bind(target)
  const fire = EventTarget.prototype.dispatchEvent.bind(target)
  const implementations = new Map<number, (...parameters: never[]) => unknown>()
  const numbers = new WeakMap<object, number>()
  const proxies = new Map<number, unknown>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (cause: unknown) => void }>()
  let lastNumber = 0
  let answer: { ok: boolean; parcel: Parcel } | undefined

  const tell = (what: string, detail: unknown) => fire(new CustomEvent(`${other}:${what}`, { detail }))
  const isPlain = (value: object) => Object.prototype.toString.call(value) === '[object Object]'

  function numberOf(implementation: (...parameters: never[]) => unknown): number {
    const known = numbers.get(implementation)
    if (known !== undefined) return known
    lastNumber += 1
    numbers.set(implementation, lastNumber)
    implementations.set(lastNumber, implementation)
    return lastNumber
  }

  function pack(value: unknown, seen = new Map<object, number>()): Parcel {
    if (typeof value === 'function') return { kind: 'function', id: numberOf(value as () => unknown) }
    if (value === null || typeof value !== 'object') return { kind: 'data', value }
    if (value instanceof Promise) {
      lastNumber += 1
      const id = lastNumber
      value.then(
        (result) => settle(id, true, result),
        (cause) => settle(id, false, cause),
      )
      return { kind: 'promise', id }
    }
    const place = seen.get(value)
    if (place !== undefined) return { kind: 'seen', place }
    if (Array.isArray(value) || isPlain(value)) seen.set(value, seen.size)
    if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => pack(item, seen)) }
    if (value instanceof DOMException) return { kind: 'data', value: Object.assign(new Error(value.message), { name: value.name }) }
    if (isPlain(value)) return { kind: 'object', entries: Object.entries(value).map(([key, item]) => [key, pack(item, seen)]) }
    return { kind: 'data', value: structuredClone(value) }
  }

  function unpack(parcel: Parcel, seen: unknown[] = []): unknown {
    switch (parcel.kind) {
      case 'function': {
        const known = proxies.get(parcel.id)
        if (known !== undefined) return known
        const proxy = (...parameters: unknown[]) => call(parcel.id, parameters)
        proxies.set(parcel.id, proxy)
        return proxy
      }
      case 'promise':
        return new Promise((resolve, reject) => waiting.set(parcel.id, { resolve, reject }))
      case 'list': {
        const items: unknown[] = []
        seen.push(items)
        for (const item of parcel.items) items.push(unpack(item, seen))
        return items
      }
      case 'seen':
        return seen[parcel.place]
      case 'object': {
        const object = {}
        seen.push(object)
        for (const [key, item] of parcel.entries)
          Object.defineProperty(object, key, { value: unpack(item, seen), enumerable: true, writable: true, configurable: true })
        return object
      }
      default:
        return parcel.value
    }
  }

  function settle(id: number, ok: boolean, result: unknown): void {
    try {
      tell('settled', { id, ok, parcel: pack(result) })
    } catch (cause) {
      tell('settled', { id, ok: false, parcel: pack(cause) })
    }
  }

  function call(id: number, parameters: unknown[]): unknown {
    const detail = { id, parameters: parameters.map((parameter) => pack(parameter)) }
    const outer = answer
    answer = undefined
    tell('call', detail)
    const received = answer as { ok: boolean; parcel: Parcel } | undefined
    answer = outer
    if (received === undefined) throw new Error('An object could not be cloned.')
    const value = unpack(received.parcel)
    if (received.ok) return value
    throw value
  }

  listen(`${self}:call`, (event) => {
    try {
      const { id, parameters } = (event as CustomEvent<{ id: number; parameters: Parcel[] }>).detail
      const implementation = implementations.get(id) as ((...parameters: unknown[]) => unknown) | undefined
      tell('answer', { ok: true, parcel: pack(implementation?.(...parameters.map((parameter) => unpack(parameter)))) })
    } catch (cause) {
      tell('answer', { ok: false, parcel: pack(cause) })
    }
  })
  listen(`${self}:answer`, (event) => {
    answer = (event as CustomEvent<{ ok: boolean; parcel: Parcel }>).detail
  })
  listen(`${self}:settled`, (event) => {
    const { id, ok, parcel } = (event as CustomEvent<{ id: number; ok: boolean; parcel: Parcel }>).detail
    const promise = waiting.get(id)
    waiting.delete(id)
    if (ok) promise?.resolve(unpack(parcel))
    else promise?.reject(unpack(parcel))
  })

  return { offer: (id, implementation) => implementations.set(id, implementation), call }
}
