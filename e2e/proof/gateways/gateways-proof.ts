import { join } from 'node:path'
import type { Proof } from '../../../build/scripts/prove/proof.ts'

/** One thing that an item proves, with its figures. */
export interface Check {
  readonly name: string
  readonly holds: boolean
  readonly figures: string
}

/** How often each `kills` item kills a gateway or the database. */
export const killsPerItem = 5
export const killItems = ['kills-1', 'kills-2', 'kills-3', 'kills-4'] as const
const items = ['budget', 'limits', ...killItems, 'away', 'cost', 'pause'] as const

/**
 * Runs three gateways with 1,000 bots over one PostgreSQL server against the practice exchange: what they share, what a crash may not double or lose,
 * and what they cost.
 */
export const gatewaysProof: Proof<readonly Check[]> = {
  name: 'gateways',
  workbench: join(import.meta.dirname, 'gateways-workbench.ts'),
  workers: 1,
  limitMs: 6 * 60_000,
  items: (chosen) => items.filter((one) => chosen.length === 0 || chosen.includes(one)),
  line: (item, checks) => checks.map(({ name, holds, figures }) => `${item}: ${holds ? 'holds' : 'MISSED'} ${name}: ${figures}`).join('\n'),
  sum: (results) => {
    const all = [...results].flatMap(([item, checks]) => checks.map((check) => ({ item, ...check })))
    const names = [...new Set(all.map(({ name }) => name))]
    const counted = names.map((name) => {
      const of = all.filter((check) => check.name === name)
      return `${name} ${of.filter(({ holds }) => holds).length}/${of.length}`
    })
    return {
      line: counted.join(', '),
      misses: all.filter(({ holds }) => !holds).map(({ item, name, figures }) => `${item}: ${name}: ${figures}`),
    }
  },
}
