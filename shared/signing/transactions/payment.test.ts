import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { isPhrase, unreadablePhrase } from '../../phrases.ts'
import { blockedText, lineValueText } from '../../text/comparison-text.ts'
import { paymentCallText } from '../../text/signing-text.ts'
import { explainPayment, type PaymentExpectation, type PaymentTransaction } from './payment.ts'

function spokenPayment(...given: Parameters<typeof explainPayment>) {
  const { blocked, lines, ...explained } = explainPayment(...given)
  const texts = lines.map((line) => ({ ...line, asked: line.asked && lineValueText(line.asked), signed: line.signed && lineValueText(line.signed) }))
  return { ...explained, lines: texts, sentence: blocked && blockedText(blocked) }
}

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const router = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const token = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const stranger = '0x000000000000000000000000000000000000dEaD'
const nowMs = Date.UTC(2026, 10, 18, 12)

const abi = [
  { type: 'function', name: 'approve', stateMutability: 'nonpayable', inputs: [{ type: 'address' }, { type: 'uint256' }], outputs: [] },
  { type: 'function', name: 'transfer', stateMutability: 'nonpayable', inputs: [{ type: 'address' }, { type: 'uint256' }], outputs: [] },
  { type: 'function', name: 'deposit', stateMutability: 'nonpayable', inputs: [{ type: 'uint256' }], outputs: [] },
] as const
const approve = (spender: `0x${string}`, units: bigint) => encodeFunctionData({ abi, functionName: 'approve', args: [spender, units] })

const expectation: PaymentExpectation = { wallet, amountUsdc: '25.5', role: 'collateral_token', router, nowMs }
const approval: PaymentTransaction = {
  kind: 'approval',
  from: wallet,
  to: token,
  data: approve(router, 25_500_000n),
  valueWei: 0n,
  chainId: null,
  deadlineMs: nowMs + 180_000,
  amountUsdc: '25.5',
}

test('the app describes an execution payment’s allowance for the router (exactly the requested amount), and requires a typed phrase [KEY-13, FLOW-03]', () => {
  const explained = spokenPayment(approval, expectation)
  expect(explained).toMatchObject({
    verdict: 'confirm',
    sentence: null,
    expectedPhrase: 'allow 25.5 USDC',
    call: {
      signature: 'approve(address,uint256)',
      arguments: [
        { name: 'spender', value: router },
        { name: 'amount', value: '25500000' },
      ],
    },
    spending: { asset: token, spender: router, amountUsdc: '25.5' },
  })
  expect(explained.lines.filter(({ verdict }) => verdict !== 'match')).toEqual([])
  expect(paymentCallText({ ...explained, target: { role: 'collateral_token', address: token, check: null } })).toMatch(
    /^Lets 0x\S+ take up to 25\.50 USDC from your wallet, at any time\. This spending right ends when it is used or revoked\./,
  )
})

test.each<[string, Partial<PaymentTransaction>, Partial<PaymentExpectation>, RegExp]>([
  ['another spender', { data: approve(stranger, 25_500_000n) }, {}, /lets 0x0+dEaD take your tokens/],
  ['no pinned router', {}, { router: null }, /you trust no router yet/],
  ['an amount without a limit', { data: approve(router, 2n ** 256n - 1n) }, {}, /without a limit/],
  ['another amount', { data: approve(router, 25_500_001n) }, {}, /is for 25\.500001 USDC. You asked for 25\.50 USDC/],
  ['ten times the amount', { data: approve(router, 255_000_000n) }, {}, /is for 255\.00 USDC/],
  ['bytes behind its arguments', { data: `${approve(router, 25_500_000n)}00` }, {}, /cannot read/],
  ['fewer bytes than its arguments', { data: approve(router, 25_500_000n).slice(0, -2) }, {}, /cannot read/],
  ['a transfer in place of an allowance', { data: encodeFunctionData({ abi, functionName: 'transfer', args: [router, 25_500_000n] }) }, {}, /cannot read/],
  ['no calldata', { data: '0x' }, {}, /cannot read/],
  ['another contract', { to: stranger }, { role: 'unknown' }, /neither the exchange router nor its collateral token/],
  ['another wallet', { from: stranger }, {}, /is for the wallet 0x0+dEaD/],
  ['ETH along with it', { valueWei: 1n }, {}, /sends 0\.000000000000000001 ETH along/],
  ['an unreadable value', { valueWei: null }, {}, /cannot be read/],
  ['another chain', { chainId: 1 }, {}, /another chain/],
  ['a deadline that is over', { deadlineMs: nowMs }, {}, /already expired/],
  ['another amount beside it', { amountUsdc: '2.55' }, {}, /states 2\.55 USDC beside it/],
])(
  'the app blocks an execution payment whose transaction has %s, even if the user types the phrase [KEY-13, FLOW-03]',
  (_what, transaction, expected, sentence) => {
    const explained = spokenPayment({ ...approval, ...transaction }, { ...expectation, ...expected })
    expect(explained).toMatchObject({ verdict: 'block', sentence: expect.stringMatching(sentence), expectedPhrase: null })
  },
)

test('the app labels an execution payment’s router calldata that it cannot read as unreadable, and requires the user to type a phrase [FLOW-03]', () => {
  const explained = spokenPayment({ ...approval, kind: 'action', to: router, data: '0xdeadbeef00' }, { ...expectation, role: 'router' })
  expect(explained).toMatchObject({ verdict: 'confirm', call: null, spending: null, expectedPhrase: unreadablePhrase })
  expect(explained.lines.find(({ id }) => id === 'function')).toMatchObject({ verdict: 'unmatched', signed: 'Unknown calldata, 0xdeadbeef' })
})

test('the app reads an execution payment that deposits collateral, and compares its amount with the requested amount', () => {
  const deposit = (units: bigint) => ({ ...approval, kind: 'action', to: router, data: encodeFunctionData({ abi, functionName: 'deposit', args: [units] }) })
  expect(spokenPayment(deposit(25_500_000n), { ...expectation, role: 'router' })).toMatchObject({ verdict: 'confirm', expectedPhrase: 'pay 25.5 USDC' })
  expect(spokenPayment({ ...deposit(1n), amountUsdc: null }, { ...expectation, role: 'router' }).verdict).toBe('block')
  expect(spokenPayment({ ...deposit(25_500_000n), kind: 'approval' }, { ...expectation, role: 'router' })).toMatchObject({
    verdict: 'block',
    sentence: expect.stringMatching(/but the service says that it is an approval/),
  })
})

test('the app accepts the transaction of an execution payment without its optional fields', () => {
  const explained = spokenPayment({ ...approval, kind: null, from: null, deadlineMs: null, amountUsdc: null }, expectation)
  expect(explained.verdict).toBe('confirm')
})

test('the app compares the phrase that the user typed with the required phrase, ignoring case and extra spaces', () => {
  expect(isPhrase('  Allow  25.5 usdc ', 'allow 25.5 USDC')).toBe(true)
  expect(isPhrase('allow 25 USDC', 'allow 25.5 USDC')).toBe(false)
  expect(isPhrase(null, 'allow 25.5 USDC')).toBe(false)
})
