import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { absent, makeEvent, StrictEmitter, strict } from './strict.ts'

class Lamp extends StrictEmitter {
  static override label = 'lamp'
  static override emits: ReadonlySet<string> = new Set(['lit'])
  readonly #power = 5
  get power(): number {
    return this.#power
  }
}

class Counter {
  #count = 0
  add(): number {
    this.#count += 1
    return this.#count
  }
}

test('on the stand-in for Electron, an event emitter throws when a missing member is read, and returns an existing member', () => {
  const lamp = new Lamp()
  expect(lamp.power).toBe(5)
  expect(() => Reflect.get(lamp, 'dim')).toThrow('stand-in: lamp.dim is not implemented')
  expect(() => Reflect.get(new (class Torch extends Lamp {})(), 'dim')).toThrow('stand-in: lamp.dim is not implemented')
})

test('on the stand-in for Electron, an event emitter refuses a listener for an event that the emitter never emits', () => {
  const lamp = new Lamp()
  let lit = 0
  lamp.once('lit', () => {
    lit += 1
  })
  lamp.emit('lit')
  lamp.emit('lit')
  expect(lit).toBe(1)
  for (const listen of ['on', 'once', 'addListener'] as const)
    expect(() => lamp[listen]('broken', () => {})).toThrow("stand-in: the event 'broken' of lamp is not implemented")
})

test('an object of the stand-in for Electron throws for missing members, but can be awaited, printed and turned into JSON', async () => {
  const lamp = new Lamp()
  expect(await Promise.resolve(lamp)).toBe(lamp)
  expect(inspect({ lamp })).toBe('{ lamp: [lamp] }')
  expect(JSON.stringify(strict('object', { kept: 1 }))).toBe('{"kept":1}')
})

test('an object of the stand-in for Electron throws for missing members, but its methods can use private fields and be replaced in tests', () => {
  const counter = strict('counter', new Counter())
  expect([counter.add(), counter.add()]).toEqual([1, 2])
  counter.add = () => 42
  expect(counter.add()).toBe(42)
  expect(() => Reflect.get(counter, 'subtract')).toThrow('stand-in: counter.subtract is not implemented')
})

test('the stand-in for Electron throws when the app reads, calls or constructs a module that is not implemented', () => {
  const missing: unknown = absent('safeStorage')
  expect(() => Reflect.get(missing as object, 'encryptString')).toThrow('stand-in: safeStorage.encryptString is not implemented')
  expect(() => (missing as () => void)()).toThrow('stand-in: safeStorage is not implemented')
  expect(() => Reflect.construct(missing as new () => object, [])).toThrow('stand-in: safeStorage is not implemented')
})

test('on the stand-in for Electron, an event records whether a listener called preventDefault', () => {
  const event = makeEvent({ url: 'app://bundle/' })
  expect([event.url, event.defaultPrevented]).toEqual(['app://bundle/', false])
  event.preventDefault()
  expect(event.defaultPrevented).toBe(true)
})
