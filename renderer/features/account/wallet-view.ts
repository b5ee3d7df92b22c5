import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { WatchedWallet } from '../../../shared/ipc/reads/watched-wallets.ts'

/** Whose account is shown. */
export interface WalletView {
  /** As the contract takes it: null is the connected wallet. */
  readonly watch: string | null
  readonly watched: WatchedWallet | null
}

/** What a tab was read, or why it was not. */
export interface TabRead<T> {
  readonly rows: readonly T[] | undefined
  /** What the rows lack. */
  readonly missing: Missing | undefined
  readonly failure: Failure | null
  readonly retry: () => void
}
