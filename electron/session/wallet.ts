import { getAddress, isAddress } from 'viem'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { ConnectedWallet } from '../../shared/ipc/wallet.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Vault } from '../journal/journal.ts'
import { Secret } from '../secrets/secret.ts'
import { baseChainId, type ProfileFacts } from './profile-facts.ts'

export interface WalletDeps {
  readonly profile: ProfileFacts
  readonly vault: Vault
  /** Relay, project id and the page's own URL may change with the settings: asked each time. */
  readonly connection: () => { readonly relayUrl: string; readonly projectId: string; readonly appUrl: string }
}

export interface WalletReport {
  /** What the wallet library last said, its address checksummed. */
  current(): ConnectedWallet | null
  /** The connected wallet on whatever chain, or `no_wallet`. */
  connected(): Result<ConnectedWallet, Failure>
  /**
   * The wallet that may be asked to sign now: connected, on Base, and `expected` where given.
   * Fails with `no_wallet`, `wrong_wallet` or `wrong_chain` (What the service does 1).
   */
  signer(expected?: string): Result<ConnectedWallet, Failure>
  readonly handlers: Handlers<'wallet.bootstrap' | 'wallet.storage' | 'wallet.storageSet' | 'wallet.current' | 'wallet.report'>
}

/** Keeps what the renderer reports of the wallet, and WalletConnect's store, encrypted. */
export function createWallet({ profile, vault, connection }: WalletDeps): WalletReport {
  let reported: ConnectedWallet | null = null
  const storageName = `walletconnect/${profile.id}/`

  const connected = (): Result<ConnectedWallet, Failure> => (reported === null ? fail({ kind: 'no_wallet' }) : ok(reported))

  return {
    current: () => reported,
    connected,
    signer: (expected) => {
      const answer = connected()
      if (!answer.ok) return answer
      const { address, chainId } = answer.value
      if (expected !== undefined && expected !== address) return fail({ kind: 'wrong_wallet', wallet: address, expected })
      if (chainId !== baseChainId) return fail({ kind: 'wrong_chain', chainId, expected: baseChainId })
      return answer
    },
    handlers: {
      'wallet.bootstrap': async () => {
        const { relayUrl, projectId, appUrl } = connection()
        return ok({ relayUrl, projectId, appUrl, chainId: baseChainId, storagePrefix: `svc-desk-${profile.id}`, practice: profile.kind === 'practice' })
      },
      'wallet.storage': async () => {
        const entries = await vault.withPrefix(storageName)
        return ok(entries.map(({ name, value }): [string, string] => [name.slice(storageName.length), value.reveal()]))
      },
      'wallet.storageSet': async ({ key, value }) => {
        await vault.set(`${storageName}${key}`, value === null ? null : new Secret(value))
        return ok({})
      },
      'wallet.current': async () => ok(reported),
      'wallet.report': async (report) => {
        if (report === null) {
          reported = null
          return ok({})
        }
        if (!isAddress(report.address, { strict: false })) return fail({ kind: 'bad_input', field: 'address', issue: 'not an address' })
        const address = getAddress(report.address)
        // A practice signature would be valid on Base itself: same chain id, same domain.
        if (profile.kind === 'practice' && (profile.practiceWallet === null || getAddress(profile.practiceWallet) !== address)) {
          reported = null
          return fail({ kind: 'wrong_wallet', wallet: address, expected: profile.practiceWallet ?? 'none' })
        }
        reported = { ...report, address }
        return ok({})
      },
    },
  }
}
