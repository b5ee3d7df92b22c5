import type { PlaceInMain } from '../../../shared/ipc/host/app.ts'
import type { Place } from '../../kit/layout/navigation.tsx'

export type Direction = 'deposit' | 'withdraw'

/** A sheet over the trade page with its own address. */
export type TradeSheetPlace =
  | { readonly kind: 'collateral'; readonly direction: Direction; readonly token: string }
  /** An intent that was prepared earlier and that the user continues. */
  | { readonly kind: 'continue'; readonly ref: string }
  /** The form of a row, which Overview or a pop-out window asked for. */
  | AskedRow

export type AskedRow = Extract<PlaceInMain, { kind: 'position' | 'order' }>

const actions: { readonly [K in AskedRow['kind']]: readonly Extract<AskedRow, { kind: K }>['action'][] } = {
  position: ['close', 'invert', 'exits', 'margin', 'leverage'],
  order: ['cancel', 'replace'],
}

function askedRow([kind, what, id]: readonly string[]): AskedRow | null {
  if (id === undefined) return null
  if (kind === 'position') {
    const action = actions.position.find((one) => one === what)
    return action === undefined ? null : { kind, id, action }
  }
  const action = actions.order.find((one) => one === what)
  return kind !== 'order' || action === undefined ? null : { kind, id, action }
}

/**
 * Parses `trade/collateral/deposit?token=<symbol>`, `trade/continue/<ref>`, `trade/position/close/<id>` and `trade/order/cancel/<id>`; `null` if the
 * address names no sheet.
 */
export function tradeSheetOf({ rest, query }: Pick<Place, 'rest' | 'query'>): TradeSheetPlace | null {
  const [kind, what] = rest
  if (kind === 'collateral') return { kind, direction: what === 'withdraw' ? 'withdraw' : 'deposit', token: query.token ?? 'USDC' }
  return kind === 'continue' && what !== undefined ? { kind, ref: what } : askedRow(rest)
}

/** The page shown after the sheet closes: where it was opened (`?over=overview`), otherwise the trade page or the intent in Activity. */
export function underTradeSheet(sheet: TradeSheetPlace, query: Place['query']): string {
  if (query.over === 'overview') return 'overview'
  return sheet.kind === 'continue' ? `activity/${encodeURIComponent(sheet.ref)}` : 'trade'
}
