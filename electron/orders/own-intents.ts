import { delegatedActions, preparedActions } from '../../shared/api/actions.ts'
import type { Journal } from '../journal/journal.ts'

const isOrder = ({ action }: { readonly action: string }): boolean => Object.hasOwn(preparedActions, action) || Object.hasOwn(delegatedActions, action)

/** The journal with trading intents alone: what a wallet sends for a key (`electron/agents`) is followed on the chain, by other rules. */
export function withOrdersOnly(journal: Journal): Journal {
  const { intents } = journal
  return {
    ...journal,
    intents: {
      ...intents,
      get: (ref) => {
        const row = intents.get(ref)
        return row !== null && isOrder(row) ? row : null
      },
      open: (profileId) => intents.open(profileId).filter(isOrder),
      list: (profileId, page) => {
        const { intents: rows, total } = intents.list(profileId, page)
        return { intents: rows.filter(isOrder), total }
      },
    },
  }
}
