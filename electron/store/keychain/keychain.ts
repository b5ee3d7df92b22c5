import { randomBytes } from 'node:crypto'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { Secret } from '../../kernel/secret.ts'
import type { KeychainFailure, SecretStore } from '../secrets/secret-store.ts'
import type { KeychainProcess } from './keychain-process.ts'

/** Maximum bytes of an entry on Windows. The app applies this limit on all systems, so that every computer can store the same secrets. */
const largestBytes = 2_560
const probeAccount = 'probe'

export interface KeychainParts {
  readonly process: KeychainProcess
  /** The service name of the app's entries in the system's keychain: `Svc Desk` or `Svc Desk Practice`. */
  readonly service: string
}

/** Creates access to the system's keychain through keytar. Never uses `findCredentials`, which crashes on a locked keyring. */
export function createKeychain({ process, service }: KeychainParts): SecretStore {
  const probes = `${service}.probe`

  /**
   * Writes a test entry, reads it back and removes it. If one of these steps fails, the keychain is not usable. A read alone is not enough, because
   * keytar returns null for a locked keychain as well as for a missing entry.
   */
  const probe = async (): Promise<Result<void, KeychainFailure>> => {
    const canary = randomBytes(12).toString('hex')
    const written = await process.call({ operation: 'set', service: probes, account: probeAccount, value: canary })
    if (!written.ok) return written
    const read = await process.call({ operation: 'get', service: probes, account: probeAccount, value: null })
    if (!read.ok) return read
    const removed = await process.call({ operation: 'delete', service: probes, account: probeAccount, value: null })
    if (!removed.ok) return removed
    return read.value === canary ? ok(undefined) : fail({ kind: 'keychain', code: 'failed', detail: 'not_read_back' })
  }

  return {
    async get(account) {
      if (!usable(account)) return invalid('name_form')
      const found = await process.call({ operation: 'get', service, account, value: null })
      if (!found.ok) return found
      if (typeof found.value === 'string') return ok(new Secret(found.value))
      const open = await probe()
      return open.ok ? ok(null) : open
    },
    async set(account, secret) {
      const value = secret.reveal()
      if (!usable(account) || !usable(value)) return invalid('value_form')
      if (Buffer.byteLength(value) > largestBytes) return invalid(`value_over ${largestBytes}`)
      const written = await process.call({ operation: 'set', service, account, value })
      return written.ok ? ok(undefined) : written
    },
    async delete(account) {
      if (!usable(account)) return invalid('name_form')
      const removed = await process.call({ operation: 'delete', service, account, value: null })
      if (!removed.ok) return removed
      if (removed.value === true) return ok(true)
      const open = await probe()
      return open.ok ? ok(false) : open
    },
    probe,
    close: () => process.close(),
  }
}

/** True if keytar can store the text: it refuses empty text, and cuts text off at NUL. */
const usable = (text: string): boolean => text !== '' && !text.includes('\0')

const invalid = (detail: string): { readonly ok: false; readonly failure: KeychainFailure } => fail({ kind: 'keychain', code: 'invalid', detail })
