/** Counts from one part of the test run. */
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

/** The line that a test run ends with. */
export const line = (tally: Tally): string => `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`
