export type Side = 'long' | 'short'
export type CollateralToken = 'USDC' | 'SVC'

/** An `open_position` payload with defaults filled in and decimals without trailing zeros. A field is absent if the order type does not use it. */
export interface OpenPosition {
  readonly pair_id: number
  readonly side: 'long' | 'short'
  readonly order_type: 'market' | 'limit' | 'stop'
  readonly margin_mode: 'cross' | 'isolated'
  readonly leverage: number
  readonly order_value_usdc: string
  readonly reference_price?: string
  readonly max_slippage_bps?: number
  readonly limit_price?: string
  readonly trigger_price?: string
  readonly time_in_force: 'gtc' | 'ioc' | 'fok'
  readonly rest_if_unfilled?: boolean
  readonly post_only?: boolean
  readonly take_profit?: string
  readonly stop_loss?: string
  readonly client_order_id: string
}

/**
 * A close at the market price. If `size` is absent, closes the whole position. `size` is always absent if the position did not exist at the time of
 * the request.
 */
export interface CloseMarket {
  readonly position_id: string
  readonly size?: string
  readonly reference_price: string
  readonly max_slippage_bps: number
  readonly client_order_id: string
}

export interface CloseLimit {
  readonly position_id: string
  readonly size?: string
  readonly limit_price: string
  readonly time_in_force: 'gtc' | 'ioc' | 'fok'
  readonly post_only: boolean
  readonly client_order_id: string
}

export type Invert = Omit<CloseMarket, 'size'>

export interface Increase extends Omit<CloseMarket, 'size'> {
  readonly order_value_usdc: string
}

/** The TP/SL prices of a position. An absent price stays unchanged; `null` removes it. */
export interface Exits {
  readonly take_profit?: string | null
  readonly stop_loss?: string | null
}

export interface Replacement extends Exits {
  readonly order_value_usdc?: string
  readonly limit_price?: string
  readonly trigger_price?: string
}

/** A trader's request, from any execution method. Amounts are decimal text. For `margin` and `collateral`, a negative amount means a withdrawal. */
export type Instruction =
  | { readonly kind: 'open'; readonly payload: OpenPosition }
  | { readonly kind: 'increase'; readonly payload: Increase }
  | { readonly kind: 'close_market'; readonly payload: CloseMarket }
  | { readonly kind: 'close_limit'; readonly payload: CloseLimit }
  | { readonly kind: 'invert'; readonly payload: Invert }
  | { readonly kind: 'exits'; readonly positionId: string; readonly exits: Exits }
  | { readonly kind: 'margin'; readonly positionId: string; readonly amount: string }
  | { readonly kind: 'leverage'; readonly positionId: string; readonly leverage: number }
  | { readonly kind: 'cancel'; readonly orderId: string }
  | { readonly kind: 'replace'; readonly orderId: string; readonly terms: Replacement }
  | { readonly kind: 'collateral'; readonly token: CollateralToken; readonly amount: string }
