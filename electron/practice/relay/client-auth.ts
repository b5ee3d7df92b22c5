import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { fail, ok, type Result } from '../../../shared/result.ts'

const Claims = z.object({ iss: z.string().startsWith('did:key:z'), aud: z.string(), exp: z.number() })

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Multicodec prefix of an Ed25519 public key. */
const ed25519Prefix = [0xed, 0x01]

/**
 * Checks the EdDSA token that a WalletConnect client puts into the relay's URL.
 * @returns the client's id (`did:key:z…`), or in a few words why the token is refused.
 */
export function authenticateClient(token: string, relayUrl: string, nowMs: number): Result<string, string> {
  const [head, body, signature, ...rest] = token.split('.')
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return fail('malformed token')
  const claims = Claims.safeParse(parseJson(Buffer.from(body, 'base64url').toString()))
  if (!claims.success) return fail('malformed claims')
  const key = decodeBase58(claims.data.iss.slice('did:key:z'.length))
  if (key === null || key.length !== 34 || key[0] !== ed25519Prefix[0] || key[1] !== ed25519Prefix[1]) return fail('the issuer is not an Ed25519 key')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(2).toString('base64url') }, format: 'jwk' })
  if (!verify(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))) return fail('wrong signature')
  if (claims.data.aud !== relayUrl) return fail('meant for another relay')
  if (claims.data.exp * 1_000 < nowMs) return fail('expired token')
  return ok(claims.data.iss)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** For the 34 bytes of a key, which never begin with a zero. */
function decodeBase58(text: string): Buffer | null {
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return null
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}
