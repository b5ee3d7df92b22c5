import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import {
  agent,
  agentGrant,
  grantExpectation,
  inDomain,
  nowMs,
  otherWallet,
  type RawTypedData,
  read,
  router,
  says,
  wallet,
} from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../../e2e/support/spoken-comparison.ts'
import { grantText } from '../../text/signing-text.ts'
import { explainGrant, type GrantExpectation } from './grant.ts'

const explain = (change: (data: RawTypedData) => void = () => {}, expectation: Partial<GrantExpectation> = {}) => {
  const data = agentGrant()
  change(data)
  return spokenResult(explainGrant(read(data), grantExpectation(expectation)))
}

test('the app states which rights a grant gives, to which trading agent, for which wallet and contract, and until when [KEY-15]', () => {
  const grant = explain()
  const { sentence, may, mayNot } = grantText(grant)
  expect(sentence).toBe(
    `You let a new trading agent ${getAddress(agent.toLowerCase())} act for ${wallet} on Base, only on the exchange router ${getAddress(router.toLowerCase())} and only until 16 Feb 2027.`,
  )
  expect(may).toEqual(['Open, close and invert positions', 'Set and clear TP and SL', 'Cancel and replace orders'])
  expect(mayNot).toEqual(['Withdraw or move your collateral', 'Approve or transfer tokens', 'Create keys or pass this grant on'])
  expect(grant.expiresAtMs).toBe(nowMs + 90 * 86_400_000)
  expect([grant.comparison.verdict, grant.comparison.matched]).toEqual(['pass', grant.comparison.total])
})

const seconds = nowMs / 1_000

const refused: readonly (readonly [string, (data: RawTypedData) => void, string])[] = [
  ['another wallet', says({ wallet: otherWallet }), 'The grant is for the wallet'],
  ['another agent', says({ agent: otherWallet }), 'The grant is for the agent'],
  ['your own wallet as its agent', says({ agent: wallet }), 'The grant names your own wallet as its agent.'],
  ['no agent at all', says({ agent: `0x${'0'.repeat(40)}` }), 'The grant names the zero address as its agent.'],
  ['another chain', inDomain({ chainId: 1 }), 'The grant is for another chain: Chain 1.'],
  ['another contract', inDomain({ verifyingContract: otherWallet }), 'The grant is for the contract'],
  ['a time that is over', says({ expiresAt: String(seconds - 60) }), 'The grant has already expired'],
  ['no end', says({ expiresAt: '0' }), 'The grant would never expire.'],
  ['an end beyond all calendars', says({ expiresAt: (2n ** 256n - 1n).toString() }), 'The grant would never expire.'],
  ['more than trading', says({ permissions: 'trade,withdraw' }), 'The grant gives more than trading: trade,withdraw.'],
  ['everything', says({ permissions: '*' }), 'The grant gives more than trading: *.'],
]

test.each(refused)('the app refuses a grant for %s, even in a signing format that the user accepted [KEY-15]', (_name, change, sentence) => {
  for (const formats of [grantExpectation().formats, []]) {
    const { comparison } = explain(change, { formats })
    expect(comparison.verdict).toBe('block')
    expect(comparison.sentence).toContain(sentence)
  }
})

test('the app accepts a grant that ends later than its API key, and shows when the key ends [KEY-15]', () => {
  const outliving = says({ expiresAt: String(seconds + 400 * 86_400) })
  for (const expectation of [{}, { existingKey: { endsAtMs: nowMs + 30 * 86_400_000, agentKnown: true } }]) {
    const grant = explain(outliving, expectation)
    const { comparison } = grant
    expect(comparison.verdict).toBe('pass')
    expect(grantText(grant).sentence).toContain('only until 23 Dec 2027')
    expect(comparison.lines.find(({ id }) => id === 'expiresAt')).toMatchObject({
      verdict: 'match',
      remark: { code: 'outlives_key', endsAtMs: expect.any(Number) },
    })
  }
})

test('the app accepts a grant with collateral rights only if the API key has that scope, and refuses any further right [KEY-15]', () => {
  const scopes = ['account:read', 'trade:execute', 'collateral:manage']
  const grant = explain(says({ permissions: 'trade,collateral:manage' }), { scopes })
  expect(grant.comparison.verdict).toBe('pass')
  expect(grantText(grant).may).toContain('Deposit and withdraw your collateral')
  expect(grantText(grant).mayNot).toEqual(['Approve or transfer tokens', 'Create keys or pass this grant on'])
  for (const [permissions, asked] of [
    ['trade,collateral:manage', null],
    ['trade,collateral:manage', ['trade:execute']],
    ['trade,transfer', scopes],
    ['*', scopes],
  ] as const)
    expect(explain(says({ permissions }), { scopes: asked }).comparison.verdict).toBe('block')
})

test('the app refuses a grant without an expiry [KEY-15]', () => {
  const { comparison } = explain((data) => {
    data.types.AgentGrant = data.types.AgentGrant?.filter((field) => field.name !== 'expiresAt') ?? []
    delete data.message.expiresAt
  })
  expect([comparison.verdict, comparison.sentence]).toEqual(['block', 'The grant would never expire.'])
})

test('the app treats a grant with an extra field as a new signing format, which the user must confirm [KEY-15]', () => {
  const { comparison } = explain((data) => {
    data.types.AgentGrant?.push({ name: 'maxNotional', type: 'uint256' })
    data.message.maxNotional = '1000000'
  })
  expect([comparison.verdict, comparison.unmatched[0]]).toEqual(['confirm', 'Not in your request: maxNotional'])
})

test('the app says nothing about what the trading agent may not do if the grant lists no permissions [KEY-15]', () => {
  const grant = explain((data) => {
    data.types.AgentGrant = data.types.AgentGrant?.filter((field) => field.name !== 'permissions') ?? []
    delete data.message.permissions
  })
  expect([grant.comparison.verdict, grant.gives, grantText(grant).mayNot]).toEqual(['confirm', null, []])
})

test('the app asks the user about the first grant in a signing format, but not about the next grant in the same format [KEY-15]', () => {
  const first = explain(() => {}, { formats: [] })
  expect(first.comparison.verdict).toBe('confirm')
  expect(explain(() => {}, { formats: [first.pin] }).comparison.verdict).toBe('pass')
})

test('the app reads the trading agent from the grant if the service named no agent, and asks the user to confirm this agent', () => {
  const grant = explain(() => {}, { agent: null })
  expect([grant.comparison.verdict, grant.agent?.toLowerCase()]).toEqual(['confirm', agent.toLowerCase()])
})
