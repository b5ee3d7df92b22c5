import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ConsoleKey, CustomKeyRequest, KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { type Credentials, type KeyFacts, markedLabel } from '../../service/credentials/credentials.ts'
import { heldBack } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { type KeyParts, quotaIssue } from '../calls/key-list.ts'
import type { Issuance, MayLeave } from './issuance.ts'

export interface CustomKeys {
  /**
   * Creates a key with chosen scopes in one call (KEY-01). Returns once the secret is stored in the keychain and was read back, or once it is kept in
   * memory because the keychain failed. `order`: the id and the purpose under which the journal records the creation, the key's wallet, and `mayLeave`,
   * which is called directly before the request and stops it with a failure. Fails like `Issuance.issue`, with `wrong_wallet` if another wallet is open now, or with `bad_input` for a quota that is not a number.
   */
  create(
    request: CustomKeyRequest,
    order?: { readonly operationId: string; readonly draft: string; readonly wallet: string; readonly mayLeave?: MayLeave | undefined },
  ): Promise<Result<KeySummary, Failure>>
}

export function createCustomKeys({ journal, credentials, calls, signIn }: KeyParts, issuance: Issuance): CustomKeys {
  return {
    create: async (request, order) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const issue = quotaIssue(request.quotas)
      if (issue !== null) return fail(issue)
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      const { session, wallet } = signed.value
      if (order !== undefined && order.wallet !== wallet) return fail({ kind: 'wrong_wallet', wallet, expected: order.wallet })
      const marker = issuance.newMarker()
      const made = await issuance.issue({
        operationId: order?.operationId ?? null,
        session,
        wallet,
        label: request.label,
        marker,
        asked: { scopes: request.scopes, allowlist: request.ipAllowlist, agent: null },
        draft: order?.draft ?? null,
        ...(order?.mayLeave !== undefined && { before: order.mayLeave }),
        send: () => calls.createCustom(session, request, markedLabel(request.label, marker)),
      })
      if (!made.ok) return made
      const { keyId, where, summary } = made.value
      return ok(summary ?? { ...unlisted(keyId, request, request.scopes), secret: where, inUse: credentials.inUse(wallet) === keyId })
    },
  }
}

/** Builds the summary of a new key from the app's own request. Used if the app could not read the service's key list after creating the key. */
export const unlisted = (
  id: string,
  { label, ipAllowlist, quotas }: Pick<CustomKeyRequest, 'label' | 'ipAllowlist'> & { readonly quotas?: CustomKeyRequest['quotas'] | undefined },
  scopes: string[] | null,
): Omit<KeySummary, 'secret' | 'inUse'> => ({
  id,
  label,
  scopes,
  scopesFrom: scopes === null ? null : 'asked',
  status: 'unknown',
  createdAtMs: null,
  expiresAtMs: null,
  lastUsedAtMs: null,
  allowlist: ipAllowlist,
  agent: null,
  executor: null,
  quotas: quotas ?? null,
  note: null,
  masked: 'SVC••••••••',
  unknownFields: null,
})

interface ConsoleKeyDeps {
  readonly credentials: Credentials
  readonly wallet: Pick<WalletReport, 'connected' | 'shown'>
  readonly create: CustomKeys['create']
}

/** The scopes that the app itself needs for reading. */
const readScopes = ['market:read', 'account:read'] as const
const label = 'Svc Desk console'
const days = 90

const reads = (key: KeyFacts): boolean => key.scopes !== null && readScopes.every((scope) => key.scopes?.includes(scope))

/**
 * Picks the key that the app uses to read. Prefers the read-only key that was created for the app; otherwise picks any key of the wallet that may
 * read the account. If the wallet has no such key, the app uses the public market routes.
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
