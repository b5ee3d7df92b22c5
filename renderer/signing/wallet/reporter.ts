import type { StoreApi } from 'zustand'
import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'
import type { WalletStore } from './wallet-state.ts'

interface WalletScreens {
  /** Removes the data from the screens, because it belongs to another wallet. */
  drop(): void
  /** Reads the screens' data again. */
  refresh(): void
}

export interface Reporter {
  /** Reports the wallet of the current session to main, then shows whether main accepts it. `expected`: the id of the exchange's chain. */
  session(wallet: ConnectedWallet, expected: number): Promise<void>
  gone(by: 'by_wallet' | 'here' | null): Promise<void>
}

interface ReporterParts {
  readonly call: IpcCall
  readonly store: StoreApi<WalletStore>
  readonly screens: WalletScreens
}

const same = (a: ConnectedWallet, b: ConnectedWallet): boolean => a.address === b.address && a.chainId === b.chainId && a.topic === b.topic

/**
 * Reports wallet changes to main in order, and shows a wallet only after main has answered. So the window never shows a new wallet while main still
 * uses the old one. The old wallet's data leaves the screens at the same moment (AUTH-03).
 */
export function createReporter({ call, store, screens }: ReporterParts): Reporter {
  /** The last wallet that this window reported to main. `null`: reported that no wallet is connected. `undefined`: nothing reported yet. */
  let told: ConnectedWallet | null | undefined
  let last: Promise<void> = Promise.resolve()

  const tell = async (wallet: ConnectedWallet | null) => {
    const answer = await call('wallet.report', wallet)
    const taken = answer.ok ? answer.value : null
    const otherWallet = taken?.changed ?? false
    if (otherWallet) screens.drop()
    else if (told?.address !== wallet?.address) screens.refresh()
    told = wallet
    return { otherWallet, expected: taken?.state === 'refused' ? taken.expected : null }
  }
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work)
    return last
  }

  return {
    session: (wallet, expected) =>
      inOrder(async () => {
        if (told != null && same(told, wallet)) return
        const taken = await tell(wallet)
        if (taken.expected === null) store.getState().apply({ type: 'session', wallet, expected, otherWallet: taken.otherWallet })
        else store.getState().apply({ type: 'refused', wallet, expected: taken.expected, otherWallet: taken.otherWallet })
      }),
    gone: (by) =>
      inOrder(async () => {
        const { otherWallet } = told === null ? { otherWallet: false } : await tell(null)
        store.getState().apply({ type: 'gone', by, otherWallet })
      }),
  }
}
