import { randomInt } from 'node:crypto'
import type { Records } from '../../store/records/registry.ts'

/** The movement of the practice markets, its own on each computer and the same after a restart. */
export function practiceSeed({ practiceSeed: kept }: Pick<Records, 'practiceSeed'>): number {
  const seed = kept.read({}) ?? randomInt(1, 2 ** 31)
  kept.write({}, seed)
  return seed
}
