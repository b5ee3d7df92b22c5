/** Minimum length of the passphrase of the app lock, in characters. */
export const shortestPassphrase = 8

/** Choices for the minutes without input after which the app locks automatically. */
export const lockMinutes = [1, 5, 15, 60] as const

/**
 * Maximum length, in characters, of one text that a page hands to main when the app locks, because the window then reloads. Main hands the text to
 * the next page. The longest text is an order payload written by hand, of up to 48 KiB.
 */
export const longestKept = 256 * 1_024
/** Maximum number of unfinished calls that a page hands to main when the app locks. The next page runs them after the unlock. */
export const mostKept = 64
/** Maximum number of notices that a page hands to main when the app locks, for the next page: as many as fit on screen. */
export const mostKeptNotices = 3
