import type { KeySummary } from '../../shared/ipc/keys/keys.ts'
import type { Missing } from '../../shared/ipc/missing.ts'
import type { PageCut } from '../../shared/ipc/reads/account.ts'

/** Why older orders may be missing from a list. */
export function ordersCutText(cut: PageCut): string {
  switch (cut) {
    case 'no_next_page':
      return 'Older orders may be missing: the service repeats a page or names no next one.'
    case 'unanswered':
      return 'Older orders may be missing: the service stopped answering. Trying again automatically.'
    case 'unreadable':
      return 'Some orders are missing: the service lists them in a form that the app cannot read.'
    case 'too_long':
      return 'Older orders may be missing: the app reads the newest 10,000 orders.'
  }
}

/** What a list lacks; null: nothing. `one`, `many`: what is listed, for example "position" and "positions". */
export function missingText({ unreadable, more }: Missing, one: string, many: string): string | null {
  const it = unreadable === 1
  const unread = `${unreadable} ${it ? `${one} is` : `${many} are`} missing: the service lists ${it ? 'it' : 'them'} in a form that the app cannot read.`
  const beyond = `There are more ${many} than those listed here.`
  const said = [...(unreadable === 0 ? [] : [unread]), ...(more ? [beyond] : [])]
  return said.length === 0 ? null : said.join(' ')
}

/** Whether a list is all there is. */
export const isWhole = ({ unreadable, more }: Missing): boolean => unreadable === 0 && !more

export const tableCutText = 'Older rows exist, but the service repeats a page or names no next one.'
export const tableUnreadText = 'Some rows are missing: the service lists them in a form that the app cannot read.'

interface Counted {
  readonly keys: readonly Pick<KeySummary, 'status'>[]
  /** null: the service told neither a count nor the state of every key. */
  readonly active: number | null
  readonly limit: number
}

/** How many keys of the wallet are active. One whose state is not told may be: it is never counted as if it were not. */
export function keyCountText({ keys, active, limit }: Counted): string {
  if (active !== null) return `${active} of ${limit} active`
  const told = keys.filter(({ status }) => status === 'active').length
  const untold = keys.filter(({ status }) => status === 'unknown').length
  return told === 0 ? `${untold} ${untold === 1 ? 'key' : 'keys'}, state not told` : `${told} active, ${untold} with a state not told`
}
