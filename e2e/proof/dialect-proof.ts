import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Proof } from '../../build/scripts/prove/proof.ts'
import { leastUnspelled, percentOf } from './names.ts'
import type { SeedResult, Shown } from './seed.ts'

const seeds = 1_000
/** Minimum percentage of the values in the service’s responses that the app must read without help. */
const readable = 95
/** Minimum number of kinds of alteration that the proof must try with each dialect. */
const leastKinds = 12

/** The seeds that a word of the command line names: one seed (`7`) or a range (`20-40`). Empty if the word is neither. */
function seedsIn(word: string): readonly string[] {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
  return from === undefined ? [] : Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, index) => String(Number(from) + index))
}

interface Counts {
  readonly wrong: number
  readonly unknown: number
  readonly percent: number
}

function countsOf(shown: readonly Shown[]): Counts {
  const [right, wrong, unknown] = [
    sum(shown.map((each) => each.right)),
    sum(shown.map((each) => each.wrong.length)),
    sum(shown.map((each) => each.unknown.length)),
  ]
  const fields = right + wrong + unknown
  return { wrong, unknown, percent: fields === 0 ? 0 : (100 * right) / fields }
}

/** Rounds down, so that an incomplete result never shows as 100. */
const shownPercent = (percent: number): string => (Math.floor(percent * 100) / 100).toFixed(2)

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/**
 * Runs the app against practice exchanges that follow the documentation and decide everything else at random, by seed. The app must show the right
 * values, and every exit (cancel, close, revoke) must succeed.
 */
export const dialectProof: Proof<SeedResult> = {
  name: 'dialects',
  workbench: join(import.meta.dirname, 'dialect-workbench.ts'),
  // One worker more than there are cores, because each worker waits for its chain about a third of the time.
  workers: availableParallelism() + 1,
  limitMs: 5 * 60_000,
  items: (chosen) => [...new Set((chosen.length === 0 ? [`1-${seeds}`] : chosen).flatMap(seedsIn))],
  line: (seed, result) => {
    const bad = [
      ...result.wrong.map((each) => `wrong: ${each}`),
      ...result.checked.wrong.map((each) => `wrong after the check: ${each}`),
      ...result.checked.unknown.map((each) => `unknown after the check: ${each}`),
      ...result.altered.signed.map((each) => `signed: ${each}`),
      ...result.stuck.map((each) => `stuck: ${each}`),
      ...result.askedAgain.map((each) => `asked again: ${each}`),
      ...result.problems,
    ]
    return bad.length === 0 ? null : bad.map((each) => `seed ${seed} ${each}`).join('\n')
  },
  sum: (results) => {
    const all = [...results.values()]
    const { wrong, percent } = countsOf(all)
    const names = percentOf(all.map((each) => each.names))
    const checked = countsOf(all.map((each) => each.checked))
    const out = all.filter(({ stuck }) => stuck.length === 0).length
    const broken = sum(all.map((each) => each.problems.length))
    const signed = sum(all.map((each) => each.altered.signed.length))
    const tried = sum(all.map((each) => each.altered.tried))
    const few = all.filter(({ altered }) => altered.kinds < leastKinds).length
    const askedAgain = sum(all.map((each) => each.askedAgain.length))
    return {
      line: `${all.length} seeds, ${wrong} wrong, ${shownPercent(percent)} % right, ${shownPercent(checked.percent)} % after the check, ${names.unspelled.toFixed(1)} % of names unknown, ${signed} of ${tried} altered signed, exits ${out} of ${all.length}, ${askedAgain} asked again`,
      misses: [
        ...(wrong > 0 ? [`${wrong} fields show another value than the service told`] : []),
        ...(checked.wrong > 0 ? [`${checked.wrong} fields do so, or are taken from another field's place, after the service check`] : []),
        ...(percent < readable ? [`${shownPercent(percent)} % of the fields are right, not ${readable} %`] : []),
        ...(checked.unknown > 0
          ? [`${checked.unknown} fields are unknown after the service check: ${shownPercent(checked.percent)} % are right, not 100 %`]
          : []),
        ...(names.unspelled < leastUnspelled ? [`${names.unspelled.toFixed(1)} % of the names are unknown to the app, not ${leastUnspelled} %`] : []),
        ...(signed > 0 ? [`${signed} altered messages or transactions went to the wallet`] : []),
        ...(few > 0 ? [`in ${few} seeds fewer than ${leastKinds} kinds of alteration could be tried`] : []),
        ...(out < all.length ? [`in ${all.length - out} seeds an exit did not come to its end`] : []),
        ...(askedAgain > 0 ? [`${askedAgain} orders of an agreed signing format were asked about again`] : []),
        ...(broken > 0 ? [`${broken} other steps did not come to their end`] : []),
      ],
    }
  },
}
