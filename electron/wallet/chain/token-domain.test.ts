import { encodeAbiParameters, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { type ReadCall, readTokenDomain } from './balances.ts'

const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const whole = encodeAbiParameters(
  [{ type: 'bytes1' }, { type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }, { type: 'uint256[]' }],
  ['0x0f', 'USD Coin', '2', 8453n, zeroAddress, zeroHash, []],
)
const token =
  (answers: Readonly<Record<string, string>>): ReadCall =>
  async (_to, data) =>
    answers[data] ?? null

test('the app reads a token’s name and version for signing from its EIP 712 domain, or else from its name and version functions [FLOW-04]', async () => {
  expect(await readTokenDomain(token({ '0x84b0196e': whole }), zeroAddress)).toEqual({ name: 'USD Coin', version: '2' })
  expect(await readTokenDomain(token({ '0x06fdde03': text('USD Coin'), '0x54fd4d50': text('2') }), zeroAddress)).toEqual({ name: 'USD Coin', version: '2' })
  expect(await readTokenDomain(token({ '0x06fdde03': text('Dai') }), zeroAddress)).toEqual({ name: 'Dai', version: null })
})

test('the app finds no signing domain for a token whose domain cannot be read or has an unknown form [FLOW-04]', async () => {
  expect(await readTokenDomain(token({}), zeroAddress)).toBeNull()
  expect(await readTokenDomain(token({ '0x06fdde03': '0x' }), zeroAddress)).toBeNull()
  expect(await readTokenDomain(token({ '0x84b0196e': '0x1234', '0x06fdde03': '0xff' }), zeroAddress)).toBeNull()
})
