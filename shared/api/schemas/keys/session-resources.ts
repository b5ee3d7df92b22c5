import { z } from 'zod'
import { type AnswerOf, oneOf } from '../../reader/answer.ts'
import { documentedMay, documentedMust, type Kind } from '../../reader/field.ts'
import { count, custom, id, isRecord, text, time } from '../../reader/kinds.ts'
import { resource } from '../../reader/resource.ts'
import { isSecret, redact } from '../../redact.ts'
import { boundFields } from '../../unknown-fields.ts'
import { Address, HexSignature } from '../page.ts'

export const ChallengeRequest = z.object({ wallet: Address })

/** The text of the sign-in message. It is kept exactly as received and at any length, because the wallet signs it. */
const message: Kind<string> = custom('text', (value) => (typeof value === 'string' && value !== '' ? value : undefined))

/** A sign-in challenge, as the API document shows it. `message` is kept exactly as received, because the wallet signs it. */
export const Challenge = oneOf(
  resource({
    name: 'challenge',
    words: ['challenge'],
    sentence: null,
    source: '',
    fields: {
      wallet: documentedMay(['wallet'], text),
      message: documentedMust(['message'], message),
      nonce: documentedMust(['nonce'], id),
      expiresAtMs: documentedMay(['expires_at', 'expires_at_ms'], time),
      network: documentedMay(['network'], text),
      chainId: documentedMay(['chain_id'], count),
    },
  }),
)
export type Challenge = AnswerOf<typeof Challenge>

export const SessionRequest = z.object({ wallet: Address, nonce: z.string().min(1), signature: HexSignature })

/** The developer profile as `UnknownFields`: the API document does not show its fields. */
const profile: Kind<string> = custom('profile', (value) => {
  const fields = isRecord(value) ? value : { developer: value }
  return Object.keys(fields).length === 0 ? undefined : boundFields(JSON.stringify(redact(fields)))
})

/** The session after a sign-in, as the API document shows it. `developerSession` is a secret. */
export const DeveloperSession = oneOf(
  resource({
    name: 'developer_session',
    words: ['session'],
    sentence: null,
    source: '',
    fields: {
      wallet: documentedMay(['wallet'], text),
      developerSession: documentedMust(
        ['developer_session'],
        custom('secret', (value) => (isSecret('session', value) ? value : undefined)),
      ),
      expiresAtMs: documentedMust(['expires_at_ms', 'expires_at'], time),
      developer: documentedMay(['developer'], profile),
    },
  }),
)
export type DeveloperSession = AnswerOf<typeof DeveloperSession>
