import { isDeepStrictEqual } from 'node:util'
import type { AppEvent } from '../../shared/ipc/contract.ts'
import { mostNotices, type NoticeRow } from '../../shared/ipc/host/notices.ts'
import { type Clock, day } from '../../shared/time.ts'
import type { Records } from '../store/records/registry.ts'

const keptMs = 30 * day

export interface NoticeLog {
  /**
   * Adds a notice. `wallet`: the wallet that the notice is about; null if it is about no wallet. Returns false if the notice is quiet (without a
   * pop-up) and an equal notice is still unread.
   */
  add(event: Extract<AppEvent, { type: 'notice' }>, wallet: string | null): boolean
  /** Returns the notices about this wallet and those about no wallet, newest first. */
  list(wallet: string | null): NoticeRow[]
  /** Marks notices as read or unread. Ignores unknown IDs. */
  mark(ids: readonly string[], read: boolean): void
}

/**
 * Stores the notices of a profile, or of the app itself, for 30 days. Notices are stored even while the app is locked, but only an unlocked window
 * can read them.
 */
export function createNoticeLog({
  profile,
  records,
  clock,
}: {
  readonly profile: string
  readonly records: Pick<Records, 'notices'>
  readonly clock: Clock
}): NoticeLog {
  const { notices } = records
  let added = 0
  const newestFirst = () => notices.list({ profile }).toReversed()
  const isKept = ({ atMs }: { readonly atMs: number }) => clock.now() - atMs < keptMs

  return {
    add: ({ severity, notice, to, quiet = false }, wallet) => {
      // After a restart, the app finds the same cause again. If the user still has an unread notice about it, don't add another.
      if (quiet && notices.list({ profile }).some(({ record }) => !record.read && record.wallet === wallet && isDeepStrictEqual(record.notice, notice)))
        return false
      const atMs = clock.now()
      added += 1
      // The ID starts with the time, padded with zeros. So records sorted by ID are in order of time.
      const id = `${String(Math.trunc(atMs)).padStart(15, '0')}-${String(added).padStart(6, '0')}`
      notices.write({ profile, id }, { atMs, severity, notice, to, wallet, read: false })
      for (const [index, { key, record }] of newestFirst().entries()) if (index >= mostNotices || !isKept(record)) notices.delete(key)
      return true
    },
    list: (wallet) =>
      newestFirst().flatMap(({ key, record: { wallet: whose, ...row } }) =>
        isKept(row) && (whose === null || whose === wallet) ? [{ ...row, id: key.id }] : [],
      ),
    mark: (ids, read) => {
      for (const id of ids) {
        const row = notices.read({ profile, id })
        if (row !== null && row.read !== read) notices.write({ profile, id }, { ...row, read })
      }
    },
  }
}
