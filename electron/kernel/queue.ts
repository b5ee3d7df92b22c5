/** Runs tasks one after the other, in the order they were given, whether the one before failed or not. */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    // Not its result, which may hold a secret.
    last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }
}
