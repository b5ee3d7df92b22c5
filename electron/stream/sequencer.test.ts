import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSequencer, mostWaiting } from './sequencer.ts'

test('gives events in order and once, whatever order and how often they come [ACC-04]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(30), fc.infiniteStream(fc.nat()), (count, from, choices) => {
      const pick = (below: number) => (choices.next().value ?? 0) % below
      const pool = Array.from({ length: count }, (_, index) => index + 1).flatMap((sequence) => Array(1 + pick(3)).fill(sequence) as number[])
      const sequencer = createSequencer<number>()
      const start = Math.min(from, count)
      const given: number[] = []
      const snapshotAfter = pick(pool.length + 1)
      for (let sent = 0; pool.length > 0; sent += 1) {
        if (sent === snapshotAfter) given.push(...sequencer.snapshot(start))
        const [sequence = 0] = pool.splice(pick(pool.length), 1)
        given.push(...sequencer.take(sequence, sequence))
      }
      if (sequencer.reached() === null) given.push(...sequencer.snapshot(start))
      expect(given).toEqual(Array.from({ length: count - start }, (_, index) => start + index + 1))
      expect(sequencer.hasGap()).toBe(false)
    }),
  )
})

test('an event that never comes leaves a gap, which a snapshot closes [ACC-04]', () => {
  const sequencer = createSequencer<string>()
  sequencer.snapshot(10)
  expect(sequencer.take(12, 'twelve')).toEqual([])
  expect(sequencer.take(13, 'thirteen')).toEqual([])
  expect(sequencer.hasGap()).toBe(true)
  expect(sequencer.snapshot(12)).toEqual(['thirteen'])
  expect([sequencer.hasGap(), sequencer.reached()]).toEqual([false, 13])
  expect(sequencer.snapshot(11)).toEqual([])
  expect(sequencer.reached()).toBe(13)
})

test('a service that tells no sequence in its snapshot starts at the oldest event that waits [ACC-04]', () => {
  const sequencer = createSequencer<number>()
  expect(sequencer.snapshot(null)).toEqual([])
  for (const sequence of [8, 7]) expect(sequencer.take(sequence, sequence)).toEqual([])
  expect(sequencer.snapshot(null)).toEqual([7, 8])
})

test('what waits is bounded, and the event that is missing always gets in [ACC-04]', () => {
  const sequencer = createSequencer<number>()
  sequencer.snapshot(0)
  for (let sequence = 2; sequence < 3 * mostWaiting; sequence += 1) sequencer.take(sequence, sequence)
  expect(sequencer.take(1, 1)).toHaveLength(mostWaiting + 1)
  expect(sequencer.reached()).toBe(mostWaiting + 1)
})
