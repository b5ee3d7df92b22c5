import { describe, expect, test } from 'vitest'
import {
  agent,
  agentGrant,
  grantExpectation,
  inDomain,
  nowMs,
  otherWallet,
  type RawTypedData,
  read,
  says,
  wallet,
} from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../../e2e/support/spoken-comparison.ts'
import { explainGrant, type GrantExpectation } from './grant.ts'

/**
 * Values of grants as other services might format them. The field names are unknown, so the app can recognise a value only by its form and content.
 */

type Values = Readonly<Record<string, readonly [type: string, value: unknown]>>

const grantOf = (values: Values): RawTypedData => {
  const data = agentGrant()
  data.primaryType = 'DelegateTrading'
  data.types = {
    EIP712Domain: data.types.EIP712Domain ?? [],
    DelegateTrading: Object.entries(values).map(([name, [type]]) => ({ name, type })),
  }
  data.message = Object.fromEntries(Object.entries(values).map(([name, [, value]]) => [name, value]))
  return data
}

const seconds = nowMs / 1_000
const end = seconds + 90 * 86_400
const nonce = '13835058055282163712'
const plain: Values = {
  principal: ['address', wallet],
  tradingKey: ['address', agent],
  allowed: ['string', 'trade'],
  seqNo: ['uint64', nonce],
  goodTill: ['uint64', String(end)],
}
const others: readonly (readonly [string, Values])[] = [
  ['other names', plain],
  ['milliseconds', { ...plain, goodTill: ['uint256', `${end}000`] }],
  ['a written time', { ...plain, goodTill: ['string', new Date(end * 1_000).toISOString()] }],
  [
    'names that say nothing',
    {
      a: ['address', agent],
      b: ['address', wallet],
      c: ['string[]', ['trade:execute', 'orders:manage']],
      d: ['bytes32', `0x${'c7'.repeat(32)}`],
      e: ['uint256', String(end)],
    },
  ],
]

const explain = (values: Values, expectation: Partial<GrantExpectation> = {}, change: (data: RawTypedData) => void = () => {}) => {
  const data = grantOf(values)
  change(data)
  return spokenResult(explainGrant(read(data), grantExpectation({ formats: [], ...expectation })))
}

describe.each(others)('the app recognises the values of an unknown service’s grant in the format “%s”', (_name, values) => {
  const named = (role: 'agent' | 'wallet' | 'expiresAt' | 'permissions'): string => {
    const line = explain(values).comparison.lines.find(({ id }) => id === role)
    return line?.field?.replace(/\[\d+\]$/, '') ?? expect.fail(`nothing is read as ${role}`)
  }

  test('the app recognises every value of an unfamiliar grant, asks the user once, and accepts the next grant in this format without asking [KEY-15]', () => {
    const first = explain(values)
    expect([first.comparison.verdict, first.comparison.asks]).toEqual(['confirm', { kind: 'format', complete: true }])
    expect(first.expiresAtMs).toBe(end * 1_000)
    expect(first.agent?.toLowerCase()).toBe(agent.toLowerCase())
    expect(first.gives).toBe('trading')
    expect(explain(values, { formats: [first.pin] }).comparison).toMatchObject({ verdict: 'pass', asks: null })
  })

  test('the app blocks a grant with another wallet, agent, chain or contract or without an expiry, even in a signing format that the user accepted [KEY-15]', () => {
    const altered: readonly ((data: RawTypedData) => void)[] = [
      says({ [named('wallet')]: otherWallet }),
      says({ [named('agent')]: otherWallet }),
      says({ [named('agent')]: wallet }),
      says({ [named('agent')]: `0x${'0'.repeat(40)}` }),
      says({
        [named('expiresAt')]:
          typeof values.e?.[1] === 'string' || values.goodTill?.[0] !== 'string' ? String(seconds - 60) : new Date(nowMs - 60_000).toISOString(),
      }),
      says({ [named('expiresAt')]: values.goodTill?.[0] === 'string' ? 'never' : '0' }),
      inDomain({ chainId: 1 }),
      inDomain({ verifyingContract: otherWallet }),
    ]
    const { pin } = explain(values)
    for (const change of altered)
      for (const formats of [[], [pin]]) {
        const { comparison } = explain(values, { formats }, change)
        expect([comparison.verdict, comparison.sentence]).toEqual(['block', expect.any(String)])
      }
  })

  test('the app blocks a grant with more rights than the user accepted [KEY-15]', () => {
    const { pin } = explain(values)
    for (const more of ['trade,withdraw', '*', 'admin'])
      expect(explain(values, { formats: [pin] }, says({ [named('permissions')]: values.c === undefined ? more : more.split(',') })).comparison.verdict).toBe(
        'block',
      )
  })
})

