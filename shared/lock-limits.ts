/** Shortest passphrase of the app's lock in characters. */
export const shortestPassphrase = 8

/** Minutes without input after which it locks by itself. */
export const lockMinutes = [1, 5, 15, 60] as const

/** Characters of one text that a locked page hands over; a payload that was written by hand has at most 48 KiB. */
export const longestKept = 256 * 1_024
/** Calls that it hands over at most. */
export const mostKept = 64
/** As many as are on screen at a time. */
export const mostKeptNotices = 4
