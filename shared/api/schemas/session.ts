import { z } from 'zod'
import { identifier, isRecord, looseObject, may, must, type Reader, text, time, wholeNumber } from '../loose.ts'
import { redact, secretPrefixes } from '../redact.ts'
import { boundFields } from '../unknown-fields.ts'
import { Address, HexSignature } from './inputs.ts'

export const ChallengeRequest = z.object({ wallet: Address })

/** Documented. `message` is kept exactly as received: it is what will be signed. */
export const Challenge = looseObject({
  wallet: may(['wallet'], text),
  message: must(['message'], text),
  nonce: must(['nonce'], identifier),
  expiresAtMs: may(['expires_at', 'expires_at_ms'], time),
  network: may(['network'], text),
  chainId: may(['chain_id'], wholeNumber),
})
export type Challenge = z.output<typeof Challenge>

export const SessionRequest = z.object({ wallet: Address, nonce: z.string().min(1), signature: HexSignature })

/** The developer profile, whose fields are not shown: as `UnknownFields`. */
const profile: Reader<string> = (value) => {
  const fields = isRecord(value) ? value : { developer: value }
  return Object.keys(fields).length === 0 ? undefined : boundFields(JSON.stringify(redact(fields)))
}

/** Documented. `developerSession` is a secret. */
export const DeveloperSession = looseObject({
  wallet: may(['wallet'], text),
  developerSession: must(['developer_session'], (value) => (typeof value === 'string' && value.startsWith(secretPrefixes.session) ? value : undefined)),
  expiresAtMs: must(['expires_at_ms', 'expires_at'], time),
  developer: may(['developer'], profile),
})
export type DeveloperSession = z.output<typeof DeveloperSession>
