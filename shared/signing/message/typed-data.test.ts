import fc from 'fast-check'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { digestByTheStandard } from '../../../e2e/support/fixtures/eip712.ts'
import { inDomain, openPosition, otherWallet, type RawTypedData, read, says } from '../../../e2e/support/fixtures/typed-data.ts'
import { IntentReason } from '../../ipc/intents/reasons.ts'
import { reasonText } from '../../text/reason-text.ts'
import { parseTypedData } from './typed-data.ts'

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)

test('the app computes the same digest of typed data that a wallet computes for the data from the app [FLOW-02]', async () => {
  const data = read(openPosition())
  const sent = JSON.parse(data.json)
  expect(digestByTheStandard(sent)).toBe(data.digest)
  const signature = await account.signTypedData(sent)
  expect(await recoverTypedDataAddress({ ...sent, signature })).toBe(account.address)
})

test('the app computes the same digest if a typed-data message contains its numbers as numbers, decimal text or hex text', () => {
  const data = openPosition()
  data.message = { ...data.message, pairId: 1, leverage: '0xa', orderValue: 25_000_000_000 }
  data.domain.chainId = '0x2105'
  expect(read(data).digest).toBe(read(openPosition()).digest)
  expect(read(JSON.stringify(openPosition())).digest).toBe(read(openPosition()).digest)
})

test('the app keeps all digits of numbers in typed data that are too large for a JavaScript number', () => {
  const data = openPosition()
  data.message.nonce = '13835058055282163713'
  const text = JSON.stringify(data).replace('"13835058055282163713"', '13835058055282163713')
  expect(read(text).digest).toBe(read(data).digest)
})

const oddName = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '$Leg', 'a$b', 'Leg', 'size', 'types', 'length')
const oddType = fc.constantFrom('string', 'uint256', 'address', 'bytes32', 'bool', 'Leg', 'Leg[]', '$Leg', '__proto__', 'uint256[2]', 'constructor')
const oddValue = fc.constantFrom<unknown>('1', 1, '0x12', `0x${'12'.repeat(20)}`, `0x${'12'.repeat(32)}`, true, [], ['1', '2'], {}, { size: '1' }, null)
const fitting: readonly (readonly [string, unknown])[] = [
  ['string', '1'],
  ['uint256', 1],
  ['address', `0x${'12'.repeat(20)}`],
  ['bytes32', `0x${'12'.repeat(32)}`],
  ['bool', true],
  ['Leg', { size: '1' }],
  ['Leg[]', []],
  ['$Leg', { size: '1' }],
  ['uint256[2]', ['1', '2']],
]
/**
 * Half of the generated pairs combine a type with a fitting value, so that the app accepts enough messages. The other half combine any type with any
 * value.
 */
const typeAndValue = fc.oneof(fc.constantFrom(...fitting), fc.tuple(oddType, oddValue))

