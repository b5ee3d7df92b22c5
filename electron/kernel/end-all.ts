/** Ends one after the other, also where one of them fails: `failed` is told, and the next has its turn. */
export async function endAll(ends: readonly (() => unknown)[], failed: (error: unknown) => void): Promise<void> {
  for (const end of ends)
    try {
      await end()
    } catch (error) {
      failed(error)
    }
}
