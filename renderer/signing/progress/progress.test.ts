import { expect, test } from 'vitest'
import { progressSteps, type SigningTimes } from './intent-way.ts'

const words = { source: 'ticket', after: ['Signature checked, then relayed', 'Confirmed on Base, 8 blocks'] } as const
const waiting: SigningTimes = { preparedAtMs: 1, askedAtMs: 2, signedAtMs: null, afterMs: [null, null] }
const states = (times: SigningTimes, stopped = false) => progressSteps(words, times, stopped).map((step) => step.state)

test('while the phone is asked, exactly one step is under way', () => {
  expect(states(waiting)).toEqual(['done', 'done', 'done', 'now', 'next', 'next'])
})

test('a rejection fails the step that was under way and nothing else', () => {
  expect(states(waiting, true)).toEqual(['done', 'done', 'done', 'failed', 'next', 'next'])
})

test('all is done once the last step has its time', () => {
  expect(states({ ...waiting, signedAtMs: 3, afterMs: [4, 5] })).toEqual(Array(6).fill('done'))
})

test('a step without a time is never done because a later one has one', () => {
  expect(states({ ...waiting, signedAtMs: 3, afterMs: [null, 5] })).toEqual(['done', 'done', 'done', 'done', 'now', 'next'])
})
