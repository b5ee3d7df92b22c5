import type { AccountSource } from '../../../shared/ipc/account-history.ts'
import type { WatchedWallet } from '../../../shared/ipc/watched-wallets.ts'

/** Whose account is shown. */
export interface WalletView {
  /** As the contract takes it: null is the connected wallet. */
  readonly watch: string | null
  readonly watched: WatchedWallet | null
}

/** Where it was read, in a few words. */
export const sourceWords = (source: AccountSource): string =>
  source.route === 'versioned' ? `with ${source.keyLabel ?? 'a key'}` : 'by the public routes, without a key'
