import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'
import { shorten } from '../../kit/short.ts'

/** An account that this profile does not take, and the one that it does. */
export interface RefusedAccount {
  readonly wallet: ConnectedWallet
  readonly expected: string
}

/** What people read of it. Only practice refuses accounts: a signature of its own wallet, with random keys, is worth nothing elsewhere. */
export function refusedText({ wallet, expected }: RefusedAccount): { readonly title: string; readonly why: string; readonly remedy: string } {
  return {
    title: `The phone shows ${shorten(wallet.address)}, which is not used here.`,
    why: `Practice works with its own wallet ${shorten(expected)} only, since what another one signs here would count on Base itself. Nothing is read, shown or signed for it.`,
    remedy: `Go back to ${shorten(expected)} on the phone, or unpair it.`,
  }
}
