import type { ConsoleKey, KeySummary } from '../../shared/ipc/keys/keys.ts'
import { fail, ok } from '../../shared/result.ts'
import type { Handlers } from '../kernel/handlers.ts'
import type { Credentials, KeyFacts } from '../service/credentials/credentials.ts'
import type { WalletReport } from '../wallet/connection/wallet.ts'
import type { CustomKeys } from './issuance/custom-key.ts'

export interface ConsoleKeyDeps {
  readonly credentials: Credentials
  readonly wallet: Pick<WalletReport, 'connected' | 'shown'>
  readonly create: CustomKeys['create']
}

/** What the app itself needs to read, and nothing more. */
const readScopes = ['market:read', 'account:read'] as const
const label = 'Svc Desk console'
const days = 90

const reads = (key: KeyFacts): boolean => key.scopes !== null && readScopes.every((scope) => key.scopes?.includes(scope))

/**
 * The key that the app reads with. One of its own may do nothing else; without one it reads with whichever key of the wallet may, and the
 * markets by their public routes where none may.
 */
export function createConsoleKey({ credentials, wallet, create }: ConsoleKeyDeps): Handlers<'keys.console' | 'keys.createConsole' | 'keys.useForConsole'> {
  const shown = ({ keyId, label: name, scopes, expiresAtMs }: KeyFacts) => ({ id: keyId, label: name, scopes, expiresAtMs })

  return {
    'keys.console': () => {
      const whose = wallet.shown()
      if (!whose.ok) return whose
      if (whose.value === null) return ok<ConsoleKey>({ state: 'none', key: null, choices: [] })
      const usable = credentials.usable(whose.value)
      const own = usable.find(({ keyId }) => keyId === credentials.consoleKey(whose.value ?? ''))
      const found = own ?? usable.find((key) => key.scopes?.includes('account:read') ?? true)
      return ok<ConsoleKey>({
        state: own !== undefined ? 'own' : found !== undefined ? 'borrowed' : 'none',
        key: found === undefined ? null : shown(found),
        choices: usable.filter(reads).map(shown),
      })
    },
    'keys.createConsole': async () => {
      const made = await create({ label, scopes: [...readScopes], expiresInDays: days, ipAllowlist: [], quotas: [] })
      if (!made.ok) return made
      const connected = wallet.connected()
      if (connected.ok) credentials.readWith(connected.value.address, made.value.id)
      return ok<KeySummary>(made.value)
    },
    'keys.useForConsole': ({ keyId }) => {
      const connected = wallet.connected()
      if (!connected.ok) return connected
      const { address } = connected.value
      if (keyId !== null && !credentials.usable(address).some((key) => key.keyId === keyId && reads(key))) return fail({ kind: 'not_found', what: 'key' })
      credentials.readWith(address, keyId)
      return ok({})
    },
  }
}
