/** Minimum length of the passphrase of the app lock, in characters. */
export const shortestPassphrase = 8

/** Choices for the minutes without input after which the app locks automatically. */
export const lockMinutes = [1, 5, 15, 60] as const

/** Maximum characters of one text that a page hands over when the app locks. A payload written by hand has at most 48 KiB. */
export const longestKept = 256 * 1_024
/** Maximum number of calls that a page hands over when the app locks. */
export const mostKept = 64
/** Maximum number of notices: as many as fit on screen at a time. */
export const mostKeptNotices = 4
