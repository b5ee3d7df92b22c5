import { expect, test } from 'vitest'
import { classifySignFailure } from './sign.ts'

const kind = (thrown: unknown) => classifySignFailure(thrown).kind

test('the app recognises by the error code that the user rejected a wallet request, however deeply the error is wrapped', () => {
  expect(kind({ code: 5000, message: 'User rejected.' })).toBe('rejected')
  expect(kind({ code: 4001, message: '' })).toBe('rejected')
  expect(kind(new Error('The request failed', { cause: new Error('RPC', { cause: { code: 4001, message: 'no' } }) }))).toBe('rejected')
  expect(kind({ code: -32000, message: 'Internal', data: { code: 5000 } })).toBe('rejected')
})

test('the app recognises by the error message that the user rejected a wallet request if the error has no code', () => {
  expect(kind(new Error('User rejected the request.'))).toBe('rejected')
  expect(kind('User denied message signature')).toBe('rejected')
})

test('the app distinguishes a timeout, an ended wallet session and an unreachable relay as reasons for a missing signature', () => {
  expect(kind(new Error('Request expired. Please try again.'))).toBe('expired')
  expect(kind(new Error('Proposal expired'))).toBe('expired')
  expect(kind(new Error('No matching key. session: 12ab'))).toBe('disconnected')
  expect(kind({ code: 6000, message: '' })).toBe('disconnected')
  expect(kind(new Error('Please call connect() before request()'))).toBe('disconnected')
  expect(kind(new Error("Couldn't establish socket connection to the relay server: wss://x"))).toBe('unreachable')
  expect(kind(new Error('No internet connection detected. Please restart your network and try again.'))).toBe('unreachable')
})

test('the app classifies an unrecognised wallet error as a failure, and cuts the error’s message at the journal’s length limit', () => {
  expect(classifySignFailure({ code: -32601, message: 'Method not found' })).toEqual({ kind: 'failed', detail: 'Method not found' })
  expect(classifySignFailure(new Error('x'.repeat(2_000))).detail).toHaveLength(500)
  for (const odd of [null, undefined, 42, {}]) expect(kind(odd)).toBe('failed')
})

test('the app classifies two wallet errors that name each other as their cause without an endless loop', () => {
  const first = new Error('a')
  const second = new Error('b', { cause: first })
  first.cause = second
  expect(kind(first)).toBe('failed')
})
