import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventTrack } from './event-track.ts'

test('each event counts once, whatever order and how often it comes; resumption begins after the last without a gap before it [ACC-04]', () => {
  const arrivals = fc.integer({ min: 1, max: 40 }).chain((count) => fc.array(fc.integer({ min: 1, max: count }), { minLength: 1, maxLength: 120 }))
  fc.assert(
    fc.property(arrivals, fc.constantFrom('', 'ab12-', 'feed:'), (numbers, prefix) => {
      const track = createEventTrack()
      const came = new Set<number>()
      for (const number of numbers) {
        expect(track.take(`${prefix}${number}`)).toBe(came.has(number) ? 'known' : 'new')
        came.add(number)
      }
      let whole = numbers[0] ?? 0
      while (came.has(whole + 1)) whole += 1
      expect(track.resumeAfter()).toBe(`${prefix}${whole}`)
      expect(track.hasGap()).toBe(Math.max(...came) > whole)
      track.closeGap()
      expect([track.hasGap(), track.resumeAfter()]).toEqual([false, `${prefix}${Math.max(...came)}`])
    }),
  )
})

test('a numbering of its own begins anew, and ids without numbers are told apart by themselves [ACC-04]', () => {
  const track = createEventTrack()
  expect(['a-7', 'a-8', 'b-1', 'b-1', 'b-2', 'x', 'x', 'y'].map(track.take)).toEqual(['new', 'new', 'another', 'known', 'new', 'plain', 'known', 'plain'])
  expect([track.hasGap(), track.resumeAfter()]).toEqual([false, 'y'])
})

test('what is remembered is bounded [ACC-04]', () => {
  const track = createEventTrack()
  track.take('1')
  for (let number = 3; number < 5_000; number += 1) track.take(String(number))
  // Far behind: taken for one that came.
  expect(track.take('2')).toBe('known')
})
