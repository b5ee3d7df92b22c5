import { expect, test } from 'vitest'
import { agentGrant, grantExpectation, inDomain, intentExpectation, openPosition, otherWallet, read, router } from '../../../e2e/support/fixtures/typed-data.ts'
import { spoken } from '../../../e2e/support/spoken-comparison.ts'
import { blockedText, lineValueText } from '../../text/comparison-text.ts'
import { remarkText } from '../../text/intent-text.ts'
import { explainGrant } from '../grant/grant.ts'
import { compareIntent } from '../intent.ts'
import type { ExpectedRouter } from '../trust.ts'
import { domainLines } from './envelope.ts'

const whole = '0x4b1c000000000000000000000000000000c082Fb'
const pinned: ExpectedRouter = { by: 'pin', address: router }
const published: ExpectedRouter = { by: 'service', address: router, instead: null }
const changed: ExpectedRouter = { by: 'service', address: router, instead: otherWallet }

function contract(expected: ExpectedRouter | null, named: string | undefined = router) {
  const data = openPosition()
  inDomain({ verifyingContract: named })(data)
  const line = domainLines(read(data), expected, true).find(({ id }) => id === 'contract')
  if (line === undefined) throw new Error('There is no line of the contract')
  const { asked, signed, verdict, remark } = line
  return {
    shown: [asked && lineValueText(asked), signed && lineValueText(signed), verdict, remarkText(remark)],
    sentence: blockedText({ code: 'line', of: 'message', line }),
  }
}

test('the app describes a router as trusted only if the user trusts the router, and not because the service publishes it [FLOW-01]', () => {
  expect(contract(pinned).shown).toEqual([
    'Router you trust 0x4b1c000000000000000000000000000000c082Fb',
    '0x4b1c000000000000000000000000000000c082Fb',
    'match',
    null,
  ])
  expect(contract(published).shown).toEqual([
    'Published by the service 0x4b1c000000000000000000000000000000c082Fb',
    '0x4b1c000000000000000000000000000000c082Fb',
    'unmatched',
    'Not trusted yet',
  ])
  expect(contract(changed).shown).toEqual([
    'Published by the service 0x4b1c000000000000000000000000000000c082Fb',
    '0x4b1c000000000000000000000000000000c082Fb',
    'match',
    'Not the contract that you trust, 0x1111111111111111111111111111111111111111',
  ])
  expect(contract(null).shown).toEqual(['No router trusted, none published', whole, 'unmatched', null])
})

test('the app shows both addresses if a message names another contract than the expected router [FLOW-01]', () => {
  expect(contract(pinned, otherWallet)).toEqual({
    shown: [`Router you trust ${whole}`, otherWallet, 'differ', null],
    sentence: `The prepared message is for the contract ${otherWallet}. The router you trust is ${whole}.`,
  })
  expect(contract(published, otherWallet)).toEqual({
    shown: [`Published by the service ${whole}`, otherWallet, 'differ', null],
    sentence: `The prepared message is for the contract ${otherWallet}. The service publishes ${whole}.`,
  })
})

test('the app asks the user only about the router’s contract, for both orders and grants, if the router is not trusted yet [FLOW-01, KEY-15]', () => {
  const order = (expected: ExpectedRouter) => spoken(compareIntent(read(openPosition()), intentExpectation({ router: expected })).comparison)
  const grant = (expected: ExpectedRouter) => spoken(explainGrant(read(agentGrant()), grantExpectation({ router: expected })).comparison)
  for (const comparison of [order(changed), grant(changed)]) expect(comparison.verdict).toBe('pass')
  for (const comparison of [order(published), grant(published)])
    expect([comparison.verdict, comparison.sentence]).toEqual([
      'confirm',
      expect.stringMatching(/^The (?:prepared message|grant) names a contract that you do not trust yet\. Confirm it once\.$/),
    ])
})
