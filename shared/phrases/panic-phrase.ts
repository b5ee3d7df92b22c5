/** What the user types before so many keys are revoked at once. */
export const panicPhrase = (keys: number): string => `revoke ${keys} ${keys === 1 ? 'key' : 'keys'}`
