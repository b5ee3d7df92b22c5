import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createDice, draw } from './fuzz-inputs.ts'
import type { Target } from './fuzz-targets.ts'

export interface Fuzzed {
  readonly target: string
  readonly inputs: number
  /** The slowest input: its time in milliseconds on an idle computer, and the seed that reproduces the input. */
  readonly dearest: { readonly ms: number; readonly seed: number }
  /** Largest memory growth of the process after garbage collection, in MiB. */
  readonly grownMiB: number
  /** One line for each input that made the parser throw, exceed its time limit or leak memory, with the input’s seed. */
  readonly faults: readonly string[]
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // safe cast: the flag --expose-gc makes this function available
const mebibyte = 1_048_576
const mostGrowthMiB = 200
const mostFaults = 10

/**
 * Number of steps of the reference loop, which is timed next to each input. Times are relative to this loop, so a busy or slow computer does not
 * change the result. One step takes about a nanosecond on an idle computer (measured: 1.0 to 1.1).
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

async function growthMiB(before: number): Promise<number> {
  collect()
  await setImmediate()
  return Math.round((process.memoryUsage.rss() - before) / mebibyte)
}

const tryOut = async (target: Target, input: string): Promise<unknown> => target.run(input)

/** Runs a parser with random inputs, starting with seed `from`, for `forMs` milliseconds or for `inputs` inputs. */
export async function fuzz(
  open: () => Target | Promise<Target>,
  { from, inputs, forMs }: { readonly from: number; readonly inputs: number; readonly forMs: number },
): Promise<Fuzzed> {
  const target = await open()
  const faults: string[] = []
  let dearest = { ms: 0, seed: from }
  let [tried, grownMiB] = [0, 0]
  try {
    // Warms the parser up, so that its code is compiled as in a running app.
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
        // Repeats a slow input, because garbage collection or another process may have caused the delay.
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
      // Memory that waits for garbage collection does not count. V8 returns collected memory to the system with a delay, so a value above the limit
      // is measured again.
      let grown = await growthMiB(before)
      for (let again = 0; again < 4 && grown > mostGrowthMiB; again += 1) grown = await growthMiB(before)
      grownMiB = Math.max(grownMiB, grown)
      if (grown > mostGrowthMiB) faults.push(`${seed}: ${grown} MiB more than before`)
    }
    grownMiB = Math.max(grownMiB, await growthMiB(before))
  } finally {
    await target.close?.()
  }
  return { target: target.name, inputs: tried, dearest, grownMiB, faults }
}