test('the app either refuses typed data with a reason or sends the wallet exactly what it compared, for any names and types [V11] [F16]', () => {
  let accepted = 0
  fc.assert(
    fc.property(
      oddName,
      fc.uniqueArray(oddName, { minLength: 1, maxLength: 3 }),
      typeAndValue,
      typeAndValue,
      (primaryType, names, [first, one], [other, two]) => {
        const fields = names.map((name, index) => ({ name, type: index === 0 ? first : other }))
        const record = (entries: readonly (readonly [string, unknown])[]) =>
          `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
        const types = `{${JSON.stringify(primaryType)}:${JSON.stringify(fields)},"Leg":[{"name":"size","type":"uint256"}],"$Leg":[{"name":"size","type":"uint256"}]}`
        const message = record(names.map((name, index) => [name, index === 0 ? one : two]))
        const source = `{"types":${types},"primaryType":${JSON.stringify(primaryType)},"domain":{"name":"Svc","chainId":8453},"message":${message}}`
        const parsed = parseTypedData(source)
        if (!parsed.ok) {
          expect(reasonText(IntentReason.parse({ code: 'typed_data', by: parsed.failure.problem }))).toMatch(/\.$/)
          return
        }
        accepted += 1
        const sent = JSON.parse(parsed.value.json)
        expect(digestByTheStandard(sent)).toBe(parsed.value.digest)
        expect(Object.keys(sent.message).sort()).toEqual([...names].sort())
      },
    ),
    { numRuns: 4_000 },
  )
  expect(accepted).toBeGreaterThan(50)
})

const refusals: readonly (readonly [string, (data: RawTypedData) => void, string])[] = [
  ['an undeclared value', says({ extra: 1 }), 'The message contains “extra”, which its types do not declare.'],
  ['a missing value', (data) => void delete data.message.side, 'The message does not contain side.'],
  ['a doubled field', (data) => void data.types.OpenPosition?.push({ name: 'side', type: 'string' }), 'The type OpenPosition has the field side twice.'],
  ['an unknown type', (data) => void data.types.OpenPosition?.push({ name: 'x', type: 'Order' }), 'The type Order is unknown.'],
  ['a type of the prototype', (data) => void data.types.OpenPosition?.push({ name: 'x', type: 'constructor' }), 'The type constructor is unknown.'],
  [
    'a field that libraries hash differently',
    (data) => void data.types.OpenPosition?.push({ name: 'a$b', type: 'string' }),
    'The type OpenPosition has a field with the forbidden name “a$b”.',
  ],
  [
    'a field that would not arrive',
    (data) => void data.types.OpenPosition?.push({ name: '__proto__', type: 'string' }),
    'The type OpenPosition has a field with the forbidden name “__proto__”.',
  ],
  ['an integer of odd size', (data) => void data.types.OpenPosition?.push({ name: 'x', type: 'uint7' }), 'The type uint7 is unknown.'],
  [
    'a struct with the name of a plain type',
    (data) => void Object.assign(data, { types: { uint256: [{ name: 'x', type: 'string' }] }, primaryType: 'uint256' }),
    'The type name “uint256” is not allowed.',
  ],
  ['a cycle', (data) => void data.types.OpenPosition?.push({ name: 'x', type: 'OpenPosition[]' }), 'The type OpenPosition contains itself.'],
  ['a number out of range', says({ orderValue: (2n ** 256n).toString() }), 'orderValue is out of range for uint256.'],
  ['a negative number', says({ orderValue: '-1' }), 'orderValue is out of range for uint256.'],
  ['a fraction', says({ orderValue: '1.5' }), 'orderValue is not a whole number.'],
  ['an unsafe number', says({ orderValue: 2 ** 60 }), 'orderValue is not a whole number.'],
  ['a word for a boolean', says({ postOnly: 'false' }), 'postOnly is neither true nor false.'],
  ['a short address', says({ trader: '0x12' }), 'trader is not an address.'],
  ['broken text', says({ side: 'long\ud800' }), 'side contains broken characters.'],
  ['a domain field that its type lacks', (data) => void data.types.EIP712Domain?.pop(), 'The domain and its declared type do not match.'],
  ['a domain type in another order', (data) => void data.types.EIP712Domain?.reverse(), 'The domain and its declared type do not match.'],
  ['a domain field that EIP-712 does not know', inDomain({ router: '1' }), 'The domain contains “router”, which EIP-712 does not define.'],
  ['the domain as message', (data) => void Object.assign(data, { primaryType: 'EIP712Domain' }), 'The typed data does not name its primary type.'],
  ['an unknown primary type', (data) => void Object.assign(data, { primaryType: 'Nothing' }), 'The type Nothing is unknown.'],
  ['no types', (data) => void Object.assign(data, { types: null }), 'The service sent no typed data.'],
]

test.each(refusals)('the app refuses to sign typed data with %s [FLOW-02]', (_name, change, sentence) => {
  const data = openPosition()
  change(data)
  const parsed = parseTypedData(data)
  expect(parsed).toEqual({ ok: false, failure: { kind: 'typed_data', problem: expect.anything() } })
  // Parsing with the journal's schema checks that the journal can store this reason.
  expect(!parsed.ok && reasonText(IntentReason.parse({ code: 'typed_data', by: parsed.failure.problem }))).toBe(sentence)
})

test('the app sends the wallet only the parts of a message that it has checked', () => {
  const data = Object.assign(openPosition(), { note: 'hello' })
  data.types.Unused = [{ name: 'x', type: 'string' }]
  const sent = JSON.parse(read(data).json)
  expect(Object.keys(sent).sort()).toEqual(['domain', 'message', 'primaryType', 'types'])
  expect(Object.keys(sent.types)).toEqual(['EIP712Domain', 'OpenPosition'])
})

test('the app reads struct types of typed data in time proportional to their number, even if they refer to each other many times', () => {
  const data = openPosition()
  for (let index = 0; index < 7; index += 1)
    data.types[`T${index}`] = Array.from({ length: 60 }, (_, field) => ({ name: `f${field}`, type: `T${index + 1}[]` }))
  data.types.T7 = [{ name: 'x', type: 'string' }]
  data.primaryType = 'T0'
  data.message = Object.fromEntries(Array.from({ length: 60 }, (_, field) => [`f${field}`, []]))
  expect(read(data).leaves).toHaveLength(60)
})

test('the app derives the hash of a signing format from a message’s types and domain, and not from its values [FLOW-02]', () => {
  const layout = (change: (data: RawTypedData) => void) => {
    const data = openPosition()
    change(data)
    return read(data).formatHash
  }
  const original = layout(() => {})
  expect(layout(says({ side: 'short' }))).toBe(original)
  expect(layout(inDomain({ verifyingContract: otherWallet }))).toBe(original)
  expect(layout((data) => void delete data.types.EIP712Domain)).toBe(original)
  expect(layout(inDomain({ name: 'Other' }))).not.toBe(original)
  expect(layout((data) => void data.types.OpenPosition?.reverse())).not.toBe(original)
})
