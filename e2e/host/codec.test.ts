import { expect, test } from 'vitest'
import { makeCodec } from './codec.ts'

const { encode, decode } = makeCodec()
const roundTrip = (value: unknown) => decode(encode(structuredClone(value)))

test('the stand-in for Electron sends values between processes without loss, also those that JSON would lose', () => {
  const value = {
    missing: undefined,
    nan: Number.NaN,
    minus: -0,
    big: 2n ** 70n,
    at: new Date(86_400_000),
    pattern: /a+/giu,
    map: new Map([[{ key: 1 }, new Set([1, 'two'])]]),
  }
  expect(roundTrip(value)).toEqual(value)
})

test('the stand-in for Electron sends shared references and values that contain themselves between processes unchanged', () => {
  const shared = [1]
  const circle: { itself?: unknown; map: Map<string, unknown>; first: unknown; second: unknown } = { map: new Map(), first: shared, second: shared }
  circle.itself = circle
  circle.map.set('circle', circle)
  const got = roundTrip(circle) as typeof circle
  expect(got.itself).toBe(got)
  expect(got.map.get('circle')).toBe(got)
  expect(got.first).toBe(got.second)
})

test('the stand-in for Electron sends only the bytes of a typed array between processes, not the array’s whole buffer', () => {
  const view = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]).subarray(2, 6)
  expect(decode(encode(view))).toEqual(new Uint8Array([2, 3, 4, 5]))
  expect(decode(encode(Buffer.from('tested')))).toEqual(new Uint8Array(Buffer.from('tested')))
  expect(decode(encode(new Int16Array([-2, 300])))).toEqual(new Int16Array([-2, 300]))
})

test('the stand-in for Electron sends data unchanged even if it looks like the stand-in’s own notation for such data', () => {
  const value = { $: 'undefined', inside: { $: 'seen', v: 0 }, ['__proto__']: { polluted: true } }
  const got = roundTrip(value) as Record<string, unknown>
  expect(got).toEqual(value)
  expect(Object.getPrototypeOf(got)).toBe(Object.prototype)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test('the stand-in for Electron sends errors between processes with their class and cause', () => {
  const got = roundTrip(new RangeError('far', { cause: new Error('why') })) as RangeError
  expect(got).toBeInstanceOf(RangeError)
  expect([got.message, (got.cause as Error).message]).toEqual(['far', 'why'])
})

test.each([
  ['a function', () => 1],
  ['a symbol', Symbol('s')],
  ['a boxed number', Object(1)],
  ['a blob', new Blob(['x'])],
])('the stand-in for Electron refuses to send this value between processes: %s', (_name, value) => {
  expect(() => encode({ value })).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
})
