import { randomBytes } from 'node:crypto'

/** `dsk-` and 12 hex digits: within Service 9's 8 to 80 of `A-Za-z0-9._:-`. */
export const newRequestId = (): string => `dsk-${randomBytes(6).toString('hex')}`
