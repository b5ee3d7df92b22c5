import { expect, test } from 'vitest'
import { progressSteps, type SigningEnd, type SigningTimes } from './intent-path.ts'

const words = { source: 'ticket', after: ['Signature checked, then relayed', 'Confirmed on Base, 8 blocks'] } as const
const waiting: SigningTimes = { preparedAtMs: 1, askedAtMs: 2, signedAtMs: null, afterMs: [null, null] }
const states = (times: SigningTimes, end: SigningEnd = null) => progressSteps(words, times, end).map((step) => step.state)
const failedOf = (times: SigningTimes, end: SigningEnd) => progressSteps(words, times, end).find((step) => step.state === 'failed')?.label

test('the signing sheet shows exactly one active step while the app waits for the phone', () => {
  expect(states(waiting)).toEqual(['done', 'done', 'done', 'now', 'next', 'next'])
})

test('after the wallet’s rejection, the signing sheet marks only the active step as failed', () => {
  expect(states(waiting, 'rejected')).toEqual(['done', 'done', 'done', 'failed', 'next', 'next'])
})

test('the signing sheet marks all steps as done if every step has a time', () => {
  expect(states({ ...waiting, signedAtMs: 3, afterMs: [4, 5] })).toEqual(Array(6).fill('done'))
})

test('the signing sheet does not mark a step without a time as done, even if a later step has a time', () => {
  expect(states({ ...waiting, signedAtMs: 3, afterMs: [null, 5] })).toEqual(['done', 'done', 'done', 'done', 'now', 'next'])
})

test('the signing sheet does not show a stopped step as still waiting or as done', () => {
  expect(failedOf(waiting, 'rejected')).toBe('Rejected on the phone')
  expect(failedOf(waiting, 'stopped')).toBe('No approval received')
  expect(failedOf({ ...waiting, signedAtMs: 3 }, 'stopped')).toBe('Not confirmed: Signature checked, then relayed')
  expect(failedOf({ ...waiting, signedAtMs: 3, afterMs: [4, null] }, 'stopped')).toBe('Not confirmed: Confirmed on Base, 8 blocks')
  expect(failedOf({ ...waiting, askedAtMs: null }, 'stopped')).toBe('Not sent to your wallet')
})

test('the signing sheet says of each known end after the signature what happened, instead of “Not confirmed”', () => {
  const signed = { ...waiting, signedAtMs: 3 }
  expect(failedOf(signed, 'too_late')).toBe('Too late, so nothing was sent')
  expect(failedOf(signed, 'not_sent')).toBe('Signed, but not sent to the service')
  expect(failedOf(signed, 'refused')).toBe('Signed, but refused by the service')
  expect(failedOf(signed, 'not_tracked')).toBe('Sent by the wallet, and not tracked here')
  expect(failedOf(signed, 'expired')).toBe('Expired before execution')
  expect(failedOf(signed, 'not_executed')).toBe('Not executed')
})

test('the signing sheet names a reverted transaction as reverted, not as “Not confirmed: Confirmed on Base”', () => {
  expect(failedOf({ ...waiting, signedAtMs: 3, afterMs: [4, null] }, 'reverted')).toBe('Reverted on Base')
})
