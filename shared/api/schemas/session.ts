import { z } from 'zod'
import { anything, identifier, looseObject, may, must, text, time, wholeNumber } from '../loose.ts'
import { secretPrefixes } from '../redact.ts'
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

/** Documented. `developerSession` is a secret. */
export const DeveloperSession = looseObject({
  wallet: may(['wallet'], text),
  developerSession: must(['developer_session'], (value) => (typeof value === 'string' && value.startsWith(secretPrefixes.session) ? value : undefined)),
  expiresAtMs: must(['expires_at_ms', 'expires_at'], time),
  developer: may(['developer'], anything),
})
export type DeveloperSession = z.output<typeof DeveloperSession>
