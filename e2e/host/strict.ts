import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'

/** JavaScript reads `then` and `toJSON` of any object, in `await` and `JSON.stringify`. Reading them must return undefined, not throw. */
const PROBES = new Set(['then', 'toJSON'])

/** Throws the error that every unsupported part of Electron’s API throws. */
export function notImplemented(what: string): never {
  throw new Error(`stand-in: ${what} is not implemented`)
}

function readOrRefuse(label: string, target: object, key: string | symbol, receiver: unknown): unknown {
  if (typeof key === 'symbol' || key in target || PROBES.has(key)) return Reflect.get(target, key, receiver)
  return notImplemented(`${label}.${key}`)
}

/** Returns a proxy of the object that throws when a missing member is read. As in other tests of Electron apps, members can be replaced. */
export function strict<T extends object>(label: string, target: T): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value = readOrRefuse(label, object, key, object)
      // Binds methods to the original object, because private fields are not accessible through a proxy.
      return typeof value === 'function' && !Object.hasOwn(object, key) && key !== 'constructor' ? value.bind(object) : value
    },
  })
}

/** Returns a placeholder for an unsupported Electron module. Reading, calling or constructing it throws. */
export function absent(label: string): never {
  // A normal function, because arrow functions cannot be constructed: `new` would throw JavaScript’s own error instead of `notImplemented`’s.
  const refuse = function refuse() {
    return notImplemented(label)
  }
  const placeholder = new Proxy(refuse, {
    get: (target, key, receiver) => (typeof key === 'symbol' || PROBES.has(key) ? Reflect.get(target, key, receiver) : notImplemented(`${label}.${key}`)),
    construct: refuse,
  })
  // The type `never` prevents code in e2e/host from using the placeholder. The app sees Electron’s own types.
  return placeholder as never
}

/**
 * Base class of every API object that emits events. Reading an unknown member throws. Adding a listener for an event that the class never emits also
 * throws, because such a listener could let a test pass wrongly.
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

  /** Replaces Node’s default printing, which reads many members and would throw at the first unknown one. */
  [inspect.custom](): string {
    return `[${(this.constructor as typeof StrictEmitter).label}]`
  }

  #check(name: string | symbol): void {
    const { label, emits } = this.constructor as typeof StrictEmitter
    if (typeof name === 'string' && !emits.has(name) && name !== 'newListener' && name !== 'removeListener') notImplemented(`the event '${name}' of ${label}`)
  }
}

// The proxy that throws for unknown members is the last object in the prototype chain. A proxy around the instance itself would break private fields.
Object.setPrototypeOf(
  StrictEmitter.prototype,
  new Proxy(EventEmitter.prototype, {
    get: (target, key, receiver) => readOrRefuse(String((receiver?.constructor as typeof StrictEmitter | undefined)?.label), target, key, receiver),
  }),
)

/** An event whose default action a listener may prevent. */
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
