import type { Place } from '../../kit/layout/navigation.tsx'

export type Direction = 'deposit' | 'withdraw'

/** A sheet over the trade page with its own address. */
export type TradeSheetPlace =
  | { readonly kind: 'collateral'; readonly direction: Direction; readonly token: string }
  /** An intent prepared earlier, to be signed or continued. */
  | { readonly kind: 'continue'; readonly ref: string }

/** Parses `trade/collateral/deposit?token=<symbol>` and `trade/continue/<ref>`; `null` if the address names no sheet. */
export function tradeSheetOf({ rest: [kind, what], query }: Pick<Place, 'rest' | 'query'>): TradeSheetPlace | null {
  if (kind === 'collateral') return { kind, direction: what === 'withdraw' ? 'withdraw' : 'deposit', token: query.token ?? 'USDC' }
  return kind === 'continue' && what !== undefined ? { kind, ref: what } : null
}

/** The page shown after the sheet closes: where it was opened (`?over=overview`), otherwise the trade page or the intent in Activity. */
export function underTradeSheet(sheet: TradeSheetPlace, query: Place['query']): string {
  if (query.over === 'overview') return 'overview'
  return sheet.kind === 'continue' ? `activity/${encodeURIComponent(sheet.ref)}` : 'trade'
}
