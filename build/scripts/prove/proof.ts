/** A long proof: many items that workers try independently, and one line that says what came of them. */
export interface Proof<Result = unknown> {
  readonly name: string
  /** File whose `open` gives a workbench; each worker process opens one. */
  readonly workbench: string
  readonly workers: number
  /** A worker that is still at one item after so long is ended, and the item counts as failed. */
  readonly limitMs: number
  /** The items to try, in order. `chosen`: words of the command line; none: all. */
  items(chosen: readonly string[]): readonly string[]
  /** One line about an item while the proof runs; null: nothing worth a line. */
  line(item: string, result: Result): string | null
  sum(results: ReadonlyMap<string, Result>): Sum
}

export interface Sum {
  /** Ends the proof: its counts. */
  readonly line: string
  /** What missed a bar, one line each. Empty: proven. */
  readonly misses: readonly string[]
}

/** What a worker process keeps between items, such as a chain or a copy of the project. */
export interface Workbench {
  /** JSON values only: the result crosses to another process and is kept in a file. */
  run(item: string): Promise<unknown>
  close(): Promise<void>
}
