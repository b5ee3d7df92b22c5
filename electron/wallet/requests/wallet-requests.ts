import type { Hex } from 'viem'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { baseChainId } from '../../kernel/profile-facts.ts'
import type { Chain } from '../chain/chain.ts'
import type { WalletReport } from '../connection/wallet.ts'

type Without<Request, Common extends PropertyKey> = Request extends unknown ? Omit<Request, Common> : never
/** A text or a message to sign, or a transaction to send. */
export type Asked = Without<SignRequest, 'wallet' | 'chainId' | 'expiresAtMs'>

/** Something that a wallet is asked for. */
export interface WalletRequest {
  readonly wallet: string
  /** Unix ms of the service's time: nothing is asked for later. */
  readonly expiresAtMs: number
  /** Reads and compares it again, and takes the user's word. `begin` writes it down: the phone may answer while this app is dead. */
  read(): Promise<Result<{ readonly asked: Asked; begin(): unknown }, Failure>>
  /** Its time passed while it was read. */
  over(): Promise<Failure> | Failure
}

/** Why the wallet gave nothing. */
export type Declined = 'rejected' | 'expired' | 'cancelled' | 'unreachable' | 'failed'

/**
 * What it means that the wallet gave nothing. `over`: the user does not want it. `again`: the same may be asked for until its time is over. `unknown`: the
 * phone may still show the transaction, and broadcast it. `isDelivered`: the request left for the phone.
 */
export function meaningOf(method: Asked['method'], why: Declined, isDelivered: boolean): 'over' | 'again' | 'unknown' {
  if (why === 'rejected') return 'over'
  if (method !== 'eth_sendTransaction') return why === 'cancelled' ? 'over' : 'again'
  return isDelivered ? 'unknown' : 'again'
}

export interface WalletRequests {
  /** Agrees that the page asks the wallet. Fails where the wallet is another one, or its time is over, or `read` does. */
  ask(request: WalletRequest): Promise<Result<SignRequest, Failure>>
  /** A signature held against our own copy of what was asked for: one of anything else never leaves. */
  verified(wallet: string, digest: Hex, given: string): Promise<Result<string, Failure>>
}

export interface WalletRequestsDeps {
  readonly wallet: Pick<WalletReport, 'signer'>
  readonly chain: Pick<Chain, 'verify'>
  /** The service's time. */
  readonly clock: Clock
}

/** The one conversation with the wallet: of sign-ins, grants, signatures and transactions. */
export function createWalletRequests({ wallet, chain, clock }: WalletRequestsDeps): WalletRequests {
  return {
    ask: async ({ wallet: address, expiresAtMs, read, over }) => {
      const signer = wallet.signer(address)
      if (!signer.ok) return signer
      const found = await read()
      if (!found.ok) return found
      // The wallet may have moved to another chain or account while the contract or the chain was looked up, and the deadline may have passed.
      const still = wallet.signer(address)
      if (!still.ok) return still
      if (clock.now() >= expiresAtMs) return fail(await over())
      await found.value.begin()
      return ok({ ...found.value.asked, wallet: address, chainId: baseChainId, expiresAtMs })
    },
    verified: async (address, digest, given) => {
      const verdict = await chain.verify(address, digest, given)
      if (!verdict.ok) return verdict
      const { value } = verdict
      return value.valid ? ok(value.signature) : fail({ kind: 'signature_invalid', expected: address, recovered: value.recovered })
    },
  }
}
