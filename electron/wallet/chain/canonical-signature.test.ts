import {
  type Hex,
  hashMessage,
  hexToBigInt,
  numberToHex,
  parseSignature,
  recoverAddress,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { canonicalSignature } from './chain.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hash = hashMessage('hello')

test('the app converts every valid form of a plain account’s signature (high s, compact, v of 0 or 1) to the same canonical one [F20]', async () => {
  for (let count = 0; count < 20; count += 1) {
    const account = privateKeyToAccount(generatePrivateKey())
    const signature = await account.sign({ hash })
    const { r, s, yParity } = parseSignature(signature)
    const mirrored = serializeSignature({ r, s: numberToHex(order - hexToBigInt(s), { size: 32 }), yParity: 1 - yParity })
    const counted = `${signature.slice(0, -2)}0${yParity}` as Hex
    const compact = serializeCompactSignature(signatureToCompactSignature({ r, s, yParity }))
    expect(await recoverAddress({ hash, signature: mirrored })).toBe(account.address)
    for (const given of [signature, mirrored, counted, compact, signature.toUpperCase().replace('0X', '0x')]) expect(canonicalSignature(given)).toBe(signature)
  }
})

test.each([`0x${'ab'.repeat(97)}`, '0x', '', `0x${'ab'.repeat(64)}2a`, `0x${'00'.repeat(65)}`, 'hello'])(
  'the app never changes a signature value that is not a plain account’s signature: %s',
  (given) => {
    const canonical = canonicalSignature(given)
    expect(canonical === null || canonical === given).toBe(true)
  },
)
