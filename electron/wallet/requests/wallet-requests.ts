import type { Hex } from 'viem'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { baseChainId } from '../../kernel/profile-facts.ts'
import type { Chain } from '../chain/chain.ts'
import type { WalletReport } from '../connection/wallet.ts'

type Without<Request, Common extends PropertyKey> = Request extends unknown ? Omit<Request, Common> : never
/** A text or message to sign, or a transaction to send. */
export type Asked = Without<SignRequest, 'wallet' | 'chainId' | 'expiresAtMs'>

/** A request to a wallet: to sign something or to send a transaction. */
export interface WalletRequest {
  readonly wallet: string
  /** The deadline, in Unix ms of the service's clock. After it, the app no longer asks the wallet. */
  readonly expiresAtMs: number
  /**
   * Reads the request's data again, compares the data with what the user confirmed, and checks what the user typed. Fails if anything differs.
   * The caller then calls `begin`, which writes the request to the journal. This happens before the wallet gets the request, because the phone may
   * answer while the app is not running.
   */
  read(): Promise<Result<{ readonly asked: Asked; begin(): unknown }, Failure>>
  /** Called if the deadline passes while `read` runs. Returns the failure that the app shows to the user. */
  over(): Promise<Failure> | Failure
}

/** Why the wallet returned no signature or hash. */
export type Declined = 'rejected' | 'expired' | 'cancelled' | 'unreachable' | 'failed'

/**
 * Returns what a missing answer means. `isDelivered`: whether the request was sent to the phone.
 * - `over`: the user declined or cancelled.
 * - `again`: the app may ask again until the deadline.
 * - `unknown`: the phone may still show the transaction and broadcast it.
 */
export function meaningOf(method: Asked['method'], why: Declined, isDelivered: boolean): 'over' | 'again' | 'unknown' {
  if (why === 'rejected') return 'over'
  if (method !== 'eth_sendTransaction') return why === 'cancelled' ? 'over' : 'again'
  return isDelivered ? 'unknown' : 'again'
}

interface WalletRequestsDeps {
  readonly wallet: Pick<WalletReport, 'signer'>
  readonly chain: Pick<Chain, 'verify'>
  /** The service's clock. */
  readonly clock: Clock
}

/** Every request to the wallet runs through here: sign-ins, grants, signatures and transactions. */
export function createWalletRequests({ wallet, chain, clock }: WalletRequestsDeps) {
  return {
    /** Lets the page ask the wallet. Fails if another wallet is connected, the deadline has passed, or `read` fails. */
    ask: async ({ wallet: address, expiresAtMs, read, over }: WalletRequest): Promise<Result<SignRequest, Failure>> => {
      const signer = wallet.signer(address)
      if (!signer.ok) return signer
      const found = await read()
      if (!found.ok) return found
      // `read` may take long. In the meantime, the wallet may have switched chain or account, or the deadline may have passed.
      const still = wallet.signer(address)
      if (!still.ok) return still
      if (clock.now() >= expiresAtMs) return fail(await over())
      await found.value.begin()
      return ok({ ...found.value.asked, wallet: address, chainId: baseChainId, expiresAtMs })
    },
    /** Checks a signature against the app's own copy of the request. The app never passes on a signature of anything else. */
    verified: async (address: string, digest: Hex, given: string): Promise<Result<string, Failure>> => {
      const verdict = await chain.verify(address, digest, given)
      if (!verdict.ok) return verdict
      const { value } = verdict
      return value.valid ? ok(value.signature) : fail({ kind: 'signature_invalid', expected: address, recovered: value.recovered })
    },
  }
}
