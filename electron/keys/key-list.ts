import { limits } from '../../shared/api/limits.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { KeySummary } from '../../shared/ipc/keys.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { SessionCredential } from '../api/api-client.ts'
import type { Journal } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { Credentials } from './credentials.ts'
import type { KeyCalls, KeyRecord } from './key-calls.ts'
import type { KeyNotes } from './key-notes.ts'
import { markersOf, withoutMarker } from './label-marker.ts'
import { shownQuotas } from './quotas.ts'

export interface KeyListing {
  readonly keys: KeySummary[]
  /** null: the service gave neither a count nor the state of every key. */
  readonly active: number | null
  readonly limit: number
  readonly readAtMs: number
  /** Labels as the service has them, with the markers of this app, by key id. */
  readonly sentLabels: ReadonlyMap<string, string | null>
}

export interface KeyList {
  /** The service's list, joined with where each secret is. Remembers what each key may do. */
  read(session: SessionCredential, wallet: string): Promise<Result<KeyListing, Failure>>
  summary(record: KeyRecord, wallet: string): KeySummary
}

export function createKeyList({
  profile,
  journal,
  credentials,
  calls,
  notes,
}: {
  profile: ProfileFacts
  journal: Journal
  credentials: Credentials
  calls: KeyCalls
  notes: KeyNotes
}): KeyList {
  const markers = () => markersOf(journal, profile.id)

  const summarise = (record: KeyRecord, known: ReadonlySet<string>, inUse: string | null): KeySummary => {
    const where = credentials.whereIs(record.id)
    return {
      ...record,
      label: shown(record, known),
      quotas: shownQuotas(record.quotas),
      note: notes.of(record.id),
      secret: where === 'elsewhere' && credentials.facts(record.id)?.removed === true ? 'removed' : where,
      masked: where === 'elsewhere' ? null : 'SVC••••••••',
      inUse: inUse === record.id,
    }
  }

  const shown = ({ label, id }: Pick<KeyRecord, 'label' | 'id'>, known: ReadonlySet<string>): string => (label === null ? id : withoutMarker(label, known))

  return {
    read: async (session, wallet) => {
      const answer = await calls.list(session)
      if (!answer.ok) return fail(answer.failure.failure)
      const { records, active, readAtMs } = answer.value
      const known = markers()
      credentials.learn(
        wallet,
        records.map((record) => ({ ...record, label: shown(record, known) })),
      )
      const inUse = credentials.inUse(wallet)
      const keys = records.map((record) => summarise(record, known, inUse))
      return ok({
        keys,
        active: active ?? countActive(keys),
        limit: limits.activeKeysPerWallet,
        readAtMs,
        sentLabels: new Map(records.map(({ id, label }) => [id, label])),
      })
    },
    summary: (record, wallet) => summarise(record, markers(), credentials.inUse(wallet)),
  }
}

/** A key whose state is not told may be active: then nobody knows how many are. */
const countActive = (keys: readonly KeySummary[]): number | null =>
  keys.some(({ status }) => status === 'unknown') ? null : keys.filter(({ status }) => status === 'active').length
