import type { Place } from '../../kit/layout/navigation.tsx'

export type Direction = 'deposit' | 'withdraw'

/** A sheet over the trade page with its own address. */
export type TradeSheetPlace =
  | { readonly kind: 'collateral'; readonly direction: Direction; readonly token: string }
  /** An intent that was prepared earlier, to be signed or sent on. */
  | { readonly kind: 'continue'; readonly ref: string }

/** `trade/collateral/deposit?token=<symbol>` and `trade/continue/<ref>`; null: no sheet. */
export function tradeSheetOf({ rest: [kind, what], query }: Pick<Place, 'rest' | 'query'>): TradeSheetPlace | null {
  if (kind === 'collateral') return { kind, direction: what === 'withdraw' ? 'withdraw' : 'deposit', token: query.token ?? 'USDC' }
  return kind === 'continue' && what !== undefined ? { kind, ref: what } : null
}

/** Where closing the sheet leads: where it was opened (`?over=overview`), else the trade page. */
export function underTradeSheet(sheet: TradeSheetPlace, query: Place['query']): string {
  if (query.over === 'overview') return 'overview'
  return sheet.kind === 'continue' ? `activity/${encodeURIComponent(sheet.ref)}` : 'trade'
}
