import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import type { ContractCheck } from './signing-message.ts'

/** The contracts that a message names, without those that it does not. */
export const contractChecks = ({
  token = null,
  router,
}: {
  readonly token?: RouterCheck | null
  readonly router: RouterCheck | null
}): readonly ContractCheck[] => [
  ...(token === null ? [] : [{ what: 'collateral token' as const, check: token }]),
  ...(router === null ? [] : [{ what: 'router' as const, check: router }]),
]
