import type { Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'

/** Which of the open positions are shown; null: all. */
export interface PositionFilter {
  readonly symbol: string | null
  readonly side: 'long' | 'short' | null
  readonly marginMode: string | null
}

export const everyPosition: PositionFilter = { symbol: null, side: null, marginMode: null }
export const narrowsPositions = ({ symbol, side, marginMode }: PositionFilter): boolean => symbol !== null || side !== null || marginMode !== null

/** As it is called on the page. */
export const symbolOf = (position: Position, markets: readonly Market[]): string =>
  position.symbol ?? markets.find(({ id }) => id === position.pairId)?.symbol ?? `Market ${position.pairId}`

export function filterPositions(positions: readonly Position[], markets: readonly Market[], filter: PositionFilter): readonly Position[] {
  return positions.filter(
    (position) =>
      (filter.symbol === null || symbolOf(position, markets) === filter.symbol) &&
      (filter.side === null || position.side === filter.side) &&
      (filter.marginMode === null || position.marginMode === filter.marginMode),
  )
}

/** What there is to choose among, each once, in order. */
export const choicesAmong = (values: readonly (string | null)[]): readonly string[] => [...new Set(values.filter((value) => value !== null))].sort()
