/** Minimum length of the passphrase of the app lock, in characters. */
export const shortestPassphrase = 8

/** Choices for the minutes without input after which the app locks automatically. */
export const lockMinutes = [1, 5, 15, 60] as const

/**
 * Maximum length of one text, in characters, that a page hands to main when the app locks. The longest is an order payload written by hand, of up to
 * 48 KiB.
 */
export const longestKept = 256 * 1_024
/** Maximum number of unfinished calls that a page hands to main when the app locks. */
export const mostKept = 64
/** Maximum number of notices that a page hands to main when the app locks: as many as fit on screen. */
export const mostKeptNotices = 4
