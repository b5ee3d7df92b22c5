import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { minute } from '../../../shared/time.ts'
import { secretsFound } from '../../kernel/notice-words.ts'
import type { StandingSecret } from '../../store/secrets/held-secrets.ts'
import type { KeyParts } from './key-deps.ts'

export interface Reindex {
  /**
   * Finds the secrets of listed keys that the keychain holds and the index does not name: a journal that was damaged or lost, or that a full disk
   * kept from being written, takes the index with it. Each key is looked for once in a journal's life, under its own names only. What is found is
   * tried with a call, and not taken where the service says that it is dead. Gives whether any was found.
   */
  run(wallet: string, keys: readonly KeySummary[]): Promise<boolean>
}

/** A keychain that failed is left alone for so long. */
const patienceMs = minute

export function createReindex({ profile, journal, credentials, calls, clock, emit }: Omit<KeyParts, 'list'>): Reindex {
  const { soughtKeys } = journal.records
  let notBefore = Number.NEGATIVE_INFINITY
  let running: Promise<boolean> | null = null

  /** The one that is not known to be dead; of two that nothing tells apart, none is guessed. */
  const choose = async (standing: readonly StandingSecret[], { id, label, scopes }: KeySummary): Promise<StandingSecret | 'none' | 'cannot_tell'> => {
    const verdicts = await Promise.all(standing.map(({ secret }) => calls.probe({ kind: 'key', keyId: id, label, apiKey: secret }, scopes)))
    const alive = standing.filter((_, index) => verdicts[index] !== 'dead')
    const [only, ...more] = alive
    return only === undefined ? 'none' : more.length === 0 ? only : 'cannot_tell'
  }

  const search = async (wallet: string, keys: readonly KeySummary[]): Promise<boolean> => {
    const found: KeySummary[] = []
    for (const key of keys) {
      const standing = await credentials.standing(key.id)
      if (!standing.ok) {
        notBefore = clock.monotonic() + patienceMs
        break
      }
      const chosen = await choose(standing.value, key)
      if (chosen === 'cannot_tell') continue
      // While the service was asked, a rotation may have stored the key's secret.
      if (chosen !== 'none' && credentials.whereIs(key.id) === 'elsewhere') {
        credentials.promote({ wallet, keyId: key.id, label: key.label, ...chosen })
        found.push(key)
      }
      soughtKeys.write({ profile: profile.id, id: key.id }, 'yes')
    }
    if (found.length > 0) tell(found)
    return found.length > 0
  }

  const tell = (found: readonly KeySummary[]) => {
    const [first] = found
    emit({ type: 'invalidate', queries: ['keys.list', 'app.attention', 'account.summary', 'account.positions', 'account.orders', 'account.riskPreview'] })
    emit({
      type: 'notice',
      severity: 'ok',
      ...secretsFound(found.length, first?.label ?? ''),
      to: '/keys',
    })
  }

  return {
    run: async (wallet, keys) => {
      const lost = keys.filter((key) => isLiveKey(key) && key.secret === 'elsewhere' && soughtKeys.read({ profile: profile.id, id: key.id }) === null)
      if (lost.length === 0 || clock.monotonic() < notBefore) return false
      running ??= search(wallet, lost).finally(() => {
        running = null
      })
      return running
    },
  }
}
