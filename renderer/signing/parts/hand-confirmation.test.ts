import { expect, test } from 'vitest'
import { confirmationPhrase } from '../../../shared/phrases.ts'
import { emptyHand, type HandQuestions, handConfirmation, isAcceptedBySending, mayAsk } from './hand-questions.tsx'

const router = '0x4B1cA72f0C1c8d5B3aE0f9D1b2C3d4E5f60782Fb'
const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const none: HandQuestions = { asks: null, phrase: null, contracts: [] }
const contract = (state: 'new' | 'changed', candidate = router): HandQuestions['contracts'][number] => ({
  what: candidate === router ? 'router' : 'collateral token',
  check: { state, candidate, pinned: null, publishedByConfig: candidate, publishedByMeta: null, unread: [], hasCode: true, rpcHost: null },
})
const said = (contracts: Record<string, string>) => ({ ...emptyHand, contracts })

test('the signing sheet requires no confirmation if the signing format is known and the router trusted', () => {
  expect(mayAsk(none, emptyHand)).toBe(true)
  expect(handConfirmation(none, emptyHand)).toEqual({ typedPhrase: null, typedRouter: null })
})

test('the signing sheet requires the user to tick a box for a new router, and never ticks the box by default [FLOW-01]', () => {
  const asked: HandQuestions = { ...none, contracts: [contract('new')] }
  expect(mayAsk(asked, emptyHand)).toBe(false)
  expect(mayAsk(asked, said({ [router]: 'yes' }))).toBe(true)
  expect(handConfirmation(asked, said({ [router]: 'yes' })).typedRouter).toBe('yes')
})

test('the signing sheet requires the user to type the whole address of a changed router, and does not accept a ticked box instead [FLOW-01]', () => {
  const asked: HandQuestions = { ...none, contracts: [contract('changed')] }
  expect(mayAsk(asked, said({ [router]: 'yes' }))).toBe(false)
  expect(mayAsk(asked, said({ [router]: router.slice(0, 20) }))).toBe(false)
  const typed = said({ [router]: ` ${router.toLowerCase()} ` })
  expect(mayAsk(asked, typed)).toBe(true)
  expect(handConfirmation(asked, typed).typedRouter).toBe(router.toLowerCase())
})

test('the signing sheet asks for separate confirmations of the token contract and of the router that may spend the token [FLOW-03]', () => {
  const asked: HandQuestions = { ...none, contracts: [contract('new', token), contract('new')] }
  expect(mayAsk(asked, said({ [token]: 'yes' }))).toBe(false)
  const both = said({ [token]: 'yes', [router]: 'yes' })
  expect(mayAsk(asked, both)).toBe(true)
  expect(handConfirmation(asked, both).typedRouter).toBe('yes')
  const oneChanged: HandQuestions = { ...none, contracts: [contract('new', token), contract('changed')] }
  expect(mayAsk(oneChanged, both)).toBe(false)
  expect(handConfirmation(oneChanged, said({ [token]: 'yes', [router]: router })).typedRouter).toBe(`${token} ${router}`)
})

test('the signing sheet requires the user to type the exact phrase for a new signing format [FLOW-02]', () => {
  const asked: HandQuestions = { ...none, phrase: confirmationPhrase }
  expect(mayAsk(asked, emptyHand)).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, phrase: 'yes' })).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, phrase: ` ${confirmationPhrase} ` })).toBe(true)
  expect(handConfirmation(asked, { ...emptyHand, phrase: ` ${confirmationPhrase} ` }).typedPhrase).toBe(confirmationPhrase)
})

test('the signing sheet accepts only the typed phrase that the transaction demands, such as “allow 25.5 USDC” [KEY-13]', () => {
  const asked: HandQuestions = { ...none, phrase: 'allow 25.5 USDC' }
  expect(mayAsk(asked, { ...emptyHand, phrase: confirmationPhrase })).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, phrase: 'allow 25 USDC' })).toBe(false)
  expect(mayAsk(asked, { ...emptyHand, phrase: ' Allow 25.5 usdc' })).toBe(true)
})

test('the user can accept a new signing format by pressing Send only if the signing sheet recognises every value and all are as requested [FLOW-02]', () => {
  const asked = (complete: boolean): HandQuestions => ({ ...none, asks: { kind: 'format', complete }, phrase: confirmationPhrase })
  expect([isAcceptedBySending(asked(true)), mayAsk(asked(true), emptyHand)]).toEqual([true, true])
  expect(handConfirmation(asked(true), emptyHand).typedPhrase).toBe(confirmationPhrase)
  expect([isAcceptedBySending(asked(false)), mayAsk(asked(false), emptyHand)]).toEqual([false, false])
  // A transaction's phrase and an untrusted contract still need the user's own confirmation.
  expect(mayAsk({ ...asked(true), phrase: 'allow 25.5 USDC' }, emptyHand)).toBe(false)
  expect(mayAsk({ ...asked(true), contracts: [contract('new')] }, emptyHand)).toBe(false)
})

test('the signing sheet passes no typed phrase to the main process if no question required a phrase', () => {
  expect(handConfirmation(none, { ...emptyHand, phrase: 'anything' }).typedPhrase).toBeNull()
})
