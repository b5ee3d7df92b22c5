import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import type { LeavingSecret } from './leaving-secret.ts'

/** A key, or a webhook, whose secret is on this computer. */
export interface HeldKey {
  readonly keyId: string
  readonly label: string
  readonly secret: LeavingSecret
}

/** The secret of a key or webhook of the connected wallet. Fails with `no_wallet`, `not_found` or `keychain`. */
export type HoldKey = (keyId: string) => Promise<Result<HeldKey, Failure>>
