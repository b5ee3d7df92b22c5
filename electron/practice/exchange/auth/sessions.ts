import { randomBytes } from 'node:crypto'
import { type Address, getAddress, isAddress, recoverMessageAddress } from 'viem'
import { type Clock, hour, minute } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { hashOf, newId, newSessionToken } from '../../base/tokens.ts'
import { isSignature } from '../../chain/wire-typed-data.ts'
import { type Ask, answer, invalid, type Reply, refuse } from '../http/reply.ts'
import type { ChallengeRow, SessionRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { Audit } from './audit-rows.ts'

/**
 * Lifetimes (API document: States): a challenge is valid for 5 minutes and is discarded after five wrong signatures. A session is valid for
 * 4 hours.
 */
const challengeLifetime = 5 * minute
const wrongSignatures = 5
const sessionLifetime = 4 * hour
const challengesKept = 1_000

export interface Sessions {
  challenge(ask: Ask): Reply
  open(ask: Ask): Promise<Reply>
  /** Returns the valid session whose token is in the `Authorization` header; null for anything else, including an API key. */
  of(authorization: string | undefined): SessionRow | null
}

export function createSessions({ store, clock, faults, audit }: { store: Store; clock: Clock; faults: Faults; audit: Audit }): Sessions {
  const { state } = store
  const discard = (challenge: ChallengeRow) => {
    state.challenges = state.challenges.filter((each) => each !== challenge)
  }
  return {
    challenge: (ask) => {
      const { wallet } = ask.body
      if (typeof wallet !== 'string' || !isAddress(wallet)) return invalid('wallet', 'must be an address')
      const now = clock.now()
      const address = getAddress(wallet)
      const nonce = randomBytes(16).toString('hex')
      const expiresAtMs = now + challengeLifetime
      const message = challengeMessage({ host: ask.host, wallet: address, nonce, expiresAtMs }, faults.challenge)
      state.challenges = state.challenges.filter((each) => each.expiresAtMs > now).slice(-challengesKept)
      state.challenges.push({ wallet: address, nonce, message, expiresAtMs, wrongSignatures: 0 })
      store.touch()
      return answer({ success: true, wallet: address, message, nonce, expires_at: new Date(expiresAtMs).toISOString(), network: 'Base', chain_id: 8453 })
    },
    open: async (ask) => {
      const { wallet, nonce, signature } = ask.body
      if (typeof wallet !== 'string' || !isAddress(wallet)) return invalid('wallet', 'must be an address')
      if (typeof nonce !== 'string') return invalid('nonce', 'must be a string')
      if (typeof signature !== 'string') return invalid('signature', 'must be a string')
      const address = getAddress(wallet)
      const challenge = state.challenges.find((each) => each.wallet === address && each.nonce === nonce)
      if (challenge === undefined) return refuse(401, 'CHALLENGE_NOT_FOUND', 'There is no such challenge; ask for a new one')
      if (clock.now() >= challenge.expiresAtMs) return refuse(410, 'CHALLENGE_EXPIRED', 'The challenge is older than 5 minutes; ask for a new one')
      if (!(await isPersonalSignature(address, challenge.message, signature))) {
        challenge.wrongSignatures += 1
        if (challenge.wrongSignatures >= wrongSignatures) discard(challenge)
        audit.change('session.refused', { wallet: address, key: null, ip: ask.ip, requestId: ask.requestId })
        store.commit()
        return refuse(401, 'BAD_SIGNATURE', 'The signature is not the wallet’s signature of the message')
      }
      // Check again: while this signature was being verified, another request may have used or discarded the challenge.
      if (!state.challenges.includes(challenge)) return refuse(401, 'CHALLENGE_NOT_FOUND', 'There is no such challenge; ask for a new one')
      discard(challenge)
      const token = newSessionToken()
      const now = clock.now()
      const session: SessionRow = { id: newId('ds_'), wallet: address, tokenHash: hashOf(token), createdAtMs: now, expiresAtMs: now + sessionLifetime }
      state.sessions = [...state.sessions.filter((each) => each.expiresAtMs > now), session]
      audit.change('session.created', { wallet: address, key: null, ip: ask.ip, requestId: ask.requestId })
      store.commit()
      return answer({
        success: true,
        wallet: address,
        developer_session: token,
        expires_at_ms: session.expiresAtMs,
        developer: { wallet: address, session_id: session.id },
      })
    },
    of: (authorization) => {
      const token = bearerOf(authorization)
      if (token === null || !token.startsWith('svcds1.')) return null
      const hash = hashOf(token)
      return state.sessions.find((each) => each.tokenHash === hash && clock.now() < each.expiresAtMs) ?? null
    },
  }
}

export const bearerOf = (authorization: string | undefined): string | null => /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null

async function isPersonalSignature(wallet: Address, message: string, signature: string): Promise<boolean> {
  if (!isSignature(signature)) return false
  try {
    return (await recoverMessageAddress({ message, signature })) === wallet
  } catch {
    return false
  }
}

interface Challenge {
  readonly host: string
  readonly wallet: Address
  readonly nonce: string
  readonly expiresAtMs: number
}

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')

const written = ({ host, wallet, nonce, expiresAtMs }: Challenge): string =>
  [
    `${host} asks you to sign in to`,
    'its developer area with your wallet:',
    wallet,
    '',
    'Network: Base (8453)',
    `Nonce: ${nonce}`,
    `Expires: ${seconds(expiresAtMs)}`,
    '',
    'Signing is free. It sends no transaction',
    'and gives no access to your funds.',
  ].join('\n')

/**
 * Writes the `message` of a developer challenge, which names wallet, host, network, nonce and expiry. If `fault` is set, one of these values is
 * wrong.
 */
function challengeMessage(challenge: Challenge, fault: Faults['challenge']): string {
  switch (fault) {
    case null:
      return written(challenge)
    case 'host':
      return written({ ...challenge, host: 'svc-dex.example.org' })
    case 'wallet':
      return written({ ...challenge, wallet: '0x000000000000000000000000000000000000dEaD' })
    case 'nonce':
      return written({ ...challenge, nonce: '0000000000000000' })
    case 'expiry':
      return written({ ...challenge, expiresAtMs: challenge.expiresAtMs + 86_400_000 })
    case 'hidden_characters':
      return written(challenge).replace('with your', 'with\u200b \u202eyour')
    case 'new_layout':
      return [
        `Sign in: ${challenge.host}`,
        `Account ${challenge.wallet} on Base, chain 8453`,
        `One-time code ${challenge.nonce}, good until ${seconds(challenge.expiresAtMs)}`,
      ].join('\n')
  }
}