test('the app asks the user about an address in a grant that is not the user’s wallet, the trading agent or a trusted contract [KEY-15]', () => {
  const { comparison } = explain({ ...plain, beneficiary: ['address', otherWallet] })
  expect(comparison.asks).toEqual({ kind: 'unknown_field', field: 'beneficiary', value: expect.stringMatching(/^0x1111/) })
})

test('the app asks the user once about an unknown value in a grant, and asks again when that value changes [KEY-15]', () => {
  const values: Values = { ...plain, source: ['string', 'api'], version: ['uint8', '1'], salt: ['uint256', '7'] }
  const first = explain(values)
  expect(first.comparison.asks).toEqual({ kind: 'unknown_field', field: 'source', value: 'api' })
  const again = (change: (data: RawTypedData) => void = () => {}) => explain(values, { formats: [first.pin] }, change).comparison
  expect(again()).toMatchObject({ verdict: 'pass', asks: null })
  expect(again(says({ version: '2' })).asks).toEqual({ kind: 'unknown_field', field: 'version', value: '2' })
})

test('the app takes a grant’s nonce from the nonce field, not from a constant salt in another field [KEY-15]', () => {
  const used = (nonceUsed: string) => explain({ ...plain, salt: ['bytes32', `0x${'0'.repeat(62)}07`] }, { nonceUsed: (said) => said === nonceUsed }).comparison
  expect(used(`0x${'0'.repeat(62)}07`).verdict).toBe('confirm')
  expect(used(nonce).sentence).toContain('signed before')
  // If no field is named as a nonce, random-looking bytes count as the nonce, but an amount does not.
  const { seqNo: _, ...without } = plain
  const line = (values: Values) => explain({ ...without, ...values }).comparison.lines.find(({ id }) => id === 'nonce')
  expect(line({ salt: ['bytes32', `0x${'c7'.repeat(32)}`] })).toMatchObject({ verdict: 'match', field: 'salt' })
  expect(line({ maxNotional: ['uint256', '1000000000000000000000000'] })).toMatchObject({ verdict: 'unmatched', signed: null })
})

test('the app does not read an amount that looks like a timestamp as a grant’s expiry [KEY-15]', () => {
  const { goodTill: _, ...endless } = plain
  for (const amount of ['1900000000', '1795012328000']) {
    const { comparison } = explain({ ...endless, maxNotional: ['uint256', amount] })
    expect([comparison.verdict, comparison.sentence]).toEqual(['block', 'The grant would never expire.'])
  }
})

test('the app shows the later of two expiries in a grant, and blocks the grant if one of the expiries means “never” [KEY-15]', () => {
  const two = (other: unknown) => explain({ ...plain, deadline: ['uint256', other] })
  expect(two(String(seconds + 1_800)).expiresAtMs).toBe(end * 1_000)
  expect(two('0').comparison.verdict).toBe('block')
})

test('the app shows a grant’s numeric permissions as received, and remembers the meaning that the user confirmed [KEY-15]', () => {
  const values: Values = { ...plain, allowed: ['uint256', '31'] }
  const first = explain(values)
  expect(first.comparison.asks).toEqual({ kind: 'format', complete: false })
  expect(first.comparison.lines.find(({ id }) => id === 'permissions')).toMatchObject({ signed: '31', verdict: 'unmatched' })
  expect(first.gives).toBeNull()
  const scopes = ['trade:execute', 'collateral:manage']
  const again = (number: string, asked: Partial<GrantExpectation> = {}) => explain(values, { formats: [first.pin], ...asked }, says({ allowed: number }))
  expect(again('31').comparison.verdict).toBe('pass')
  expect(again('31').gives).toBe('trading')
  expect(again('31', { scopes }).comparison.verdict).toBe('pass')
  expect(again('63').comparison.asks).toEqual({ kind: 'format', complete: false })
  // The user confirmed that this number means trading and collateral. So the app must block it for a key without the collateral scope.
  const wide = explain(values, { scopes })
  expect(explain(values, { formats: [wide.pin] }).comparison.verdict).toBe('block')
})

test('the app accepts a grant with an unexpected exchange name after the user has accepted the grant’s signing format [KEY-15]', () => {
  const named = inDomain({ name: 'Svc Agents' })
  const first = explain(plain, {}, named)
  expect(first.comparison.verdict).toBe('confirm')
  expect(explain(plain, { formats: [first.pin] }, named).comparison.verdict).toBe('pass')
})
