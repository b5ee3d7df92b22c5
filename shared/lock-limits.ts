/** Shortest passphrase of the app's lock in characters. */
export const shortestPassphrase = 8

/** Minutes without input after which it locks by itself. */
export const lockMinutes = [1, 5, 15, 60] as const
