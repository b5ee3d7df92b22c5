import { randomBytes } from 'node:crypto'

/** Under which the log has an error, and by which the user can name it. */
export const newReference = (): string => `e-${randomBytes(4).toString('hex')}`
