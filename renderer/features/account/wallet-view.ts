import type { WatchedWallet } from '../../../shared/ipc/watched-wallets.ts'

/** Whose account is shown. */
export interface WalletView {
  /** As the contract takes it: null is the connected wallet. */
  readonly watch: string | null
  readonly watched: WatchedWallet | null
}
