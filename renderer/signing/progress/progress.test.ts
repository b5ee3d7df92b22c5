import { expect, test } from 'vitest'
import { progressSteps, type SigningTimes } from './intent-path.ts'

const words = { source: 'ticket', after: ['Signature checked, then relayed', 'Confirmed on Base, 8 blocks'] } as const
const waiting: SigningTimes = { preparedAtMs: 1, askedAtMs: 2, signedAtMs: null, afterMs: [null, null] }
const states = (times: SigningTimes, stopped = false) => progressSteps(words, times, stopped).map((step) => step.state)

test('the signing sheet shows exactly one active step while the app waits for the phone', () => {
  expect(states(waiting)).toEqual(['done', 'done', 'done', 'now', 'next', 'next'])
})

test('after the wallet’s rejection, the signing sheet marks only the active step as failed', () => {
  expect(states(waiting, true)).toEqual(['done', 'done', 'done', 'failed', 'next', 'next'])
  expect(progressSteps(words, waiting, true).map(({ label }) => label)).toContain('Not approved')
})

test('the signing sheet marks all steps as done if every step has a time', () => {
  expect(states({ ...waiting, signedAtMs: 3, afterMs: [4, 5] })).toEqual(Array(6).fill('done'))
})

test('the signing sheet does not mark a step without a time as done, even if a later step has a time', () => {
  expect(states({ ...waiting, signedAtMs: 3, afterMs: [null, 5] })).toEqual(['done', 'done', 'done', 'done', 'now', 'next'])
})
