import {
  compactSignatureToSignature,
  type Hex,
  hexToBigInt,
  numberToHex,
  parseCompactSignature,
  parseSignature,
  type Signature,
  serializeSignature,
} from 'viem'

/** Half the order of secp256k1. A signature above it is as good, but OpenZeppelin's contracts refuse it. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const plain = /^0x[0-9a-fA-F]{130}$/
const compact = /^0x[0-9a-fA-F]{128}$/

/**
 * The signature of a plain account in the one form that every verifier takes: 65 bytes, `s` in the lower half, `v` 27 or 28.
 * From 65 bytes of any `s` with `v` 0, 1, 27 or 28, or from the 64 bytes of EIP-2098. null: neither, as from a contract wallet.
 */
export function canonicalSignature(signature: string): Hex | null {
  try {
    if (compact.test(signature)) return low(compactSignatureToSignature(parseCompactSignature(signature as Hex)))
    if (!plain.test(signature)) return null
    return low(parseSignature(signature as Hex))
  } catch {
    return null
  }
}

function low({ r, s, v, yParity = v === 28n ? 1 : 0 }: Signature): Hex {
  const value = hexToBigInt(s)
  const isHigh = value > order / 2n
  return serializeSignature({ r, s: numberToHex(isHigh ? order - value : value, { size: 32 }), yParity: isHigh ? 1 - yParity : yParity })
}
