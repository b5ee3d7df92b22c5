import { absolute, percentOf, signOf, subtract } from './decimal.ts'

/** How far a position's mark is from its liquidation, in percent of the mark; null: not known, or it cannot be liquidated. */
export const liquidationDistance = (markPrice: string | null, liquidationPrice: string | null): string | null =>
  markPrice === null || liquidationPrice === null || signOf(markPrice) <= 0 ? null : percentOf(absolute(subtract(markPrice, liquidationPrice)), markPrice, 2)
