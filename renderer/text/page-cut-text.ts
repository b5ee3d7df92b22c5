import type { KeySummary } from '../../shared/ipc/keys/keys.ts'
import type { Missing } from '../../shared/ipc/missing.ts'
import type { PageCut } from '../../shared/ipc/reads/account.ts'
import { statesText } from './en/states.en.tsx'

/** Explains why older orders may be missing from a list. */
export function ordersCutText(cut: PageCut): string {
  switch (cut) {
    case 'no_next_page':
      return statesText.ordersEndEarly
    case 'unanswered':
      return statesText.ordersUnanswered
    case 'unreadable':
      return statesText.ordersUnreadable
    case 'too_long':
      return statesText.ordersTooMany
  }
}

const lacks = {
  breaker: { unreadable: statesText.breakersUnreadable, more: statesText.moreBreakers },
  key: { unreadable: statesText.keysUnreadable, more: statesText.moreKeys },
  liquidation: { unreadable: statesText.liquidationsUnreadable, more: statesText.moreLiquidations },
  market: { unreadable: statesText.marketsUnreadable, more: statesText.moreMarkets },
  position: { unreadable: statesText.positionsUnreadable, more: statesText.morePositions },
  token: { unreadable: statesText.tokensUnreadable, more: statesText.moreTokens },
  webhook: { unreadable: statesText.webhooksUnreadable, more: statesText.moreWebhooks },
} as const

/** The kind of entries in a list, such as webhooks. */
export type ListOf = keyof typeof lacks

/** Describes what a list is missing: unreadable entries and further pages. `null` for a complete list. */
export function missingText({ unreadable, more }: Missing, of: ListOf): string | null {
  const said = [...(unreadable === 0 ? [] : [lacks[of].unreadable(unreadable)]), ...(more ? [lacks[of].more] : [])]
  return said.length === 0 ? null : said.join(' ')
}

export const isWhole = ({ unreadable, more }: Missing): boolean => unreadable === 0 && !more

/** The count on a list's tab: `12`, or `12+` if the list may have more entries than the app could read. */
export const listCount = (read: number, whole: boolean): number | string => (whole ? read : `${read}+`)

export const tableCutText = statesText.rowsEndEarly
export const tableUnreadText = statesText.rowsUnreadable

interface Counted {
  readonly keys: readonly Pick<KeySummary, 'status'>[]
  /** Number of active keys. `null` if the service stated neither this number nor the state of every key. */
  readonly active: number | null
  readonly limit: number
}

/** How many keys are active. A key of unknown state may be active, so it never counts as inactive. */
export function keyCountText({ keys, active, limit }: Counted): string {
  if (active !== null) return statesText.keysActive(active, limit)
  const told = keys.filter(({ status }) => status === 'active').length
  const untold = keys.filter(({ status }) => status === 'unknown').length
  return told === 0 ? statesText.keysOfUnknownStatus(untold) : statesText.activeAndUnknown(told, untold)
}
