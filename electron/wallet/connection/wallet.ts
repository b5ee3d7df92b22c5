import { getAddress, isAddress } from 'viem'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ConnectedWallet, WalletTaken } from '../../../shared/ipc/host/wallet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { baseChainId, type ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Vault } from '../../store/journal/journal.ts'

export interface WalletDeps {
  readonly profile: ProfileFacts
  readonly vault: Vault
  /** Returns the relay, the project ID and the page's URL. The caller asks for them each time, because the user may change the settings. */
  readonly connection: () => { readonly relayUrl: string; readonly projectId: string; readonly appUrl: string }
  /** The wallet last used on this computer; null if none. */
  readonly lastUsed: () => string | null
}

export interface WalletReport {
  /**
   * The wallet that the wallet library last reported, with a checksummed address. null if no wallet is connected, or if this profile refuses the
   * wallet's account.
   */
  current(): ConnectedWallet | null
  /** The connected wallet, on any chain. Fails with `no_wallet`, or with `wrong_wallet` if this profile refuses its account. */
  connected(): Result<ConnectedWallet, Failure>
  /**
   * Returns the only wallet whose data the app may show: the connected one, or else the last used one; null if there is none (Authentication 3).
   * Fails with `wrong_wallet` if this profile refuses the account.
   */
  shown(): Result<string | null, Failure>
  /**
   * The wallet that the app may ask to sign now: connected, on Base, and equal to `expected` if given. Fails with `no_wallet`, `wrong_wallet` or
   * `wrong_chain` (What the service does 1).
   */
  signer(expected?: string): Result<ConnectedWallet, Failure>
  readonly handlers: HandlersOf<'wallet'>
}

/** Like `WalletReport.shown`, but fails with `no_wallet` if there is no wallet. */
export function shownOwner(wallet: Pick<WalletReport, 'shown'>): Result<string, Failure> {
  const whose = wallet.shown()
  if (!whose.ok) return whose
  return whose.value === null ? fail({ kind: 'no_wallet' }) : ok(whose.value)
}

type ReportedWallet =
  | { readonly state: 'none' }
  | { readonly state: 'taken'; readonly wallet: ConnectedWallet }
  | { readonly state: 'refused'; readonly address: string; readonly expected: string }

/** Stores the wallet's state as the renderer reports it, and WalletConnect's data encrypted. */
export function createWallet({ profile, vault, connection, lastUsed }: WalletDeps): WalletReport {
  let reported: ReportedWallet = { state: 'none' }

  const current = (): ConnectedWallet | null => (reported.state === 'taken' ? reported.wallet : null)

  const connected = (): Result<ConnectedWallet, Failure> => {
    switch (reported.state) {
      case 'none':
        return fail({ kind: 'no_wallet' })
      case 'taken':
        return ok(reported.wallet)
      case 'refused':
        return fail({ kind: 'wrong_wallet', wallet: reported.address, expected: reported.expected })
    }
  }

  const shown = (): Result<string | null, Failure> => {
    const answer = connected()
    if (answer.ok) return ok(answer.value.address)
    return reported.state === 'none' ? ok(lastUsed()) : answer
  }
  const shownAddress = (): string | null => {
    const answer = shown()
    return answer.ok ? answer.value : null
  }

  const take = (next: ReportedWallet): WalletTaken => {
    const before = shownAddress()
    reported = next
    const now = shownAddress()
    // After a wallet disconnects, the screens still show its data until another wallet connects or this profile refuses an account.
    const changed = before !== null && before !== now && (now !== null || next.state === 'refused')
    return { state: next.state, expected: next.state === 'refused' ? next.expected : null, changed }
  }

  return {
    current,
    connected,
    shown,
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
        const entries = await vault.walletConnect.list({ profile: profile.id })
        return ok(entries.map(({ key, record }): [string, string] => [key.key, record.reveal()]))
      },
      'wallet.storageSet': async ({ key, value }) => {
        const place = { profile: profile.id, key }
        await (value === null ? vault.walletConnect.delete(place) : vault.walletConnect.write(place, new Secret(value)))
        return ok({})
      },
      'wallet.shown': async () => ok({ address: shownAddress(), connected: reported.state === 'taken' }),
      'wallet.report': async (report) => {
        if (report === null) return ok(take({ state: 'none' }))
        if (!isAddress(report.address, { strict: false })) return fail({ kind: 'bad_input', field: 'address', issue: 'not_an_address' })
        const address = getAddress(report.address)
        // In practice mode, refuse every wallet but the practice wallet. Practice has the same chain ID and signing domain as Base, so another
        // wallet's practice signatures would be valid on Base.
        const own = profile.practiceWallet === null ? 'none' : getAddress(profile.practiceWallet)
        if (profile.kind === 'practice' && own !== address) return ok(take({ state: 'refused', address, expected: own }))
        return ok(take({ state: 'taken', wallet: { ...report, address } }))
      },
    },
  }
}
