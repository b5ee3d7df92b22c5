import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSseParser, type SseEvent, SseOverflow, sseEventLimit } from './sse-parser.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function readAt(stream: Uint8Array, cuts: readonly number[]): SseEvent[] {
  const parser = createSseParser()
  const borders = [0, ...[...cuts].sort((a, b) => a - b), stream.length]
  return borders.slice(1).flatMap((border, index) => parser.push(stream.subarray(borders[index], border)))
}

test('the parser of event streams reads an event’s id, name and data, joins several data lines, and ignores comments and unknown fields [ACC-04]', () => {
  const stream = ': hello\nid: 41\nevent: mark\ndata: {"a":\ndata:  1}\nretry: 5000\nfoo: bar\n\n: beat\n\ndata:plain\n\nid: 42\n\nevent: none\n\ndata\n\n'
  expect(readAt(bytes(stream), [])).toEqual([
    { id: '41', type: 'mark', data: '{"a":\n 1}' },
    { id: null, type: 'message', data: 'plain' },
    { id: null, type: 'message', data: '' },
  ])
})

test('the parser of event streams drops an event that is incomplete when the stream ends [ACC-04]', () => {
  expect(readAt(bytes('data: one\n\nid: 2\ndata: tw'), [])).toEqual([{ id: null, type: 'message', data: 'one' }])
})

test('the parser of event streams reads the same events, no matter how the stream is split into chunks and how its lines end [ACC-04]', () => {
  const line = fc.stringMatching(/^[a-z:é€😀 {}"]{0,12}$/u)
  const event = fc.record({
    id: fc.option(fc.nat(999)),
    type: fc.constantFrom('', 'mark', 'order.filled'),
    data: fc.array(line, { minLength: 1, maxLength: 3 }),
    comment: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), fc.constantFrom('\n', '\r', '\r\n'), fc.infiniteStream(fc.nat(2_000)), (events, end, cuts) => {
      const lines = events.flatMap(({ id, type, data, comment }) => [
        ...(comment ? [': beat'] : []),
        ...(id === null ? [] : [`id: ${id}`]),
        ...(type === '' ? [] : [`event: ${type}`]),
        ...data.map((text) => `data: ${text}`),
        '',
      ])
      const stream = bytes(lines.map((text) => text + end).join(''))
      const places = [...cuts.take(12)].map((at) => at % (stream.length + 1))
      const wanted = events.map(({ id, type, data }) => ({ id: id === null ? null : String(id), type: type === '' ? 'message' : type, data: data.join('\n') }))
      expect(readAt(stream, places)).toEqual(wanted)
    }),
  )
})

test.each([
  ['a line without an end', () => 'data: '.padEnd(sseEventLimit + 7, 'x')],
  ['an event without an end', () => 'data: 0123456789\n'.repeat(sseEventLimit / 10)],
])('the parser of the account stream fails at a size limit instead of buffering an endless event: %s [ACC-04]', (_what, stream) => {
  const parser = createSseParser()
  const feed = () => {
    const all = bytes(stream())
    for (let at = 0; at < all.length; at += 4_096) parser.push(all.subarray(at, at + 4_096))
  }
  expect(feed).toThrow(SseOverflow)
})
