import { add, isZero, subtract } from '../../../../shared/decimal.ts'
import type { TokenSymbol } from '../../../../shared/ipc/intents/tickets.ts'
import type { Collateral, CollateralBalance } from '../../../../shared/ipc/reads/account.ts'
import { tokenRole } from '../../../../shared/positions.ts'
import { type CollateralFacts, type CollateralState, readDeposit, readWithdrawal } from '../../../../shared/ticket/actions/margin-ticket.ts'
import { typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { ethText } from '../../../signing/parts/router-evidence.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import type { Direction } from '../trade-sheet-place.ts'

const usdcDecimals = 6

export const balanceOf = (collateral: Collateral | undefined, token: TokenSymbol): CollateralBalance | undefined =>
  collateral?.balances.find((balance) => balance.asset.toUpperCase() === token.toUpperCase())

/** The amount the user can move: the wallet's balance for a deposit, the withdrawable amount for a withdrawal. `null` if unknown. */
export const availableOf = (balance: CollateralBalance | undefined, direction: Direction): string | null =>
  (direction === 'deposit' ? balance?.walletBalance : balance?.withdrawable) ?? null

export function collateralFacts(collateral: Collateral | undefined, token: TokenSymbol, direction: Direction): CollateralFacts {
  const balance = balanceOf(collateral, token)
  return {
    available: availableOf(balance, direction),
    decimals: balance?.decimals ?? (tokenRole(token) === 'USDC' ? usdcDecimals : null),
    permitOffered: collateral?.permitOffered === true,
  }
}

/**
 * Whether to deposit by a signed permit instead of transactions. Requires that the exchange offers permits.
 * `wanted` is the user's choice; `null` if none was made. By default, a contract wallet sends transactions, because not every token accepts a
 * contract's permits.
 */
export const byPermit = (direction: Direction, token: TokenSymbol, collateral: Collateral | undefined, wanted: boolean | null): boolean =>
  direction === 'deposit' && token === 'USDC' && collateral?.permitOffered === true && (wanted ?? collateral.contractWallet !== true)

export const readCollateral = (direction: Direction, state: CollateralState, facts: CollateralFacts) =>
  direction === 'deposit' ? readDeposit(state, facts) : readWithdrawal(state, facts)

/** The wallet's ETH for network fees. `undefined`: loading. `null`: the RPC did not answer. */
export function walletEthText(walletEth: string | null | undefined): string {
  if (walletEth === undefined) return ''
  if (walletEth === null) return tradeText.walletEthUnread
  return isZero(walletEth) ? tradeText.walletHasNoEth : tradeText.walletHasEth(ethText(walletEth))
}

export interface Figure {
  readonly label: string
  readonly before: string | null
  readonly after: string | null
}

/** The balances in the wallet and on the exchange, before and after the transfer. */
export function collateralFigures(balance: CollateralBalance | undefined, direction: Direction, typed: string): readonly Figure[] {
  const amount = typedDecimal(typed)
  const moved = (before: string | null, more: boolean): string | null =>
    before === null || amount === null ? null : more ? add(before, amount) : subtract(before, amount)
  const isDeposit = direction === 'deposit'
  const figure = (label: string, before: string | null | undefined, more: boolean): Figure => ({
    label,
    before: before ?? null,
    after: moved(before ?? null, more),
  })
  return [
    figure(tradeText.inYourWallet, balance?.walletBalance, !isDeposit),
    figure(tradeText.onTheExchange, balance?.balance, isDeposit),
    { label: tradeText.lockedInPositionsAndOrders, before: balance?.locked ?? null, after: null },
    figure(tradeText.availableToWithdraw, balance?.withdrawable, isDeposit),
  ].map((row) => (row.after?.startsWith('-') ? { ...row, after: null } : row))
}
