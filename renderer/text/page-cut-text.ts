import type { KeySummary } from '../../shared/ipc/keys/keys.ts'
import type { Missing } from '../../shared/ipc/missing.ts'
import type { PageCut } from '../../shared/ipc/reads/account.ts'
import { statesText } from './en/states.en.tsx'

/** Why older orders may be missing from a list. */
export function ordersCutText(cut: PageCut): string {
  switch (cut) {
    case 'no_next_page':
      return statesText.olderOrdersMayBeMissingTheService
    case 'unanswered':
      return statesText.olderOrdersMayBeMissingTheService2
    case 'unreadable':
      return statesText.someOrdersAreMissingTheServiceLists
    case 'too_long':
      return statesText.olderOrdersMayBeMissingTheApp
  }
}

/** What a list lacks; `null` if nothing. `one`, `many`: its items, for example "position" and "positions". */
export function missingText({ unreadable, more }: Missing, one: string, many: string): string | null {
  const it = unreadable === 1
  const unread = statesText.missingTheServiceListsInAForm(unreadable, it ? statesText.is(one) : statesText.are(many), it ? statesText.it : statesText.them)
  const beyond = statesText.thereAreMoreThanThoseListedHere(many)
  const said = [...(unreadable === 0 ? [] : [unread]), ...(more ? [beyond] : [])]
  return said.length === 0 ? null : said.join(' ')
}

/** Whether a list is all there is. */
export const isWhole = ({ unreadable, more }: Missing): boolean => unreadable === 0 && !more

export const tableCutText = statesText.olderRowsExistButTheServiceRepeats
export const tableUnreadText = statesText.someRowsAreMissingTheServiceLists

interface Counted {
  readonly keys: readonly Pick<KeySummary, 'status'>[]
  /** `null`: the service gave neither a count nor every key's state. */
  readonly active: number | null
  readonly limit: number
}

/** How many keys are active. A key of unknown state may be, so it is never counted as inactive. */
export function keyCountText({ keys, active, limit }: Counted): string {
  if (active !== null) return statesText.ofActive(active, limit)
  const told = keys.filter(({ status }) => status === 'active').length
  const untold = keys.filter(({ status }) => status === 'unknown').length
  return told === 0 ? statesText.stateNotTold(untold) : statesText.activeWithAStateNotTold(told, untold)
}
