import { createHash, randomBytes } from 'node:crypto'

/** The prefixes come from the API document: keys `SVC`, developer sessions `svcds1.`, webhook secrets `svc_whsec_`. */
export const newApiKey = (): string => `SVC${randomBytes(24).toString('hex')}`
export const newSessionToken = (): string => `svcds1.${randomBytes(32).toString('base64url')}`

/** The exchange stores only this hash of a secret. A plain hash is safe enough, because every secret has at least 192 random bits. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex')

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const newId = (prefix: string, length = 12): string => `${prefix}${Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')}`
