import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Alteration,
  domainTypes,
  inDomain,
  nowMs,
  otherWallet,
  pinnedRouter,
  type RawTypedData,
  read,
  router,
  says,
  wallet,
} from '../../../e2e/support/fixtures/typed-data.ts'
import { spokenResult } from '../../../e2e/support/spoken-comparison.ts'
import { remarkText } from '../../text/intent-text.ts'
import { spendingText } from '../../text/signing-text.ts'
import { comparePermit, type PermitExpectation } from './permit.ts'

const token = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

const permit = (): RawTypedData => ({
  domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: token },
  types: {
    EIP712Domain: domainTypes.map((field) => ({ ...field })),
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { owner: wallet, spender: router, value: '100500000', nonce: '3', deadline: String(nowMs / 1_000 + 180) },
})
const layout = () => ({ hash: read(permit()).formatHash, usdcScale: 6, priceScale: null, leverageScale: null, sizeScale: null, format: null })

const compare = (change: Alteration = () => {}, expectation: Partial<PermitExpectation> = {}) => {
  const data = permit()
  change(data)
  return spokenResult(
    comparePermit(read(data), {
      wallet,
      amountUsdc: '100.5',
      router: pinnedRouter,
      token: { by: 'pin', address: token },
      tokenDecimals: 6,
      tokenDomain: null,
      nonce: 3n,
      formats: [layout()],
      nowMs,
      ...expectation,
    }),
  )
}

test('the app shows a permit’s spender, amount, owner, token, nonce and deadline for the requested deposit [FLOW-04]', () => {
  const { comparison, pin, spending } = compare()
  expect([comparison.verdict, comparison.sentence]).toEqual(['pass', null])
  expect(pin).toEqual(layout())
  expect(spending).toMatchObject({ amount: '100.5' })
  expect(spending && spendingText(spending)).toBe(
    'This lets 0x4b1c000000000000000000000000000000c082Fb take up to 100.50 USDC from your wallet, until 14:35:08 UTC.',
  )
  expect(comparison.lines.map(({ label, asked, signed, unit, field }) => [label, asked, signed, unit, field])).toEqual([
    ['Amount', '100.50', '100.50', 'USDC', 'value'],
    ['Spender', '0x4b1c000000000000000000000000000000c082Fb', '0x4b1c000000000000000000000000000000c082Fb', null, 'spender'],
    ['Your wallet', '0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e', '0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e', null, 'owner'],
    ['Token', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', null, 'domain.verifyingContract'],
    ['Token name', 'The collateral token', 'USD Coin, version 2', null, 'domain.name'],
    ['Chain', 'Base (8453)', 'Base (8453)', null, 'domain.chainId'],
    ['Nonce', '3, the next one of your wallet', '3', null, 'nonce'],
    ['Valid until', 'At most 5 min', '14:35:08 UTC, for 3 min', null, 'deadline'],
  ])
})

const coin = { name: 'USD Coin', version: '2' }

test('the app does not ask about a permit, not even the first, if the token’s contract confirms the permit’s domain [FLOW-04]', () => {
  for (const tokenDomain of [coin, { name: 'USD Coin', version: null }]) {
    const { comparison } = compare(() => {}, { formats: [], tokenDomain })
    expect([comparison.verdict, comparison.asks, comparison.sentence]).toEqual(['pass', null, null])
  }
  // Without `tokenDomain`, the app does not know the token's own domain, so the user must confirm the signing format once.
  expect(compare(() => {}, { formats: [] }).comparison.asks).toEqual({ kind: 'format', complete: true })
})

test.each([
  ['name', inDomain({ name: 'USD C0in' })],
  ['version', inDomain({ version: '1' })],
] as const)('the app never lets the wallet sign a permit with another %s than the token’s own, in a known format or not [FLOW-04]', (_part, change) => {
  const altered = permit()
  change(altered)
  const known = { ...layout(), hash: read(altered).formatHash }
  for (const formats of [[], [known]]) {
    const { comparison } = compare(change, { formats, tokenDomain: coin })
    expect([comparison.verdict, comparison.sentence]).toEqual(['block', expect.stringMatching(/The token calls itself USD Coin, version 2\.$/)])
  }
})

const mutations: readonly (readonly [string, Alteration, string])[] = [
  ['owner', says({ owner: otherWallet }), `The permit is for the wallet ${otherWallet}. Yours is 0x7A3FB2c45D81e0926fc3ad4E17b9805F2e6DC91e.`],
  ['spender', says({ spender: otherWallet }), `The permit lets ${otherWallet} take your tokens. The router is 0x4b1c000000000000000000000000000000c082Fb.`],
  ['value', says({ value: '100500001' }), 'The permit is for 100.500001 USDC. You asked for 100.50 USDC.'],
  ['value', says({ value: '100499999' }), 'The permit is for 100.499999 USDC. You asked for 100.50 USDC.'],
  ['value', says({ value: '1005000000' }), 'The permit is for 1,005.00 USDC. You asked for 100.50 USDC.'],
  ['value', says({ value: (2n ** 256n - 1n).toString() }), 'The permit lets the router take USDC without a limit. You asked for 100.50 USDC.'],
  ['nonce', says({ nonce: '4' }), 'The permit has the nonce 4. The next one of your wallet is 3.'],
  ['deadline', says({ deadline: String(nowMs / 1_000 + 3_600) }), 'The permit is valid until 15:32:08 UTC, for 1 h. The limit is: At most 5 min.'],
  ['deadline', says({ deadline: (2n ** 256n - 1n).toString() }), 'The permit would never expire.'],
  ['deadline', says({ deadline: String(nowMs / 1_000) }), 'The permit is valid until 14:32:08 UTC, expired. The limit is: At most 5 min.'],
  ['domain.verifyingContract', inDomain({ verifyingContract: otherWallet }), `The permit is for the token ${otherWallet}. Your collateral is ${token}.`],
  ['domain.chainId', inDomain({ chainId: 1 }), 'The permit is for another chain: Chain 1. It must be Base (8453).'],
]

test.each(mutations)('the app refuses a permit that states another %s than expected, and names the wrong field [FLOW-04]', (_field, change, sentence) => {
  const { comparison } = compare(change)
  expect([comparison.verdict, comparison.sentence]).toEqual(['block', sentence])
})

test('the tests in this file change every field of the permit message [FLOW-04]', () => {
  const named = new Set(mutations.map(([field]) => field))
  expect(permit().types.Permit?.filter(({ name }) => !named.has(name))).toEqual([])
})

test('the app refuses every permit amount except the requested amount, in any signing format [FLOW-04]', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n })), fc.boolean(), (units, known) => {
      fc.pre(units !== 100_500_000n)
      expect(compare(says({ value: units.toString() }), known ? {} : { formats: [] }).comparison.verdict).toBe('block')
    }),
  )
})

