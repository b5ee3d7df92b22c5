import type { PageCut } from '../../shared/ipc/account.ts'

/** Why older orders may be missing from a list. */
export function ordersCutText(cut: PageCut): string {
  switch (cut) {
    case 'no_next_page':
      return 'Older orders may be missing: the service repeats a page or names no next one.'
    case 'unanswered':
      return 'Older orders may be missing: the service stopped answering. Trying again automatically.'
    case 'too_long':
      return 'Older orders may be missing: the app reads the newest 10,000 orders.'
  }
}

export const tableCutText = 'Older rows exist, but the service repeats a page or names no next one.'
