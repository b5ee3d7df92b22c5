import { expect, test } from 'vitest'
import { confirmationPhrase } from '../../../shared/signing/confirmation-phrase.ts'
import { emptyHand, type HandQuestions, handConfirmation, mayAsk } from './hand-confirmation.ts'

const router = '0x4B1cA72f0C1c8d5B3aE0f9D1b2C3d4E5f60782Fb'
const none: HandQuestions = { phrase: null, router: 'none' }

test('a known layout on the pinned router asks nothing', () => {
  expect(mayAsk(none, emptyHand, null)).toBe(true)
  expect(handConfirmation(none, emptyHand)).toEqual({ typedPhrase: null, typedRouter: null })
})

test('a new router is confirmed by a tick, never by default [FLOW-01]', () => {
  const asked: HandQuestions = { ...none, router: 'new' }
  expect(mayAsk(asked, emptyHand, router)).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, routerSeen: true }, router)).toBe(true)
  expect(handConfirmation(asked, { ...emptyHand, routerSeen: true }).typedRouter).toBe('yes')
})

test('a changed router needs its whole address, and a tick does not do [FLOW-01]', () => {
  const asked: HandQuestions = { ...none, router: 'changed' }
  expect(mayAsk(asked, { ...emptyHand, routerSeen: true }, router)).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, router: router.slice(0, 20) }, router)).toBe(false)
  const typed = { ...emptyHand, router: ` ${router.toLowerCase()} ` }
  expect(mayAsk(asked, typed, router)).toBe(true)
  expect(handConfirmation(asked, typed).typedRouter).toBe(router.toLowerCase())
})

test('a new layout needs its phrase typed, and other words do not do [FLOW-02]', () => {
  const asked: HandQuestions = { ...none, phrase: confirmationPhrase }
  expect(mayAsk(asked, emptyHand, null)).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, phrase: 'yes' }, null)).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, phrase: ` ${confirmationPhrase} ` }, null)).toBe(true)
  expect(handConfirmation(asked, { ...emptyHand, phrase: ` ${confirmationPhrase} ` }).typedPhrase).toBe(confirmationPhrase)
})

test('a phrase that nobody asked for is not sent', () => {
  expect(handConfirmation(none, { ...emptyHand, phrase: 'anything' }).typedPhrase).toBeNull()
})