test.each<[string, Alteration]>([
  [
    'an allowance without an amount',
    (data) => {
      data.types.Permit = [
        { name: 'holder', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'expiry', type: 'uint256' },
        { name: 'allowed', type: 'bool' },
      ]
      data.message = { holder: wallet, spender: router, nonce: '3', expiry: '1', allowed: true }
    },
  ],
  [
    'a permit with one more value',
    (data) => {
      data.types.Permit?.push({ name: 'extra', type: 'address' })
      data.message.extra = otherWallet
    },
  ],
  ['fields in another order', (data) => void data.types.Permit?.reverse()],
  [
    'another name',
    (data) => {
      data.types = { PermitSingle: data.types.Permit ?? [] }
      data.primaryType = 'PermitSingle'
    },
  ],
])('the app blocks a message that is not a standard permit: %s [FLOW-04]', (_what, change) => {
  const { comparison } = compare(change, { formats: [] })
  expect(comparison.verdict).toBe('block')
  expect(comparison.sentence).toMatch(/^The message is not an EIP-2612 permit/)
})

test('the app asks the user once about a permit with an unexpected token name, because that name makes a new signing format [FLOW-04]', () => {
  const first = compare(inDomain({ name: 'Other Coin' }))
  expect([first.comparison.verdict, first.comparison.formatKnown]).toEqual(['confirm', false])
  expect(compare(inDomain({ name: 'Other Coin' }), { formats: [first.pin] }).comparison.verdict).toBe('pass')
})

test('the app shows a salt in a permit’s domain, and asks the user about the salt each time [FLOW-04]', () => {
  const salted: Alteration = (data) => {
    data.domain.salt = `0x${'ab'.repeat(32)}`
    data.types.EIP712Domain?.push({ name: 'salt', type: 'bytes32' })
  }
  const { pin } = compare(salted)
  const { comparison } = compare(salted, { formats: [pin] })
  expect([comparison.verdict, comparison.lines.find(({ id }) => id === 'domain.salt')?.verdict]).toEqual(['confirm', 'unmatched'])
})

test('the app describes how much a permit’s amount differs from the deposit, for example “10 times your deposit”', () => {
  const remark = (value: bigint) => remarkText(compare(says({ value: value.toString() })).comparison.lines.find(({ id }) => id === 'amount')?.remark ?? null)
  expect([remark(100_500_000n), remark(1_005_000_000n), remark(2n ** 200n)]).toEqual([null, '10 times your deposit', null])
})

test('the app asks the user to confirm a permit’s router or token that the user does not trust yet [FLOW-04]', () => {
  for (const change of [{ router: null }, { token: null }, { token: { by: 'service', address: token, instead: null } as const }])
    expect(compare(() => {}, change).comparison.verdict).toBe('confirm')
})

test('the app refuses a permit only for an already signed nonce if the chain does not report the next permit nonce [FLOW-04]', () => {
  expect(compare(() => {}, { nonce: null }).comparison.verdict).toBe('pass')
  const used = compare(() => {}, { nonce: null, nonceUsed: (nonce) => nonce === '3' })
  expect([used.comparison.verdict, used.comparison.sentence]).toEqual(['block', 'The permit has a nonce that was signed before: 3.'])
})
