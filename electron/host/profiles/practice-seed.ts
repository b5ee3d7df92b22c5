import { randomInt } from 'node:crypto'
import type { Values } from '../../store/journal/journal.ts'

const name = 'practice.seed'

/** The movement of the practice markets, its own on each computer and the same after a restart. */
export function practiceSeed(values: Values): number {
  const kept = Number(values.get(name))
  if (Number.isSafeInteger(kept) && kept > 0) return kept
  const seed = randomInt(1, 2 ** 31)
  values.set(name, String(seed))
  return seed
}
