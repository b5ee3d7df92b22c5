/** The test counts of one part of a test run. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
}

export const nothing = (): Tally => ({ passed: 0, failed: 0, skipped: 0 })

export function add(into: Tally, part: Tally): void {
  into.passed += part.passed
  into.failed += part.failed
  into.skipped += part.skipped
}

/** The last line of a test run, with the counts of all tests. */
export const line = (tally: Tally): string => `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`
