import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'

/** `await`, `JSON.stringify` and the like probe any object for these members, so reading them returns undefined instead of throwing. */
const PROBES = new Set(['then', 'toJSON'])

/** Throws the same error for every part of Electron’s API that this replacement for Electron lacks. */
export function notImplemented(what: string): never {
  throw new Error(`stand-in: ${what} is not implemented`)
}

function readOrRefuse(label: string, target: object, key: string | symbol, receiver: unknown): unknown {
  if (typeof key === 'symbol' || key in target || PROBES.has(key)) return Reflect.get(target, key, receiver)
  return notImplemented(`${label}.${key}`)
}

/** Returns the object, but reading a missing member throws. Members can be replaced, as tests of Electron apps do. */
export function strict<T extends object>(label: string, target: T): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value = readOrRefuse(label, object, key, object)
      // Binds methods to the object itself: called on the proxy, they could not use the object’s private fields.
      return typeof value === 'function' && !Object.hasOwn(object, key) && key !== 'constructor' ? value.bind(object) : value
    },
  })
}

/** Replaces an Electron module that the tests do not support: reading, calling or constructing it throws. */
export function absent(label: string): never {
  // Not an arrow function, because those cannot be constructed: then `new` would throw JavaScript’s error instead of notImplemented’s.
  const refuse = function refuse() {
    return notImplemented(label)
  }
  const placeholder = new Proxy(refuse, {
    get: (target, key, receiver) => (typeof key === 'symbol' || PROBES.has(key) ? Reflect.get(target, key, receiver) : notImplemented(`${label}.${key}`)),
    construct: refuse,
  })
  // Typed `never`, so that no code in e2e/host can use the placeholder by mistake. The app sees Electron’s own types.
  return placeholder as never
}

/**
 * Base class of every API object that emits events. Reading an unknown member throws. Listening to an event that this class never emits throws,
 * too, because a listener that is never called could make a test pass for the wrong reason.
 */
export class StrictEmitter extends EventEmitter {
  static label = 'object'
  static emits: ReadonlySet<string> = new Set()

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  override on(name: string | symbol, listener: (...parameters: never[]) => void): this {
    this.#check(name)
    return super.on(name, listener as (...parameters: unknown[]) => void)
  }

  override once(name: string | symbol, listener: (...parameters: never[]) => void): this {
    this.#check(name)
    return super.once(name, listener as (...parameters: unknown[]) => void)
  }

  override addListener(name: string | symbol, listener: (...parameters: never[]) => void): this {
    return this.on(name, listener)
  }

  /** Replaces how Node prints the object: the default reads many members, and reading an unknown one throws. */
  [inspect.custom](): string {
    return `[${(this.constructor as typeof StrictEmitter).label}]`
  }

  #check(name: string | symbol): void {
    const { label, emits } = this.constructor as typeof StrictEmitter
    if (typeof name === 'string' && !emits.has(name) && name !== 'newListener' && name !== 'removeListener') notImplemented(`the event '${name}' of ${label}`)
  }
}

// The proxy that refuses unknown members comes last in the prototype chain. Wrapped around the instance itself, it would break private fields.
Object.setPrototypeOf(
  StrictEmitter.prototype,
  new Proxy(EventEmitter.prototype, {
    get: (target, key, receiver) => readOrRefuse(String((receiver?.constructor as typeof StrictEmitter | undefined)?.label), target, key, receiver),
  }),
)

/** An event that a listener may prevent. */
export interface Preventable {
  readonly defaultPrevented: boolean
  preventDefault(): void
}

export function makeEvent<T extends object>(members?: T): T & Preventable {
  let prevented = false
  return Object.defineProperties(
    {
      ...members,
      preventDefault: () => {
        prevented = true
      },
    },
    { defaultPrevented: { get: () => prevented, enumerable: true } },
  ) as T & Preventable
}
