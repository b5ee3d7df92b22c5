import { join } from 'node:path'
import type { Proof } from '../../build/scripts/prove/proof.ts'
import { sets } from '../shots/shots.ts'
import { years } from '../support/year/years.ts'

export interface JourneyResult {
  /** The end of the output of a run that failed; null if it passed. */
  readonly problem: string | null
}

/** A proof that runs journeys of the end-to-end tests with more cases than a test run has time for. */
const journeyProof = (name: string, cases: readonly string[], what: string): Proof<JourneyResult> => ({
  name,
  workbench: join(import.meta.dirname, 'journey-workbench.ts'),
  workers: 2,
  limitMs: 20 * 60_000,
  items: (chosen) => cases.filter((one) => chosen.length === 0 || chosen.includes(one)),
  line: (one, { problem }) => (problem === null ? null : `${one}: ${problem}`),
  sum: (results) => {
    const misses = [...results].flatMap(([one, { problem }]) => (problem === null ? [] : [one]))
    return { line: `${results.size} ${what}, ${misses.length} with findings`, misses }
  },
})

/** Scans the states of every set of pictures with axe. The end-to-end tests scan the most important sets. */
export const axeProof = journeyProof(
  'axe',
  sets.map(({ name }) => name),
  'sets of pictures',
)

/** Kills the app at random moments of orders and of key actions, with more kills and more seeds than a test run has time for. */
export const killsProof = journeyProof(
  'kills',
  Array.from({ length: 10 }, (_, index) => `seed-${index + 1}`),
  'series of random kills',
)

/** Compares the pages with independent sums of a year of random data, for every seed and time zone. The end-to-end tests compare only one seed. */
export const yearProof = journeyProof(
  'year',
  years.map(({ seed }) => String(seed)),
  'years of random data',
)

/** The journeys that prove an item, as arguments of Playwright, and their environment. */
export function journeysOf(item: string): { readonly journeys: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  if (yearProof.items([item]).length > 0) return { journeys: ['reads/year'], env: { SVC_DESK_YEAR: item } }
  if (killsProof.items([item]).length > 0)
    return { journeys: ['order-kills', 'random-kills'], env: { SVC_DESK_SEED: item.replace('seed-', ''), SVC_DESK_KILLS: '20' } }
  return { journeys: ['--grep', `screenshot set “${item}”`, 'window/accessibility'], env: { SVC_DESK_STATES: item } }
}
