import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventTrack } from './event-track.ts'

test('the app counts each stream event once in any order, and resumes the stream after the last event before the first missing one [ACC-04]', () => {
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

test('the app treats stream events in the snapshot as known and later ones as new, and detects events lost between snapshot and stream [ACC-04]', () => {
  const before = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 })
  const afterwards = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
  fc.assert(
    fc.property(before, fc.nat(20), afterwards, fc.constantFrom('', 'ab12-'), fc.boolean(), (first, ahead, second, prefix, bare) => {
      const track = createEventTrack()
      const came = new Set<number>()
      for (const number of first) {
        track.take(`${prefix}${number}`)
        came.add(number)
      }
      const sequence = Math.max(0, ...came) + ahead
      expect(track.settle(`${bare ? '' : prefix}${sequence}`, track.newest())).toBe(true)
      expect(track.hasGap()).toBe(false)
      for (const number of second) {
        expect(track.take(`${prefix}${number}`)).toBe(came.has(number) ? 'known' : number <= sequence ? 'covered' : 'new')
        came.add(number)
      }
      if (came.size === 0) return
      let whole = sequence
      while (came.has(whole + 1)) whole += 1
      expect(track.hasGap()).toBe(Math.max(...came) > whole)
      expect(track.behind()).toBe(Math.max(...came) < sequence)
      const safe = [...came].filter((number) => number <= whole)
      if (safe.length > 0) expect(track.resumeAfter()).toBe(`${prefix}${Math.max(...safe)}`)
    }),
  )
})

test('a stream’s snapshot covers no event if it is too old, has no sequence number, or is numbered differently from the events [ACC-04]', () => {
  for (const sequence of ['6', 'block-9', 'none', null]) {
    const track = createEventTrack()
    track.take('a-7')
    expect([sequence, track.settle(sequence, 7)]).toEqual([sequence, false])
    expect([track.take('a-8'), track.behind(), track.hasGap()]).toEqual(['new', false, false])
  }
})

test('the app counts stream events from the start if the service renumbers them, and recognises repeated events without a number in their id [ACC-04]', () => {
  const track = createEventTrack()
  expect(['a-7', 'a-8', 'b-1', 'b-1', 'b-2', 'x', 'x', 'y'].map(track.take)).toEqual(['new', 'new', 'another', 'known', 'new', 'plain', 'known', 'plain'])
  expect([track.hasGap(), track.resumeAfter()]).toEqual([false, 'y'])
})

test('the app remembers a limited number of stream event ids, and treats an event with a much lower number as known [ACC-04]', () => {
  const track = createEventTrack()
  track.take('1')
  for (let number = 3; number < 5_000; number += 1) track.take(String(number))
  expect(track.take('2')).toBe('known')
})
