import type { Address } from 'viem'
import type { Faults } from '../../faults.ts'

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

/** Developer challenge, `message`: names the wallet, host, network, nonce and expiry, truly or as the fault wants it. */
export function challengeMessage(challenge: Challenge, fault: Faults['challenge']): string {
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
