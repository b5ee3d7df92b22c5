import { join } from 'node:path'
import type { Outcome } from '../../../e2e/support/journal/damages.ts'
import type { Proof } from './proof.ts'

const damages = 10_000
export const perItem = 100

/**
 * Damages the files of a journal at random, many times. If confirmed entries are lost, the journal must refuse actions that add risk. Every damaged
 * journal must still open and accept every exit (cancel, close, revoke).
 */
export const damageProof: Proof<readonly Outcome[]> = {
  name: 'damages',
  workbench: join(import.meta.dirname, 'damage-workbench.ts'),
  workers: 2,
  limitMs: 5 * 60_000,
  items: (chosen) => Array.from({ length: damages / perItem }, (_none, index) => String(index)).filter((item) => chosen.length === 0 || chosen.includes(item)),
  line: () => null,
  sum: (results) => {
    const outcomes = [...results.values()].flat()
    const of = (wanted: Outcome['state']) => outcomes.filter(({ state }) => state === wanted).length
    const lost = outcomes.filter(({ missing }) => missing > 0).length
    return {
      line: `${outcomes.length} damages, ${lost} lost entries; ${of('ready')} ready, ${of('rebuilt')} told and held, ${of('memory_only')} in memory only, ${of('threw')} threw`,
      misses: [...results].flatMap(([item, each]) =>
        each.flatMap(({ damage, fault }, index) => (fault === null ? [] : [`seed ${Number(item) * perItem + index}, ${damage}: ${fault}`])),
      ),
    }
  },
}
