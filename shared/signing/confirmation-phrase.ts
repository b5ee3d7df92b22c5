/** What must be typed before a message of an unknown layout is sent to the wallet. */
export const confirmationPhrase = 'sign this layout'

/** Surrounding space and letter case do not matter; words do. */
export const isPhrase = (typed: string | null, expected: string): boolean =>
  typed !== null && typed.trim().replace(/\s+/g, ' ').toLowerCase() === expected.toLowerCase()

export const isConfirmed = (typed: string | null): boolean => isPhrase(typed, confirmationPhrase)
