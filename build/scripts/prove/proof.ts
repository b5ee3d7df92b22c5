/** A long-running proof. Worker processes try its items independently of each other, and one line sums up all results. */
export interface Proof<Result = unknown> {
  readonly name: string
  /** Path of the module whose `open` function creates a workbench: the state that one worker process keeps between items. */
  readonly workbench: string
  readonly workers: number
  /** Time limit for one item (test case) of the proof, in ms. A worker that exceeds the limit is killed, and its item counts as failed. */
  readonly limitMs: number
  /** The items (test cases) of the proof, in order. `chosen`: words from the command line that select items; an empty list selects all. */
  items(chosen: readonly string[]): readonly string[]
  /** The line to print about an item (test case) while the proof runs; null prints nothing. */
  line(item: string, result: Result): string | null
  sum(results: ReadonlyMap<string, Result>): Sum
}

export interface Sum {
  /** The summary line that is printed last. */
  readonly line: string
  /** Why the proof failed, one reason per line. Empty if it succeeded. */
  readonly misses: readonly string[]
}

/** The state that a worker process keeps between items, such as a local blockchain or a copy of the project. */
export interface Workbench {
  /** Runs one item (test case). The result must consist of JSON values, because it is sent to another process and stored in a file. */
  run(item: string): Promise<unknown>
  close(): Promise<void>
}
