import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createDice, draw } from './fuzz-inputs.ts'
import type { Target } from './fuzz-targets.ts'

export interface Fuzzed {
  readonly target: string
  readonly inputs: number
  /** The dearest input, in milliseconds of a quiet machine, and its number. */
  readonly dearest: { readonly ms: number; readonly seed: number }
  /** MiB that the process held more than before, at most, with what was collected taken off. */
  readonly grownMiB: number
  /** What missed a bar, with the number of the input. */
  readonly faults: readonly string[]
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // of the flag
const mebibyte = 1_048_576
const mostGrowthMiB = 200
const mostFaults = 10

/**
 * Steps of a loop that are counted beside each input: their time is the unit, so a busy or slow machine changes both alike. A step is a nanosecond on a
 * quiet one (measured: 1.0 to 1.1).
 */
const steps = 4_000_000
const text = 'x'.repeat(1_024)
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
function unit(): number {
  let sum = 0
  const ms = cpuMs(() => {
    for (let step = 0; step < steps; step += 1) sum = Math.imul(sum ^ text.charCodeAt(step & 1_023), 16_777_619)
  })
  return Number.isNaN(sum) ? ms : ms / (steps / 1e6)
}

async function cost(target: Target, input: string): Promise<number> {
  const before = process.threadCpuUsage()
  await target.run(input)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const tryOut = async (target: Target, input: string): Promise<unknown> => target.run(input)

/** Gives the reader inputs from number `from` on, for so long or so many. */
export async function fuzz(
  open: () => Target | Promise<Target>,
  { from, inputs, forMs }: { readonly from: number; readonly inputs: number; readonly forMs: number },
): Promise<Fuzzed> {
  const target = await open()
  const faults: string[] = []
  let dearest = { ms: 0, seed: from }
  let [tried, grownMiB] = [0, 0]
  try {
    // Compiled, as it is in an app that runs.
    for (let seed = 0; seed < 50; seed += 1) await tryOut(target, draw(createDice(seed), { ...target, most: 4_096 })).catch(() => undefined)
    collect()
    const before = process.memoryUsage.rss()
    let quiet = Math.min(unit(), unit(), unit())
    const until = performance.now() + forMs
    for (let seed = from; tried < inputs && performance.now() < until && faults.length < mostFaults; seed += 1) {
      const input = draw(createDice(seed), target)
      tried += 1
      try {
        let ms = (await cost(target, input)) / quiet
        // Once may be chance: a collection, or another process.
        for (let again = 0; again < 4 && ms > target.mostMs; again += 1) {
          quiet = Math.min(unit(), unit(), unit())
          ms = Math.min(ms, (await cost(target, input)) / quiet)
        }
        if (ms > dearest.ms) dearest = { ms: Math.round(ms), seed }
        if (ms > target.mostMs) faults.push(`${seed}: ${ms.toFixed(0)} ms for ${input.length} characters`)
      } catch (error) {
        faults.push(`${seed}: threw ${String(error).slice(0, 200)}`)
      }
      if (process.memoryUsage.rss() - before < mostGrowthMiB * mebibyte) continue
      // What is only waiting to be collected is not held.
      collect()
      grownMiB = Math.max(grownMiB, Math.round((process.memoryUsage.rss() - before) / mebibyte))
      if (grownMiB > mostGrowthMiB) faults.push(`${seed}: ${grownMiB} MiB more than before`)
    }
    collect()
    grownMiB = Math.max(grownMiB, Math.round((process.memoryUsage.rss() - before) / mebibyte))
  } finally {
    await target.close?.()
  }
  return { target: target.name, inputs: tried, dearest, grownMiB, faults }
}
