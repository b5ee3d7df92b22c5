/** Minimum length of the passphrase of the app lock, in characters. */
export const shortestPassphrase = 8

/** The choices for the automatic lock: after how many minutes without input the app locks. */
export const lockMinutes = [1, 5, 15, 60] as const

/**
 * Maximum length, in characters, of one text that a page hands over to the next page when the window reloads for the app lock. The longest such text
 * is an order payload of up to 48 KiB that the user wrote by hand.
 */
export const longestKept = 256 * 1_024
/** Maximum number of unfinished calls that a page hands over to the next page when the app locks. The next page runs them after the unlock. */
export const mostKept = 64
/** Maximum number of notices that a page hands over to the next page when the app locks. No more fit on screen. */
export const mostKeptNotices = 3

/** Smallest and largest whole number of each setting of a gateway's bot. Schemas, the page's form and the terminal use the same ranges. */
export const botRanges = { ordersPerMinute: [1, 6_000], silenceSeconds: [10, 86_400], tokenDays: [1, 2_000] } as const

/** Reads a typed whole number. null: there is none, or it is outside the range. */
export const wholeIn = (typed: string | undefined, [from, to]: readonly [number, number]): number | null => {
  const value = /^\d{1,6}$/.test(typed?.trim() ?? '') ? Number(typed) : from - 1
  return value >= from && value <= to ? value : null
}
