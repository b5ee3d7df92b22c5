import type { PageCut } from '../../shared/ipc/account.ts'

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

/** Of positions that are listed and cannot be read. */
export const positionsUnreadText = (count: number): string =>
  `${count} ${count === 1 ? 'position is' : 'positions are'} missing: the service lists ${count === 1 ? 'it' : 'them'} in a form that the app cannot read.`

export const tableCutText = 'Older rows exist, but the service repeats a page or names no next one.'
