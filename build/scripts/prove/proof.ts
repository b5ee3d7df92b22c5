/** A long proof: many items that workers try independently, and one line that sums up the result. */
export interface Proof<Result = unknown> {
  readonly name: string
  /** Path of the module whose `open` function creates a workbench: the state that one worker process keeps between items. */
  readonly workbench: string
  readonly workers: number
  /** A worker that takes longer than this for one item is ended, and the item counts as failed. */
  readonly limitMs: number
  /** The items to try, in order. `chosen`: words from the command line; without any, all items. */
  items(chosen: readonly string[]): readonly string[]
  /** One line to print about an item while the proof runs; null prints nothing. */
  line(item: string, result: Result): string | null
  sum(results: ReadonlyMap<string, Result>): Sum
}

export interface Sum {
  /** The last line of the proof: its counts. */
  readonly line: string
  /** Why the proof failed, one reason per line. Empty if it succeeded. */
  readonly misses: readonly string[]
}

/** What a worker process keeps between items, such as a chain or a copy of the project. */
export interface Workbench {
  /** Returns JSON values only, because the result is sent to another process and stored in a file. */
  run(item: string): Promise<unknown>
  close(): Promise<void>
}
