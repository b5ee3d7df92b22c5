import { delegatedActions, preparedActions } from '../../../shared/api/actions.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'

/** What a wallet pays for a key is none. */
export const isTradingIntent = ({ action }: { readonly action: string }): boolean =>
  Object.hasOwn(preparedActions, action) || Object.hasOwn(delegatedActions, action)

/** The journal with the intents alone that are prepared first and carried out by the wallet's word. */
export const withWalletOnly = (journal: Journal): Journal => withOnly(journal, (row) => row.way !== 'executor')
/** The journal with what the executor of a key carries out alone. */
export const withExecutionsOnly = (journal: Journal): Journal => withOnly(journal, (row) => isTradingIntent(row) && row.way === 'executor')

function withOnly(journal: Journal, own: (row: IntentRow) => boolean): Journal {
  const { intents } = journal
  return {
    ...journal,
    intents: {
      ...intents,
      get: (ref) => {
        const row = intents.get(ref)
        return row !== null && own(row) ? row : null
      },
      open: (profileId) => intents.open(profileId).filter(own),
      list: (profileId, page) => {
        const { intents: rows, total } = intents.list(profileId, page)
        return { intents: rows.filter(own), total }
      },
    },
  }
}
