import { work } from './crew.ts'
import { openProgress } from './progress.ts'
import type { Proof } from './proof.ts'

export interface ProveOptions {
  readonly chosen: readonly string[]
  readonly file: string
  /** Hash of the source code. Results that were stored for another hash are discarded. */
  readonly tree: string
  readonly signal: AbortSignal
  print(line: string): void
}

/**
 * Runs the items (test cases) of a proof that have no stored result from an earlier run, then prints a summary of all results. Returns whether the
 * proof succeeded; false if it was interrupted.
 */
export async function prove(proof: Proof, { chosen, file, tree, signal, print }: ProveOptions): Promise<boolean> {
  const items = proof.items(chosen)
  if (items.length === 0) {
    print(`${proof.name}: there is nothing like ${chosen.join(' ')}`)
    return false
  }
  const progress = openProgress(file, tree)
  const left = items.filter((item) => !progress.results.has(item))
  if (left.length < items.length) print(`${proof.name}: ${items.length - left.length} of ${items.length} are done from before`)
  const started = performance.now()
  const failures: string[] = []
  let done = 0
  await work({
    ...proof,
    items: left,
    signal,
    onDone: (item, result) => {
      progress.keep(item, result)
      done += 1
      const line = proof.line(item, result)
      if (line !== null) print(line)
    },
    onFailed: (item, error) => {
      failures.push(item)
      print(`${item} failed: ${error}`)
    },
  })
  const seconds = (performance.now() - started) / 1_000
  if (signal.aborted) {
    print(`${proof.name}: stopped after ${done} of ${left.length} in ${seconds.toFixed(0)} s; the same command continues`)
    return false
  }
  const results = new Map(items.filter((item) => progress.results.has(item)).map((item) => [item, progress.results.get(item)]))
  const { line, misses } = proof.sum(results)
  for (const miss of misses) print(miss)
  print(`${proof.name}: ${line}${failures.length === 0 ? '' : `, ${failures.length} not tried to the end`} (${seconds.toFixed(0)} s)`)
  return misses.length === 0 && failures.length === 0
}
